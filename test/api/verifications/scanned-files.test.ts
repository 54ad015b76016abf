import { readdir } from 'node:fs/promises';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { formOf, isoMedia, png } from '../../factories/evidence.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createVerification, readVerification } from '../../factories/verification.ts';
import { fakeClamd } from '../../fakes/clamd.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;
let scanner: Awaited<ReturnType<typeof fakeClamd>>;
let scanned = 0;

beforeAll(async () => {
  database = await testDatabase();
  scanner = await fakeClamd((content) => {
    scanned += 1;
    if (content.includes('too much')) return 'INSTREAM size limit exceeded. ERROR';
    return content.includes('a test virus') ? 'stream: Eicar FOUND' : 'stream: OK';
  });
  api = await startTestApi(database, { config: { CLAMD_URL: scanner.url } });
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  scanner.stop();
  await database.drop();
});

async function give(id: string, ...contents: Buffer[]) {
  const files = contents.map((content) => ({ fileName: 'a.png', content }));
  const answer = await fetch(`${api.url}/wallet-verification/${id}/verification`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({ verificationFlow: 'VISUAL_PROOF' }, files),
  });
  return { status: answer.status, body: (await answer.json()) as Json, headers: answer.headers };
}

async function leftOf(id: string) {
  const entries = await readdir(api.config.STORAGE_DIR ?? '', { recursive: true, withFileTypes: true });
  const { rows } = await database.pool.query('select 1 from verification_files where verification_id = $1', [
    id,
  ]);
  return {
    objects: entries.filter((entry) => entry.isFile() && entry.parentPath.includes(id)).length,
    rows: rows.length,
  };
}

const visual = async () => await createVerification(tenant, { allowedFlows: ['VISUAL_PROOF'] });

test('what the scanner finds clean is taken', async () => {
  const made = await visual();
  expect((await give(made.id, png())).status).toBe(200);
  expect(scanned).toBe(1);
  expect(await leftOf(made.id)).toEqual({ objects: 1, rows: 1 });
});

test('an infected file is refused with all that came along, and the verification stays PENDING', async () => {
  const made = await visual();
  const answer = await give(made.id, png(), png({ text: 'a test virus' }));
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { code: 'file_type_not_allowed', errors: [{ pointer: '/files', code: 'infected' }] },
  ]);
  expect(await leftOf(made.id)).toEqual({ objects: 0, rows: 0 });
  expect(await readVerification(tenant, made.id)).toEqual(made);
});

test('what the scanner cannot judge is 503, and nothing is left', async () => {
  const made = await visual();
  const answer = await give(made.id, png({ text: 'too much' }));
  expect([answer.status, answer.body['code']]).toEqual([503, 'temporarily_unavailable']);
  expect(answer.headers.get('Retry-After')).toBe('30');
  expect(await leftOf(made.id)).toEqual({ objects: 0, rows: 0 });
});

test('a scanner that is not there is 503, and nothing is left', async () => {
  const gone = await fakeClamd(() => 'stream: OK');
  gone.stop();
  const other = await startTestApi(database, {
    config: { ...api.config, CLAMD_URL: gone.url },
  });
  const made = await visual();
  const answer = await fetch(`${other.url}/wallet-verification/${made.id}/verification`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({ verificationFlow: 'VISUAL_PROOF' }, [
      { fileName: 'a.mp4', content: isoMedia('isom', 3_000_000) },
    ]),
  });
  expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'temporarily_unavailable' }]);
  expect(await leftOf(made.id)).toEqual({ objects: 0, rows: 0 });
  expect(await readVerification(tenant, made.id)).toEqual(made);
  await other.stop();
});
