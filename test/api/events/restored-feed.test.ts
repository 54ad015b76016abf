import knex from 'knex';
import * as keepAuditLog from '../../../db/migrations/20261122_0062_keep_audit_log.ts';
import * as keepFeedEpochs from '../../../db/migrations/20261122_0036_keep_feed_epochs.ts';
import * as logWallets from '../../../db/migrations/20261122_0037_log_wallets.ts';
import type { ChangeFeed } from '../../../domain/events/feed.ts';
import { readFeed } from '../../factories/change-feed.ts';
import { createTransaction, evmAddress, registerWallet } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);

const create = async () => (await createTransaction(tenant)).id;
const read = async (query: string) => (await tenant.get<ChangeFeed>(`/events${query}`)).body;
const idsOf = ({ events }: ChangeFeed) => events.map(({ id }) => id);
/** A cursor of the time when they were readable. */
const cursor = (text: string) => Buffer.from(text).toString('base64url');

beforeEach(async () => {
  await database.pool.query(`update deployment set feed_cursors_sealed_at = now() + interval '1 day'`);
});

/**
 * Leaves the database as a restore into this cluster would: every event so far was written in a cluster with another
 * identifier, which had counted a million million transactions more.
 */
async function restore(): Promise<void> {
  await database.pool.query(`
    update feed_epochs set system_identifier = system_identifier - 1
      where epoch = (select max(epoch) from feed_epochs);
    alter table events disable trigger user;
    update events set xid = (xid::text::bigint + 1000000000000)::text::xid8
      where epoch = (select max(epoch) from feed_epochs);
    alter table events enable trigger user;
  `);
}

interface StoredPlace {
  epoch: number;
  xid: string;
  position: number;
}

async function placeOf(id: string): Promise<StoredPlace> {
  const { rows } = await database.pool.query<StoredPlace>(
    'select epoch, xid::text, position from events where subject_id = $1',
    [id],
  );
  if (!rows[0]) throw new Error('the record has no event');
  return rows[0];
}

describe('the change feed of a database that was restored into another cluster', () => {
  test('shows what was written before, and what is written now after it', async () => {
    const before = [await create(), await create(), await create()];
    await restore();
    expect(idsOf(await read(''))).toEqual(before);
    const after = [await create(), await create()];
    const whole = await readFeed(tenant, ({ length }) => length >= 5);
    expect(idsOf(whole)).toEqual([...before, ...after]);
    expect((await placeOf(after[0] ?? '')).epoch).toBe((await placeOf(before[0] ?? '')).epoch + 1);
    expect(BigInt((await placeOf(after[0] ?? '')).xid)).toBeLessThan(
      BigInt((await placeOf(before[0] ?? '')).xid),
    );
  });

  test.each([
    ['a cursor', ({ epoch, xid, position }: StoredPlace) => `${epoch}.${xid}.${position}`],
    ['a cursor without an epoch', ({ xid, position }: StoredPlace) => `${xid}.${position}`],
  ])('%s of before goes on where it stood', async (_name, textOf) => {
    const before = [await create(), await create(), await create()];
    await restore();
    const after = cursor(textOf(await placeOf(before[1] ?? '')));
    expect(idsOf(await read(`?_after=${after}`))).toEqual([before[2]]);
    const fresh = await create();
    await readFeed(tenant, ({ length }) => length >= 4);
    const rest = await read(`?_after=${after}`);
    expect(idsOf(rest)).toEqual([before[2], fresh]);
    expect(await read(`?_after=${rest.nextCursor}`)).toEqual({ events: [], nextCursor: rest.nextCursor });
  });

  test('back in a cluster that it was in before, it begins an epoch again', async () => {
    const ids: string[] = [];
    for (let cluster = 0; cluster < 3; cluster += 1) {
      ids.push(await create());
      await restore();
    }
    ids.push(await create());
    const whole = await readFeed(tenant, ({ length }) => length >= 4);
    expect(idsOf(whole)).toEqual(ids);
    const epochs = await Promise.all(ids.map(async (id) => (await placeOf(id)).epoch));
    const [first = 0] = epochs;
    expect(epochs).toEqual([first, first + 1, first + 2, first + 3]);
  });

  test('many first writers at once begin one epoch, and what is open holds back what comes after it', async () => {
    const before = await create();
    await restore();
    const client = await database.pool.connect();
    await client.query('begin');
    await client.query('select pg_current_xact_id()');
    const ids = await Promise.all(Array.from({ length: 20 }, create));
    expect(idsOf(await read(''))).toEqual([before]);
    await client.query('commit');
    client.release();
    const whole = await readFeed(tenant, ({ length }) => length >= 21);
    expect(new Set(idsOf(whole))).toEqual(new Set([before, ...ids]));
    const epochs = await Promise.all(ids.map(async (id) => (await placeOf(id)).epoch));
    expect(new Set(epochs).size).toBe(1);
  });

  test('400: a place of another epoch is none', async () => {
    const id = await create();
    const { epoch, xid, position } = await placeOf(id);
    const answer = await tenant.get(`/events?_after=${cursor(`${epoch + 1}.${xid}.${position}`)}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: 'unknown_cursor' }] } });
  });
});

describe('a database that was put back in the same cluster, which counts again and gives places anew', () => {
  const refused = { status: 400, body: { errors: [{ pointer: '/_after', code: 'unknown_cursor' }] } };
  const untagged = ({ epoch, xid, position }: StoredPlace) => cursor(`${epoch}.${xid}.${position}`);

  /** Gives the place of a lost event to the event of another record, and the lost one is gone. */
  async function replace(lost: string, fresh: string): Promise<void> {
    await database.pool.query('alter table events disable trigger user');
    await database.pool.query(
      `with gone as (delete from events where subject_id = $1 returning epoch, xid, position),
         moved as (delete from events where subject_id = $2 returning *)
       insert into events overriding system value
       select (jsonb_populate_record(null::events, to_jsonb(moved) || to_jsonb(gone))).* from gone, moved`,
      [lost, fresh],
    );
    await database.pool.query('alter table events enable trigger user');
  }

  test('400: the cursor of a lost event is none of the event that has its place; one of a kept event goes on', async () => {
    const [kept, lost] = [await create(), await create()];
    const [keptEvent, lostEvent] = (await readFeed(tenant, ({ length }) => length >= 2)).events;
    const fresh = await create();
    const place = await placeOf(lost);
    await replace(lost, fresh);
    expect(await placeOf(fresh)).toEqual(place);
    const later = await create();
    const whole = await readFeed(tenant, ({ length }) => length >= 3);
    expect(idsOf(whole)).toEqual([kept, fresh, later]);
    expect(await tenant.get(`/events?_after=${lostEvent?.cursor}`)).toMatchObject(refused);
    expect(idsOf(await read(`?_after=${keptEvent?.cursor}`))).toEqual([fresh, later]);
    expect(idsOf(await read(`?_after=${whole.events[1]?.cursor}`))).toEqual([later]);
    expect(idsOf(await read(`?_after=${untagged(place)}`))).toEqual([later]);
  });

  test.each(['type', 'version', 'created_at'])(
    '400: the cursor of a lost change of a wallet, where the one in its place has another %s',
    async (column) => {
      await registerWallet(tenant, evmAddress());
      const { events } = await readFeed(tenant, ({ length }) => length >= 1);
      const given = events[0]?.cursor ?? '';
      expect(await read(`?_after=${given}`)).toEqual({ events: [], nextCursor: given });
      const other = { type: "'DELETED'", version: 'version + 1', created_at: "created_at + interval '1 ms'" };
      await database.pool.query(
        `update feed_entries set ${column} = ${other[column as keyof typeof other]} where tenant_id = $1`,
        [tenant.id],
      );
      expect(await tenant.get(`/events?_after=${given}`)).toMatchObject(refused);
      const { rows } = await database.pool.query<StoredPlace>(
        'select epoch, xid::text, position from feed_entries where tenant_id = $1',
        [tenant.id],
      );
      expect((await tenant.get(`/events?_after=${untagged(rows[0] as StoredPlace)}`)).status).toBe(200);
    },
  );
});

test('migration 0036: events of before come first, and their cursors go on being read', async () => {
  const before = [await create(), await create()];
  const db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
  await db.transaction(keepAuditLog.down);
  await db.transaction(logWallets.down);
  await db.transaction(keepFeedEpochs.down);
  const { rows } = await db.raw<{ rows: StoredPlace[] }>(
    'select xid::text, position from events where subject_id = ?',
    [before[0] ?? ''],
  );
  const after = cursor(`${rows[0]?.xid}.${rows[0]?.position}`);
  await db.transaction(keepFeedEpochs.up);
  await db.transaction(logWallets.up);
  await db.transaction(keepAuditLog.up);
  await db.destroy();
  const fresh = await create();
  expect(idsOf(await readFeed(tenant, ({ length }) => length >= 3))).toEqual([...before, fresh]);
  expect(idsOf(await read(`?_after=${after}`))).toEqual([before[1], fresh]);
  expect([(await placeOf(before[0] ?? '')).epoch, (await placeOf(fresh)).epoch]).toEqual([0, 1]);
});

test('the next changes are read from the indexes alone, in order, however many there are', async () => {
  const statements: { text: string; values: unknown[] }[] = [];
  const { listChanges } = await import('../../../db/events/list-changes.ts');
  await listChanges(
    {
      query: async (text: string, values: unknown[]) => {
        statements.push({ text, values });
        return await Promise.resolve({ rows: [] });
      },
    } as never,
    tenant.id,
    { epoch: 1, xid: '700', position: 5, tag: '' },
    100,
  );
  const [statement] = statements;
  if (!statement) throw new Error('nothing was asked');
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    await client.query('set local enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain ${statement.text}`,
      statement.values,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index (Only )?Scan using events_in_order/);
    expect(plan).toMatch(/Index (Only )?Scan using feed_entries_pkey/);
    const bounds = plan.match(/Index Cond: .*tenant_id.*ROW\(epoch, xid, .*ROW\(epoch, xid\).*/g);
    expect(bounds).toHaveLength(2);
    expect(plan).not.toContain('Filter:');
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('a readable cursor counts for the changes of the time when they were readable', async () => {
  const ids = [await create(), await create()];
  await readFeed(tenant, ({ length }) => length >= 2);
  const { epoch, xid, position } = await placeOf(ids[0] ?? '');
  const after = cursor(`${epoch}.${xid}.${position}`);
  expect(idsOf(await read(`?_after=${after}`))).toEqual([ids[1]]);
  await database.pool.query(`update deployment set feed_cursors_sealed_at = now() - interval '1 day'`);
  expect((await tenant.get(`/events?_after=${after}`)).status).toBe(400);
});
