import { checkAuditLogs } from '../../../db/audit/check-audit-logs.ts';
import { auditEntryWriter } from '../../../db/audit/write-entry.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { eventually } from '../../eventually.ts';
import { auditLog, chainAll, chainWhatIsClosed } from '../../factories/audit.ts';
import { unguarded } from '../../factories/tampering.ts';
import { createTenant } from '../../factories/tenant.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// An entry says itself where it is in the order of the chain, and the role of the service may add one with any place.
const { api, database } = useApi();
const tenant = useTenantPerTest(api);

const faultsOf = async (): Promise<string[]> =>
  (await checkAuditLogs(api.db)).faults
    .filter(({ id }) => id === tenant.id)
    .map(({ fault }) => fault.replace('the audit log of this tenant: ', ''));

const BEFORE = 'an entry that is placed before the beginning of an audit log';

/** Adds, with all guards on, one of the tenant's entries again: of another id, content and place, and with a MAC that nobody has made. */
async function forge(place: string, which: string): Promise<void> {
  await database.pool.query(
    `insert into audit_entries
       (tenant_id, id, created_at, operation, actor, operator, parameters, requests, mac, epoch, xid, position)
     select tenant_id, overlay(id::text placing 'ffff' from 33)::uuid, created_at, 'deleteTransaction', 'OPERATOR', 'mallory',
       parameters, 1, '\\x00', ${place} from audit_entries where tenant_id = $1 ${which}`,
    [tenant.id],
  );
}

const LAST = 'order by position desc limit 1';

test.each(["-2, '5', 1", "-1, '0', 0", "-1, '0', -5", '-2147483648, pg_current_xact_id(), 7'])(
  'a forged entry before the beginning of a log, which its tenant is shown: %s',
  async (place) => {
    await tenant.get('/tenant/me/api-keys');
    await chainAll(api);
    await forge(place, LAST);
    expect((await auditLog(tenant)).map(({ operation }) => operation)).toContain('deleteTransaction');
    expect(await faultsOf()).toEqual([BEFORE]);
  },
);

/** Writes so many entries at once. */
async function writeEntries(count: number): Promise<void> {
  const write = auditEntryWriter(api.db);
  const actor = { kind: 'OPERATOR', name: 'ada' } as const;
  const counted = { status: 200, code: null, recordId: null, items: null, parameters: {}, hour: null };
  await inTransaction(database.pool, async (tx) => {
    for (let made = 0; made < count; made += 1)
      await write(
        tx,
        { tenantId: tenant.id, actor, operation: 'getTenant', origin: null, requests: 1, ...counted },
        new Date(),
      );
  });
}

test('a forged entry at the place of another one, which the walk along the log steps over where it pauses', async () => {
  await writeEntries(1_010);
  await chainAll(api);
  expect(await faultsOf()).toEqual([]);
  await forge('epoch, xid, position', 'order by epoch, xid, position offset 999 limit 1');
  expect(await faultsOf()).toContain('two entries of one place in an audit log');
});

/**
 * The owner gives the place of entries other defaults, so that those the service writes are genuine. They must be found for as long as they
 * are there: nothing tells when they are removed later.
 */
async function whileDefaults(changed: string, work: () => Promise<void>): Promise<void> {
  const idsOf = async () =>
    (
      await database.pool.query<{ id: string }>('select id from audit_entries where tenant_id = $1', [
        tenant.id,
      ])
    ).rows.map(({ id }) => id);
  const before = await idsOf();
  await database.pool.query(`alter table audit_entries ${changed}`);
  try {
    await tenant.get('/tenant/me/api-keys');
    await eventually(idsOf, ({ length }) => length > before.length);
    await chainWhatIsClosed(api);
    await work();
  } finally {
    await unguarded(
      database.pool,
      async () =>
        await database.pool.query(
          'delete from audit_entries where tenant_id = $1 and id <> all($2::uuid[])',
          [tenant.id, before],
        ),
    );
    await database.pool
      .query(`alter table audit_entries alter epoch set default take_feed_epoch(), alter epoch set not null,
      alter xid set default pg_current_xact_id(), alter xid set not null, alter position set default nextval('audit_entries_position_seq')`);
  }
}

test.each([
  'alter epoch set default -7',
  'alter epoch drop not null, alter epoch set default null',
  'alter xid drop not null, alter xid set default null',
])('a genuine entry that is placed before the beginning by the owner of the tables: %s', async (changed) => {
  await tenant.get('/tenant/me/api-keys');
  await chainAll(api);
  await whileDefaults(changed, async () => expect(await faultsOf()).toContain(BEFORE));
  expect(await faultsOf()).toEqual([]);
});

test('a genuine entry behind the end of its log, but before that of the last batch of all logs, where it is never chained', async () => {
  await tenant.get('/tenant/me/api-keys');
  await chainAll(api);
  const other = await createTenant(api);
  await other.get('/tenant/me/api-keys');
  await chainAll(api);
  const { rows } = await database.pool.query<{ xid: string }>(
    'select xid::text from audit_batches b order by b.epoch desc, b.xid desc, b.position desc limit 1',
  );
  const place = `alter xid set default '${rows[0]?.xid}', alter position set default 1`;
  await whileDefaults(place, async () =>
    expect(await faultsOf()).toEqual([
      expect.stringMatching(/^entry .* is placed where chaining has passed$/),
    ]),
  );
  expect(await faultsOf()).toEqual([]);
});
