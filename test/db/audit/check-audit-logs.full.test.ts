import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkAuditLogs } from '../../../db/audit/check-audit-logs.ts';
import { OPERATORS } from '../../../db/idempotency/operator-scope.ts';
import { checkSeals } from '../../../db/seals/check-seals.ts';
import { withConnection } from '../../../db/postgres.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../../domain/durations.ts';
import { startOf, dayOf } from '../../../domain/seals/days.ts';
import { projectRoot } from '../../../standalone/project-root.ts';
import { sealRound } from '../../../worker/seal-loop.ts';
import { auditLog, chainAll, chainWhatIsClosed } from '../../factories/audit.ts';
import { eventually } from '../../eventually.ts';
import { unguarded } from '../../factories/tampering.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);

const faultsOf = async (id = tenant.id): Promise<string[]> =>
  (await checkAuditLogs(api.db)).faults
    .filter((fault) => fault.id === id)
    .map(({ fault }) => fault.replace('the audit log of this tenant: ', ''));

/** Three batches of two entries each, beside the first one. */
async function logged(): Promise<void> {
  await chainAll(api);
  for (const _ of [1, 2, 3]) {
    for (const __ of [1, 2]) await tenant.get('/tenant/me/api-keys');
    await chainAll(api);
  }
  expect(await faultsOf()).toEqual([]);
}

/** Does something as the owner of the tables, to the tenant `$1`. */
const asOwner = async (...statements: string[]) =>
  await unguarded(database.pool, async () => {
    for (const text of statements) await database.pool.query(text.replaceAll('$1', `'${tenant.id}'`));
  });
const entry = (offset: number) =>
  `(select id from audit_entries where tenant_id = $1 order by position offset ${offset} limit 1)`;

describe('as the owner of the tables', () => {
  test('an untouched log has no fault, chained or not yet', async () => {
    await logged();
    await tenant.get('/tenant/me/api-keys');
    expect(await faultsOf()).toEqual([]);
    await chainAll(api);
    expect(await faultsOf()).toEqual([]);
  });

  test('a tail that was cut, with or without its batch, and with the head moved back', async () => {
    await logged();
    const cut = `delete from audit_entries where tenant_id = $1 and position > (select position from audit_batches where tenant_id = $1 and number = 3)`;
    await asOwner(cut);
    expect(await faultsOf()).toEqual(['batch 4 has 0 entries instead of 2']);
    await asOwner('delete from audit_batches where tenant_id = $1 and number = 4');
    expect(await faultsOf()).toEqual(['the last batches are missing: 3 of 4']);
    await asOwner(`update audit_heads h set number = 3, hash = b.hash from audit_batches b
      where h.tenant_id = $1 and b.tenant_id = $1 and b.number = 3`);
    expect(await faultsOf()).toEqual(['the head is not the one that was anchored']);
    await tenant.get('/tenant/me/api-keys');
    await chainAll(api);
    expect(await faultsOf()).toEqual(['the head is not the one that was anchored']);
    await asOwner('delete from audit_heads where tenant_id = $1');
    expect(await faultsOf()).toEqual(['its head is missing']);
  });

  test('a last entry that was forged, before it is chained and after', async () => {
    await logged();
    const forge = `insert into audit_entries (tenant_id, id, created_at, operation, actor, operator, parameters, requests, mac)
      select tenant_id, gen_random_uuid(), created_at, operation, actor, operator, parameters, requests, mac from audit_entries
      where tenant_id = $1 order by position desc limit 1`;
    await asOwner(forge);
    expect(await faultsOf()).toEqual([expect.stringMatching(/^entry .* was changed or forged$/)]);
    await chainAll(api);
    expect(await faultsOf()).toEqual([expect.stringMatching(/^entry .* was changed or forged$/)]);
  });

  test('an entry that was removed from the middle', async () => {
    await logged();
    await asOwner(`delete from audit_entries where tenant_id = $1 and id = ${entry(2)}`);
    expect(await faultsOf()).toEqual(['batch 2 has 1 entries instead of 2']);
  });

  test('a batch that was removed with its entries', async () => {
    await logged();
    await asOwner(
      `delete from audit_entries where id in (${entry(1)}, ${entry(2)})`,
      'delete from audit_batches where tenant_id = $1 and number = 2',
    );
    expect(await faultsOf()).toContain('batch 2 is missing');
  });

  test.each([
    `operation = 'getTenant'`,
    `created_at = created_at + interval '1 day'`,
    `created_at = 'infinity'`,
    `parameters = '{"x": null}'`,
    `origin = origin || 'x'`,
    'requests = 2',
    'record_id = id::text',
    "mac = decode(repeat('00', 36), 'hex')",
    `parameters = (repeat('[', 5000) || repeat(']', 5000))::jsonb`,
  ])('an entry of which was changed: %s', async (change) => {
    await logged();
    await asOwner(`update audit_entries set ${change} where tenant_id = $1 and id = ${entry(3)}`);
    expect(await faultsOf()).toContainEqual(expect.stringMatching(/^entry .* was changed or forged$/));
  });

  test('entries that changed places, or went to another tenant', async () => {
    await logged();
    await asOwner(
      `create table swapped as select id, (case when id = ${entry(1)} then (select xid from audit_entries where id = ${entry(2)})
         else (select xid from audit_entries where id = ${entry(1)}) end) as xid
       from audit_entries where id in (${entry(1)}, ${entry(2)})`,
      'update audit_entries e set xid = s.xid from swapped s where e.id = s.id',
      'drop table swapped',
    );
    expect(await faultsOf()).toEqual(['batch 2 does not fit its entries and the batch before']);
    await asOwner(
      `update audit_entries set tenant_id = '0190d1a2-7b3c-7def-8123-456789abcdef' where id = ${entry(4)}`,
    );
    expect(await faultsOf('0190d1a2-7b3c-7def-8123-456789abcdef')).toEqual([
      expect.stringMatching(/^entry .* was changed or forged$/),
      expect.stringMatching(/^entry .* is placed where chaining has passed$/),
    ]);
    await asOwner(`delete from audit_entries where tenant_id = '0190d1a2-7b3c-7def-8123-456789abcdef'`);
  });

  test.each([
    'entries = 3',
    `hash = '\\x00'`,
    `created_at = created_at + interval '1 s'`,
    `created_at = 'infinity'`,
    'position = position - 1',
    'hash = null',
  ])('a batch of which was changed: %s', async (change) => {
    await logged();
    await asOwner(
      'alter table audit_batches alter hash drop not null',
      `update audit_batches set ${change} where tenant_id = $1 and number = 3`,
    );
    expect(await faultsOf()).toContainEqual(expect.stringMatching(/^batch [34] |^it cannot be read/));
  });
});

// Behind it no entry of any log would be chained, and whoever removes one later leaves no trace.
test.each(['epoch = epoch + 1', 'position = position + 1', `xid = '99999999999'`])(
  'a last batch that says that it ends later: %s',
  async (change) => {
    await logged();
    await asOwner(`update audit_batches set ${change} where tenant_id = $1 and number = 4`);
    const found = await faultsOf();
    await asOwner(
      `update audit_batches b set (epoch, xid, position) = (select epoch, xid, position from audit_entries
         where tenant_id = $1 order by epoch desc, xid desc, position desc limit 1) where tenant_id = $1 and number = 4`,
    );
    expect(found).toEqual(['batch 4 does not end with its last entry']);
    expect(await faultsOf()).toEqual([]);
  },
);

// Chaining goes on behind the last batch of all: behind such a row nothing is chained, and whoever removes an entry later leaves no trace.
test.each<[string, string, string]>([
  ['of number 0', '0, tenant_id', 'of this tenant'],
  ['without a number', 'null::int, tenant_id', 'of this tenant'],
  ['of no tenant', 'number, null::uuid', 'of the deployment'],
])('a batch %s that was added, which no log has', async (_what, columns) => {
  await logged();
  await withoutKeys(async () => {
    await asOwner(
      `insert into audit_batches (number, tenant_id, entries, epoch, xid, position, hash, created_at)
       select ${columns}, entries, 2147483647, xid, position, hash, created_at from audit_batches where tenant_id = $1 and number = 4`,
    );
    const { faults } = await checkAuditLogs(api.db);
    await asOwner('delete from audit_batches where epoch = 2147483647');
    const id = columns.endsWith('uuid') ? OPERATORS : tenant.id;
    expect(faults).toContainEqual({ id, fault: 'a batch that is in no audit log' });
  });
  expect(await faultsOf()).toEqual([]);
});

test('a second batch of one number, and an entry that is stored twice', async () => {
  await logged();
  await withoutKeys(async () => {
    await asOwner(
      `insert into audit_batches select tenant_id, number, entries, 2147483647, xid, position, hash, created_at
       from audit_batches where tenant_id = $1 and number = 2`,
    );
    const batches = await faultsOf();
    await asOwner('delete from audit_batches where epoch = 2147483647');
    expect(batches).toContain('two batches of one number in an audit log');
    await asOwner(
      `insert into audit_entries (tenant_id, id, created_at, operation, actor, operator, parameters, requests, mac)
       select tenant_id, id, created_at, operation, actor, operator, parameters, requests, mac from audit_entries
       where tenant_id = $1 order by position desc limit 1`,
    );
    const entries = await faultsOf();
    await asOwner(
      `delete from audit_entries where tenant_id = $1 and position = (select max(position) from audit_entries where tenant_id = $1)`,
    );
    expect(entries).toContain('two entries of one id in an audit log');
  });
  expect(await faultsOf()).toEqual([]);
});

test('entries that are placed ahead, where none is chained before they are removed', async () => {
  await logged();
  await database.pool.query('alter table audit_entries alter epoch set default 2147483647');
  try {
    await tenant.get('/tenant/me/api-keys');
    await eventually(
      async () => await faultsOf(),
      (faults) => faults.length > 0,
    );
    await chainWhatIsClosed(api);
    expect(await faultsOf()).toEqual([
      expect.stringMatching(/^entry [-0-9a-f]+ is placed where none is chained yet$/),
    ]);
  } finally {
    await database.pool.query('alter table audit_entries alter epoch set default take_feed_epoch()');
    await asOwner('delete from audit_entries where epoch = 2147483647');
  }
  expect(await faultsOf()).toEqual([]);
});

/** Does something once the keys of the tables are dropped, which are made again. */
async function withoutKeys(work: () => Promise<void>): Promise<void> {
  await database.pool
    .query(`alter table audit_batches drop constraint audit_batches_pkey, alter number drop not null, alter tenant_id drop not null;
    alter table audit_entries drop constraint audit_entries_pkey`);
  try {
    await work();
  } finally {
    await database.pool.query(`alter table audit_batches add primary key (tenant_id, number);
      alter table audit_entries add primary key (tenant_id, id)`);
  }
}

test('a head whose time was moved, by which later batches are in no seal, before the next batch and after', async () => {
  await logged();
  await asOwner(`update audit_heads set created_at = now() + interval '2 years' where tenant_id = $1`);
  expect(await faultsOf()).toEqual(['the head does not fit the last batch']);
  await tenant.get('/tenant/me/api-keys');
  await chainAll(api);
  expect(await faultsOf()).toEqual(['batch 5 is of a time to come']);
});

test('nobody else can change, remove or empty what was logged', async () => {
  for (const table of ['audit_entries', 'audit_batches'])
    for (const text of [
      `update ${table} set tenant_id = tenant_id`,
      `delete from ${table}`,
      `truncate ${table}`,
    ])
      await expect(database.pool.query(text)).rejects.toThrow('audit logs are immutable');
});

describe('chaining', () => {
  test('waits for an entry whose transaction began before and is still open; nothing is chained twice', async () => {
    await chainAll(api);
    await withConnection(database.pool, async (open) => {
      await open.query('begin');
      await open.query('select pg_current_xact_id()');
      await tenant.get('/tenant/me/api-keys');
      await chainWhatIsClosed(api);
      const { rowCount } = await database.pool.query('select from audit_batches where tenant_id = $1', [
        tenant.id,
      ]);
      // What the operator did before.
      expect(rowCount).toBe(1);
      await open.query('commit');
    });
    await Promise.all([chainAll(api), chainAll(api), chainAll(api)]);
    await chainAll(api);
    const { rows } = await database.pool.query<{ number: number; entries: number }>(
      'select number, entries from audit_batches where tenant_id = $1 order by number',
      [tenant.id],
    );
    expect(rows).toEqual([
      { number: 1, entries: 1 },
      { number: 2, entries: 1 },
    ]);
    expect(await faultsOf()).toEqual([]);
  });
});

test('a log that is put back as a whole is found by the seal of its day; verify-events says all of it', async () => {
  await tenant.get('/tenant/me/api-keys');
  await chainAll(api);
  const tables = ['audit_entries', 'audit_batches', 'audit_heads'];
  for (const table of tables)
    await database.pool.query(`create table ${table}_then as select * from ${table}`);
  for (const _ of [1, 2]) await auditLog(tenant);
  await chainAll(api);
  const now = addMs(startOf(dayOf(new Date())), DAY_MS + HOUR_MS);
  while (await sealRound({ db: api.db, now: () => now, notifyWorkflows: () => undefined }));
  const seals = async () =>
    (await checkSeals(api.db, addMs(now, HOUR_MS))).faults.map(({ id, fault }) => `${id} ${fault}`);
  expect(await seals()).toEqual([]);
  await asOwner(
    ...tables.map((table) => `delete from ${table}`),
    ...tables.map((table) => `insert into ${table} select * from ${table}_then`),
  );
  expect(await faultsOf()).toEqual([]);
  expect(await seals()).toContainEqual(
    expect.stringMatching(new RegExp(`^${tenant.id} .* does not fit the audit log of that day$`)),
  );
  await asOwner(`delete from audit_entries where tenant_id = $1`);
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.url, MASTER_KEY: api.config.MASTER_KEY };
  const run = promisify(execFile)(process.execPath, [join(projectRoot, 'dist/commands/verify-events.js')], {
    env,
  });
  const { code, stdout } = (await run.catch((error: unknown) => error)) as { code: number; stdout: string };
  expect(code).toBe(1);
  expect(stdout).toContain(
    `${tenant.id}: the audit log of this tenant: batch 1 has 0 entries instead of 2\n`,
  );
});
