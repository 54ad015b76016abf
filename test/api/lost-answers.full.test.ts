import { randomBytes } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { walletImportActivities } from '../../activities/wallet-imports/import-wallets.ts';
import type { Json, RequestOptions, TestAnswer } from '../api-client.ts';
import { ALL_TIME, decidedTransactions } from '../factories/backtests.ts';
import { evmFile, form, FORM_TYPE } from '../factories/csv.ts';
import { losingCommit } from '../factories/lost-answers.ts';
import { releaseDeps } from '../factories/release-deps.ts';
import { configurations, rule } from '../factories/rules.ts';
import { listCsv, listSteps, subjects } from '../factories/sanctions-list.ts';
import { evmAddress } from '../factories/transaction.ts';
import { useApi, useTenant } from '../use-api.ts';

const { api, database } = useApi({
  deps: {
    startImport: async (subject) => {
      const steps = walletImportActivities(releaseDeps(api));
      await new MockActivityEnvironment().run(async () => await steps.importWallets(subject));
    },
    startListUpdate: async (update) => void (await listSteps(api.db).importList(update)),
    importLimitMs: 500,
    listImportLimitMs: 500,
  },
});
const tenant = useTenant(api);
const by = () => ({ operatorKey: api.operatorKey });
const isReplayed = ({ headers }: TestAnswer<Json>) => headers.get('Idempotency-Replayed') === 'true';

/** Posts; the answer to the commit of `statement` is lost; `between` happens; posts again and gives that answer. */
async function repeatedAfterLoss(
  path: string,
  options: RequestOptions,
  statement: RegExp,
  between: () => Promise<void> = async () => await Promise.resolve(),
): Promise<TestAnswer<Json>> {
  const headers = { ...options.headers, 'Idempotency-Key': randomBytes(12).toString('hex') };
  const post = async () => await api.request<Json>('POST', path, { ...options, headers });
  const first = await losingCommit(api.db.pool, statement, post);
  expect([first.status, first.body['code']]).toEqual([503, 'temporarily_unavailable']);
  await between();
  return await post();
}

const VERSIONS = '/operator/lists/OWN_LIST/versions';
const listOf = (count: number): RequestOptions => ({
  ...by(),
  headers: FORM_TYPE,
  body: form([
    ['file', listCsv(subjects(count)), 'list.csv'],
    ['format', 'CSV'],
  ]),
});
const upload = async (count: number) => await api.request<Json>('POST', VERSIONS, listOf(count));
const newer = async (sent: Promise<TestAnswer<Json>>) => {
  expect((await sent).status).toBe(201);
};
const versions = async () => {
  const { body } = await api.request<Json[]>('GET', VERSIONS, by());
  return body.map(({ version, state, source, entries }) => [version, state, source, entries]);
};

describe('a request whose connection was lost at its commit acts once; its repeat gets the answer that was lost', () => {
  test('a rolled back list, and the newer version stays active', async () => {
    expect([(await upload(100)).status, (await upload(101)).status]).toEqual([201, 201]);
    const again = await repeatedAfterLoss(
      '/operator/lists/OWN_LIST/rollback',
      { ...by(), body: { version: 1 } },
      /insert into sanctions_versions/,
      async () => await newer(upload(105)),
    );
    expect(again).toMatchObject({ status: 201, body: { version: 3, source: 'ROLLBACK' } });
    expect(isReplayed(again)).toBe(true);
    expect((await versions()).filter(([, state]) => state === 'ACTIVE')).toEqual([
      [4, 'ACTIVE', 'UPLOAD', 105],
    ]);
  });

  test('a merge, and the master that was named since stays', async () => {
    const add = async (name: string) => {
      const body = { name, type: 'exchange' };
      return String((await api.request<Json>('POST', '/operator/entities', { ...by(), body })).body['id']);
    };
    const [id, master, other] = [await add('Merge A'), await add('Merge B'), await add('Merge C')];
    const path = `/operator/entities/${id}/merge`;
    const again = await repeatedAfterLoss(
      path,
      { ...by(), body: { masterId: master } },
      /update entities set master_entity_id = \$2/,
      async () => void (await api.request('POST', path, { ...by(), body: { masterId: other } })),
    );
    expect(again).toMatchObject({ status: 200, body: { masterEntityId: master } });
    expect(isReplayed(again)).toBe(true);
    const now = await api.request<Json>('GET', `/operator/entities/${id}`, by());
    expect(now.body['masterEntityId']).toBe(other);
  });

  test('an attestation', async () => {
    const path = `/operator/tenants/${tenant.id}/attested-addresses`;
    const body = { blockchain: 'Ethereum', address: evmAddress(), reason: 'checked' };
    const again = await repeatedAfterLoss(path, { ...by(), body }, /insert into attested_addresses/);
    expect([again.status, isReplayed(again), again.body['address']]).toEqual([201, true, body.address]);
    expect((await api.request<Json[]>('GET', path, by())).body).toHaveLength(1);
  });

  test('a cancelled back-test', async () => {
    const { id } = (await configurations(tenant)).OUTGOING;
    await decidedTransactions(api, tenant, ['5']);
    const tried = { source: 'DRAFT', rules: [rule()], ...ALL_TIME };
    const made = await tenant.post<Json>(`/rule-engine/${id}/backtest`, tried);
    expect(made.status).toBe(202);
    const again = await repeatedAfterLoss(
      `/rule-engine/${id}/backtests/${String(made.body['id'])}/cancel`,
      { key: tenant.apiKey },
      /update rule_backtests set status/,
    );
    expect([again.status, isReplayed(again), again.body['status']]).toEqual([200, true, 'CANCELLED']);
  });

  test('an import of labels, and the newer file of the source stays', async () => {
    const address = evmAddress();
    const labels = (label: string): RequestOptions => ({
      ...by(),
      headers: FORM_TYPE,
      body: form([
        ['file', `address,label,type,blockchain\n${address},${label},exchange,Ethereum\n`, 'labels.csv'],
        ['source', 'lost-answers'],
      ]),
    });
    const again = await repeatedAfterLoss(
      '/operator/labels',
      labels('Old file'),
      /update label_imports set source/,
      async () => await newer(api.request('POST', '/operator/labels', labels('New file'))),
    );
    expect([again.status, isReplayed(again), again.body['labels']]).toEqual([201, true, 1]);
    const { rows } = await database.pool.query<Json>(
      `select l.label from labels l join label_imports i on i.id = l.import_id where i.source = 'lost-answers'`,
    );
    expect(rows).toEqual([{ label: 'New file' }]);
  });

  test('an import of entities, and what was corrected since stays', async () => {
    const file = form([['file', 'name,type\nLost Exchange,exchange\n', 'entities.csv']]);
    const entity = async () => {
      const found = await api.request<Json[]>('GET', '/operator/entities?q=Lost%20Exchange', by());
      return found.body[0];
    };
    const again = await repeatedAfterLoss(
      '/operator/entities/import',
      { ...by(), headers: FORM_TYPE, body: file },
      /insert into entities as e/,
      async () => {
        const path = `/operator/entities/${String((await entity())?.['id'])}`;
        const corrected = await api.request('PATCH', path, { ...by(), body: { type: 'bank' } });
        expect(corrected.status).toBe(200);
      },
    );
    expect([again.status, isReplayed(again), again.body['created']]).toEqual([201, true, 1]);
    expect((await entity())?.['type']).toBe('bank');
  });

  test('an uploaded list that no worker has seen yet', async () => {
    const before = (await versions()).length;
    const again = await repeatedAfterLoss(
      VERSIONS,
      listOf(110),
      /update sanctions_uploads set state = 'RUNNING'/,
    );
    expect([again.status, again.body['entries']]).toEqual([201, 110]);
    expect(await versions()).toHaveLength(before + 1);
  });

  test('an uploaded list that no worker has seen yet, and the newer version stays active', async () => {
    const again = await repeatedAfterLoss(
      VERSIONS,
      listOf(112),
      /update sanctions_uploads set state = 'RUNNING'/,
      async () => await newer(upload(113)),
    );
    expect([again.status, again.body['rejectReason']]).toEqual([409, 'OUTDATED']);
    expect((await versions()).slice(0, 2).map(([, state, , entries]) => [state, entries])).toEqual([
      ['REJECTED', 112],
      ['ACTIVE', 113],
    ]);
  });
});

/** Posts while no answer can be kept, as when the process ends or loses the database after the import. */
async function withoutKeeping(post: () => Promise<TestAnswer<Json>>): Promise<TestAnswer<Json>> {
  const query = api.db.pool.query.bind(api.db.pool) as (...args: unknown[]) => Promise<unknown>;
  const spy = jest.spyOn(api.db.pool, 'query').mockImplementation((async (...args: unknown[]) => {
    if (String(args[0]).startsWith('update idempotency_keys set status')) {
      throw new Error('Connection terminated unexpectedly');
    }
    return await query(...args);
  }) as never);
  return await post().finally(() => {
    spy.mockRestore();
  });
}

describe('a file that was imported, and whose answer could not be kept', () => {
  const keyed = () => ({ ...FORM_TYPE, 'Idempotency-Key': randomBytes(12).toString('hex') });

  test('a list is not imported again over a newer version', async () => {
    const headers = keyed();
    const post = async () => await api.request<Json>('POST', VERSIONS, { ...listOf(120), headers });
    const first = await withoutKeeping(post);
    expect([first.status, (await upload(121)).status]).toEqual([503, 201]);
    const newest = await versions();
    expect(newest.slice(0, 2).map(([, state, , entries]) => [state, entries])).toEqual([
      ['ACTIVE', 121],
      ['SUPERSEDED', 120],
    ]);
    const again = await post();
    expect(again).toMatchObject({ status: 201, body: { entries: 120, state: 'SUPERSEDED' } });
    expect(await versions()).toEqual(newest);
    expect(isReplayed(await post())).toBe(true);
  });

  test('wallets that were deleted since are not registered again', async () => {
    const headers = keyed();
    const body = form([['file', evmFile(2), 'wallets.csv']]);
    const post = async () => await tenant.post<Json>('/wallets/upload-csv', body, { headers });
    expect((await withoutKeeping(post)).status).toBe(503);
    const { body: wallets } = await tenant.get<Json[]>('/wallets');
    expect(wallets).toHaveLength(2);
    for (const { id } of wallets) expect((await tenant.delete(`/wallets/${String(id)}`)).status).toBe(204);
    expect(await post()).toMatchObject({ status: 201, body: { total: 2, created: 2 } });
    expect((await tenant.get<Json[]>('/wallets')).body).toEqual([]);
  });
});
