import { MockActivityEnvironment } from '@temporalio/testing';
import { openLiveness } from '../../../activities/liveness/http-liveness.ts';
import { selfieActivities } from '../../../activities/verifications/analyse-selfie.ts';
import type { WalletVerification } from '../../../domain/verifications/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { formOf, isoMedia, png } from '../../factories/evidence.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createVerification, readVerification } from '../../factories/verification.ts';
import { fakeLiveness } from '../../fakes/liveness.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;
let program: Awaited<ReturnType<typeof fakeLiveness>>;
let answer: { status: number; body: unknown };
/** What happens while the program is at work. */
let meanwhile: () => void;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, { config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  tenant = await createTenant(api, { webhookUrl: 'http://127.0.0.1:9/hook' });
  program = await fakeLiveness(() => {
    meanwhile();
    return answer;
  });
});
afterAll(async () => {
  program.stop();
  await api.stop();
  await database.drop();
});
beforeEach(() => {
  program.seen.length = 0;
  meanwhile = () => undefined;
  answer = { status: 200, body: { result: 'PASS', score: 0.98, reference: 'r-1', modelVersion: '3' } };
});

const film = isoMedia('isom', 300_000);

async function withSelfie(autoConfirm: boolean): Promise<WalletVerification> {
  const made = await createVerification(tenant, { additionalSteps: [{ kind: 'SELFIE', autoConfirm }] });
  await give(made.id);
  return made;
}

async function give(id: string): Promise<void> {
  const sent = await fetch(`${api.url}/wallet-verification/${id}/additional-steps/SELFIE`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({ metadata: '{"camera":"front"}' }, [
      { fileName: 'Anna Example.mp4', content: film },
      { fileName: 'me.png', content: png() },
    ]),
  });
  expect(sent.status).toBe(200);
}

/** Null: without a program. */
async function analyse(id: string, url: string | null = program.url) {
  const activities = selfieActivities({
    db: api.db,
    storage: api.deps.storage,
    liveness: openLiveness(url ?? undefined),
    notifyWorkflows: () => undefined,
    now: () => new Date(),
  });
  return (await new MockActivityEnvironment().run(
    async () => await activities.analyseSelfie({ id }),
  )) as Json;
}

const selfieOf = async (id: string) => (await readVerification(tenant, id)).additionalSteps[0];
const isWaiting = async (id: string) =>
  (await database.pool.query('select 1 from selfie_analyses where id = $1', [id])).rowCount === 1;

test('a pass confirms where that was asked for; the program gets the files opened, and no name of a person', async () => {
  const made = await withSelfie(true);
  expect(await analyse(made.id)).toEqual({ outcome: 'DONE' });
  expect(program.seen[0]?.metadata).toEqual({ camera: 'front' });
  const files = program.seen[0]?.files ?? [];
  expect(files.map(({ type }) => type)).toEqual(['video/mp4', 'image/png']);
  expect(files[0]?.content.equals(film)).toBe(true);
  expect(files.map(({ name }) => name).join()).not.toContain('Anna');
  expect(await selfieOf(made.id)).toMatchObject({
    status: 'VERIFIED',
    reviewedAt: expect.any(String),
    analysis: { result: 'PASS', score: 0.98, provider: 'HTTP', reference: 'r-1', modelVersion: '3' },
  });
  expect(await isWaiting(made.id)).toBe(false);
  expect((await readVerification(tenant, made.id)).status).toBe('PENDING');
});

test.each([
  ['a pass without autoConfirm', false, 'PASS', 'ACTION_REQUIRED'],
  ['a failure without autoConfirm', false, 'FAIL', 'ACTION_REQUIRED'],
  ['a failure with autoConfirm', true, 'FAIL', 'FAILED'],
  ['an unclear one with autoConfirm', true, 'INCONCLUSIVE', 'ACTION_REQUIRED'],
])('%s', async (_name, autoConfirm, result, status) => {
  answer = { status: 200, body: { result } };
  const made = await withSelfie(autoConfirm);
  await analyse(made.id);
  expect(await selfieOf(made.id)).toMatchObject({ status, analysis: { result, score: null } });
});

test('without a program nothing is found, and a person decides', async () => {
  const made = await withSelfie(true);
  expect(await analyse(made.id, null)).toEqual({ outcome: 'MANUAL' });
  expect(await selfieOf(made.id)).toMatchObject({ status: 'ACTION_REQUIRED', analysis: null });
  expect(await isWaiting(made.id)).toBe(false);
  expect(program.seen).toEqual([]);
});

test.each([
  ['in short', 'no face'],
  ['at length', 'no face '.repeat(20_000)],
])('what the program refuses %s is unclear', async (_name, error) => {
  answer = { status: 422, body: { error } };
  const made = await withSelfie(true);
  await analyse(made.id);
  expect(await selfieOf(made.id)).toMatchObject({
    status: 'ACTION_REQUIRED',
    analysis: { result: 'INCONCLUSIVE', reference: null },
  });
});

test.each([
  ['an error', { status: 500, body: {} }],
  ['an unknown word', { status: 200, body: { result: 'MAYBE' } }],
  ['a wrong password', { status: 401, body: {} }],
  ['an answer of more than 64 kB', { status: 200, body: { result: 'PASS', why: 'x'.repeat(70_000) } }],
])('%s of the program fails the step, which then still waits', async (_name, faulty) => {
  answer = faulty;
  const made = await withSelfie(true);
  await expect(analyse(made.id)).rejects.toThrow();
  expect(await isWaiting(made.id)).toBe(true);
  expect(await selfieOf(made.id)).toMatchObject({ status: 'ACTION_REQUIRED', analysis: null });
  answer = { status: 200, body: { result: 'PASS' } };
  expect(await analyse(made.id)).toEqual({ outcome: 'DONE' });
});

test('a second run finds nothing to do, and asks nobody', async () => {
  const made = await withSelfie(true);
  await analyse(made.id);
  const before = await readVerification(tenant, made.id);
  expect(await analyse(made.id)).toEqual({ outcome: 'NOTHING_WAITS' });
  expect(program.seen).toHaveLength(1);
  expect(await readVerification(tenant, made.id)).toEqual(before);
});

test('a reviewer who decides meanwhile has the last word', async () => {
  const made = await withSelfie(true);
  let decided: Promise<unknown> = Promise.resolve();
  meanwhile = () => {
    decided = tenant.patch(`/wallet-verification/${made.id}/additional-steps/SELFIE`, { status: 'DECLINED' });
  };
  const slow = fakeSlow(async () => await decided);
  await slow(made.id);
  expect(await selfieOf(made.id)).toMatchObject({ status: 'DECLINED', analysis: null });
  expect(await isWaiting(made.id)).toBe(false);
});

/** A program whose answer is not used before something else has happened. */
function fakeSlow(until: () => Promise<unknown>) {
  const http = openLiveness(program.url);
  return async (id: string) => {
    const activities = selfieActivities({
      db: api.db,
      storage: api.deps.storage,
      liveness: {
        analyse: async (...given) => {
          const finding = await http.analyse(...given);
          await until();
          return finding;
        },
      },
      notifyWorkflows: () => undefined,
      now: () => new Date(),
    });
    await new MockActivityEnvironment().run(async () => await activities.analyseSelfie({ id }));
  };
}

test('files that were given meanwhile wait for an analysis of their own', async () => {
  const made = await withSelfie(true);
  const path = `/wallet-verification/${made.id}/additional-steps/SELFIE`;
  await fakeSlow(async () => {
    await tenant.patch(path, { status: 'DECLINED' });
    await give(made.id);
  })(made.id);
  expect(await selfieOf(made.id)).toMatchObject({ status: 'ACTION_REQUIRED', analysis: null });
  expect(await isWaiting(made.id)).toBe(true);
  await analyse(made.id);
  expect(await selfieOf(made.id)).toMatchObject({ status: 'VERIFIED' });
});
