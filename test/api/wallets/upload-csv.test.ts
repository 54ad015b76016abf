import { connect } from 'node:net';
import { once } from 'node:events';
import { MockActivityEnvironment } from '@temporalio/testing';
import { walletImportActivities } from '../../../activities/wallet-imports/import-wallets.ts';
import { CSV_LIMITS } from '../../../domain/wallets/wallet-file.ts';
import type { WalletImport } from '../../../domain/wallets/wallet-import.ts';
import { startTestApi } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { evmFile, form, FORM_TYPE, sendForm, upload } from '../../factories/csv.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { startTcpProxy } from '../../fakes/tcp-proxy.ts';
import { useApi, useTenantPerTest, startSecondApi } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);

const FILE = evmFile(2);
const count = async (table: string) =>
  (await database.pool.query<{ count: number }>(`select count(*)::int from ${table}`)).rows[0]?.count;
const nothing = async () => {
  expect(await count('wallet_import_chunks')).toBe(0);
  expect(await count('wallet_imports')).toBe(0);
  expect(await count('wallets')).toBe(0);
};

describe('400: a form that is not one file', () => {
  test.each<[string, Parameters<typeof sendForm>[1], string, string]>([
    ['no part at all', [], '/file', 'required'],
    ['a part of another name', [['wallets', FILE, 'a.csv']], '/wallets', 'unknown_field'],
    [
      'another part after the file',
      [
        ['file', FILE, 'a.csv'],
        ['photo', 'x', 'a.png'],
      ],
      '/photo',
      'unknown_field',
    ],
    [
      'a text besides the file',
      [
        ['note', 'x'],
        ['file', FILE, 'a.csv'],
      ],
      '/note',
      'unknown_field',
    ],
    ['the file as a text', [['file', FILE]], '/file', 'invalid_type'],
    [
      'two files',
      [
        ['file', FILE, 'a.csv'],
        ['file', FILE, 'b.csv'],
      ],
      '/file',
      'too_many',
    ],
  ])('%s', async (_name, parts, pointer, code) => {
    const answer = await sendForm(tenant, parts);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([expect.objectContaining({ pointer, code })]);
    await nothing();
  });

  test.each([
    ['a form that breaks off', form([['file', FILE, 'a.csv']]).subarray(0, -30)],
    ['no form', Buffer.from('address,asset,blockchain\n')],
  ])('%s', async (_name, body) => {
    const answer = await api.request('POST', '/wallets/upload-csv', {
      key: tenant.apiKey,
      body,
      headers: FORM_TYPE,
    });
    expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
    await nothing();
  });
});

test.each(['text/csv', 'application/json', 'multipart/form-data', 'multipart/form-data; boundary='])(
  '415: %s',
  async (type) => {
    const answer = await upload(tenant, FILE, { 'Content-Type': type });
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
  },
);

test('403: an OBSERVER imports nothing', async () => {
  const observer = await tenant.as('OBSERVER');
  expect((await upload(observer, FILE)).status).toBe(403);
  await nothing();
});

describe('413: 15 MB and one byte', () => {
  const oversized = Buffer.alloc(CSV_LIMITS.fileBytes + 1, 'x');

  test('announced or not, is refused with nothing left', async () => {
    const answer = await upload(tenant, oversized);
    expect([answer.status, answer.body.code]).toEqual([413, 'file_too_large']);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(form([['file', oversized, 'a.csv']]));
        controller.close();
      },
    });
    const streamed = await fetch(`${api.url}/wallets/upload-csv`, {
      method: 'POST',
      headers: { ...FORM_TYPE, 'X-Api-Key': tenant.apiKey },
      body,
      duplex: 'half',
    } as RequestInit);
    expect([streamed.status, await streamed.json()]).toEqual([
      413,
      expect.objectContaining({ code: 'file_too_large' }),
    ]);
    await nothing();
  });

  test('one byte less is taken', async () => {
    expect((await upload(tenant, oversized.subarray(1))).status).toBe(503);
    await database.pool.query('delete from wallet_imports; delete from wallet_import_chunks');
  });
});

test('a connection that is cut in the middle of the file leaves nothing behind', async () => {
  const whole = form([['file', Buffer.alloc(3 * 1024 * 1024, 'a,b,c\n'), 'a.csv']]);
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST /wallets/upload-csv HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${tenant.apiKey}\r\n` +
      `Content-Type: ${FORM_TYPE['Content-Type']}\r\nContent-Length: ${whole.length}\r\n\r\n`,
  );
  socket.write(whole.subarray(0, 2.5 * 1024 * 1024));
  await eventually(
    async () => await count('wallet_import_chunks'),
    (chunks) => chunks === 2,
  );
  socket.destroy();
  await eventually(
    async () => await count('wallet_import_chunks'),
    (chunks) => chunks === 0,
  );
  await nothing();
  expect(api.log.filter((line) => Number(line['level']) >= 50)).toEqual([]);
});

describe('503', () => {
  afterEach(async () => {
    await database.pool.query('delete from wallet_imports; delete from wallet_import_chunks');
  });

  test('without Temporal, with Retry-After; the file waits, sealed, for its repeat', async () => {
    const answer = await upload(tenant, `${FILE}${'0x'.padEnd(42, '0')},*,Ethereum\n`);
    expect([answer.status, answer.body.code, answer.headers.get('Retry-After')]).toEqual([
      503,
      'temporarily_unavailable',
      '5',
    ]);
    const { rows } = await database.pool.query<{ content: Buffer }>(
      'select content from wallet_import_chunks',
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.content.includes('Ethereum')).toBe(false);
    expect(await count('wallets')).toBe(0);
    const { body } = await tenant.get<WalletImport>(`/wallets/imports/${await importId()}`);
    expect(body).toMatchObject({ state: 'RUNNING', total: null, errors: null, finishedAt: null });
    await upload(tenant, `${FILE}${'0x'.padEnd(42, '0')},*,Ethereum\n`);
    expect([await count('wallet_imports'), await count('wallet_import_chunks')]).toEqual([1, 1]);
  });

  test('without Temporal an Idempotency-Key is free again', async () => {
    const headers = { 'Idempotency-Key': 'again' };
    expect((await upload(tenant, FILE, headers)).status).toBe(503);
    expect((await upload(tenant, FILE, headers)).status).toBe(503);
    // It stays with what was begun, and nobody holds it.
    expect(await count('idempotency_keys where leased_until > now()')).toBe(0);
  });

  test('after the time of a request, while the import goes on', async () => {
    const slow = await startSecondApi(api, {
      deps: { startImport: async () => await Promise.resolve(), importLimitMs: 200 },
    });
    const asked = { key: tenant.apiKey, headers: FORM_TYPE, body: form([['file', FILE, 'a.csv']]) };
    const answer = await slow.request('POST', '/wallets/upload-csv', asked);
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await count('wallet_import_chunks')).toBe(1);
  });

  test('while PostgreSQL is away, with nothing half imported', async () => {
    const url = new URL(database.url);
    const proxy = await startTcpProxy(url.hostname, Number(url.port));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const cutOff = await startTestApi({ url: url.href }, { config: { MASTER_KEY: api.config.MASTER_KEY } });
    const asked = { key: tenant.apiKey, headers: FORM_TYPE, body: form([['file', FILE, 'a.csv']]) };
    expect((await cutOff.request('POST', '/wallets/upload-csv', asked)).status).toBe(503);
    await database.pool.query('delete from wallet_imports; delete from wallet_import_chunks');
    proxy.cut();
    const answer = await cutOff.request('POST', '/wallets/upload-csv', asked);
    expect([answer.status, answer.body['code']]).toEqual([503, 'temporarily_unavailable']);
    await cutOff.stop();
    await proxy.close();
    await nothing();
  });

  test('not where Temporal answers late: a start is tried three times', async () => {
    let tries = 0;
    const late = await startSecondApi(api, {
      deps: {
        startImport: async (subject) => {
          tries += 1;
          if (tries < 3) throw new Error('deadline exceeded');
          const steps = walletImportActivities(releaseDeps(api));
          await new MockActivityEnvironment().run(async () => await steps.importWallets(subject));
        },
      },
    });
    const asked = { key: tenant.apiKey, headers: FORM_TYPE, body: form([['file', FILE, 'a.csv']]) };
    const answer = await late.request('POST', '/wallets/upload-csv', asked);
    expect([answer.status, answer.body['created'], tries]).toEqual([201, 2, 3]);
  });
});

async function importId(): Promise<string> {
  return (await database.pool.query<{ id: string }>('select id from wallet_imports')).rows[0]?.id ?? '';
}
