import knex, { type Knex } from 'knex';
import { down, up } from '../../../db/migrations/20261122_0024_store_facts.ts';
import * as filterWorkQueues from '../../../db/migrations/20261122_0041_filter_work_queues.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

/** A row of the version before: its columns as SQL assignments, and its sub_status. */
interface OldRow {
  name: string;
  columns: string;
  subStatus: string | null;
  /** The sub_status after the migration, where it differs. */
  derived?: string | null;
}

const SENT = `direction = 'OUTGOING', message_source = 'NATIVE'`;
const RECEIVED = `direction = 'INCOMING', message_source = 'NATIVE', status = 'DELIVERED', deadline_at = null`;
const PAYOUT = `destination_type = 'NON_CUSTODIAL', deadline_at = null`;
const DEPOSIT = `direction = 'INCOMING', origin_type = 'NON_CUSTODIAL', message_source = 'MANUAL', deadline_at = null`;
const HASH = `transaction_hash = 'abc', hash_normal = 'abc'`;

const ROWS: OldRow[] = [
  { name: 'new', columns: `status = 'PENDING'`, subStatus: 'ROUTING' },
  { name: 'unrouted', columns: `status = 'PENDING'`, subStatus: 'VASP_NOT_FOUND' },
  { name: 'unreachable', columns: `status = 'PENDING'`, subStatus: 'VASP_NOT_REACHABLE' },
  { name: 'held', columns: `status = 'PENDING', hold = 'RULE'`, subStatus: 'ON_HOLD' },
  { name: 'waiting', columns: `wake_at = '2030-01-01', screening_state = 'DUE'`, subStatus: 'WAITING' },
  { name: 'waiting here', columns: `${RECEIVED}, wake_at = '2030-01-01'`, subStatus: 'WAITING' },
  { name: 'waiting without an alarm', columns: `wake_at = null`, subStatus: 'WAITING' },
  { name: 'screening', columns: `screening_state = 'DUE'`, subStatus: 'SCREENING' },
  { name: 'screening here', columns: `${RECEIVED}, screening_state = 'DUE'`, subStatus: 'SCREENING' },
  { name: 'payout to prove', columns: PAYOUT, subStatus: 'OWNERSHIP_UNCONFIRMED' },
  { name: 'deposit to prove', columns: DEPOSIT, subStatus: 'OWNERSHIP_UNCONFIRMED' },
  { name: 'sealed', columns: `${RECEIVED}, sealed = true`, subStatus: 'OWNERSHIP_UNCONFIRMED' },
  {
    name: 'sealed and held',
    columns: `${RECEIVED}, sealed = true, hold = 'SANCTIONS'`,
    subStatus: 'OWNERSHIP_UNCONFIRMED',
  },
  { name: 'received', columns: RECEIVED, subStatus: 'ON_HOLD' },
  { name: 'sent', columns: `${SENT}, status = 'DELIVERED'`, subStatus: 'AWAITING_COUNTERPARTY' },
  {
    name: 'sent and held',
    columns: `${SENT}, status = 'DELIVERED', hold = 'SANCTIONS'`,
    subStatus: 'ON_HOLD',
  },
  { name: 'expired', columns: `${SENT}, status = 'DELIVERED', deadline_at = null`, subStatus: 'EXPIRED' },
  { name: 'failed', columns: `status = 'FAILED', deadline_at = null`, subStatus: 'EXPIRED' },
  {
    name: 'failed, unreachable',
    columns: `status = 'FAILED', deadline_at = null`,
    subStatus: 'VASP_NOT_REACHABLE',
  },
  { name: 'confirmed', columns: `${SENT}, status = 'CONFIRMED', ${HASH}`, subStatus: null },
  {
    name: 'confirmed, no hash',
    columns: `${SENT}, status = 'CONFIRMED'`,
    subStatus: 'AWAITING_TRANSACTION_HASH',
  },
  { name: 'blocked by a rule', columns: `status = 'CANCELLED'`, subStatus: 'BLOCKED_BY_RULE' },
  {
    name: 'stopped by a reviewer',
    columns: `${SENT}, status = 'CONFIRMED', ${HASH}`,
    subStatus: 'BLOCKED_BY_RULE',
    derived: 'BLOCKED_BY_REVIEW',
  },
  {
    name: 'stopped by a reviewer here',
    columns: `${RECEIVED}, status = 'CONFIRMED'`.replace(`status = 'DELIVERED', `, ''),
    subStatus: 'BLOCKED_BY_RULE',
    derived: 'BLOCKED_BY_REVIEW',
  },
  { name: 'cancelled', columns: `${SENT}, status = 'CANCELLED'`, subStatus: null },
  {
    name: 'declined',
    columns: `${SENT}, status = 'DECLINED', status_reason_code = 'OTHER'`,
    subStatus: null,
  },
  { name: 'recorded', columns: `direction = 'INCOMING', message_source = 'MANUAL'`, subStatus: null },
  // The version before showed neither the missing hash of a self-hosted transfer nor a hold on a confirmed one.
  {
    name: 'payout, confirmed without a hash',
    columns: `${PAYOUT}, status = 'CONFIRMED'`,
    subStatus: null,
    derived: 'AWAITING_TRANSACTION_HASH',
  },
  {
    name: 'confirmed and held',
    columns: `${SENT}, status = 'CONFIRMED', hold = 'SANCTIONS', ${HASH}`,
    subStatus: null,
    derived: 'ON_HOLD',
  },
  {
    name: 'expired and held',
    columns: `${SENT}, status = 'DELIVERED', deadline_at = null, hold = 'SANCTIONS'`,
    subStatus: 'ON_HOLD',
  },
];

describe('migration 0024 on rows of the version before', () => {
  const idOf = new Map<string, string>();
  let db: Knex;

  beforeAll(async () => {
    for (const { name } of ROWS) idOf.set(name, (await createTransaction(tenant)).id);
    db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
    await goDown();
    for (const { name, columns, subStatus } of ROWS) {
      await db.raw(`update transactions set ${columns}, sub_status = ? where id = ?`, [
        subStatus,
        idOf.get(name) ?? '',
      ]);
    }
    await goUp();
  });
  afterAll(async () => await db.destroy());

  /** The columns of 0041 are computed from those of 0024, so they go first and come last. */
  async function goDown(): Promise<void> {
    await db.transaction(filterWorkQueues.down);
    await db.transaction(down);
  }

  async function goUp(): Promise<void> {
    await db.transaction(up);
    await db.transaction(filterWorkQueues.up);
  }

  async function column(name: string, of: string): Promise<unknown> {
    const { rows } = await database.pool.query<{ value: unknown }>(
      `select ${name} as value from transactions where id = $1`,
      [idOf.get(of)],
    );
    return rows[0]?.value;
  }

  test.each(ROWS)('keeps the subStatus: $name', async ({ name, subStatus, derived = subStatus }) => {
    expect(await column('sub_status', name)).toBe(derived);
  });

  test('stores the end of a wait and who blocked the transaction', async () => {
    expect(await column('rule_wait_until', 'waiting')).toEqual(new Date('2030-01-01'));
    expect(await column('rule_wait_until', 'waiting without an alarm')).toEqual(
      await column('updated_at', 'waiting without an alarm'),
    );
    expect(await column('blocked_by', 'blocked by a rule')).toBe('RULE');
    expect(await column('blocked_by', 'stopped by a reviewer')).toBe('REVIEW');
  });

  test('marks a held message as expired if its deadline has passed', async () => {
    await database.pool.query('update transactions set hold = null where id = $1', [
      idOf.get('expired and held'),
    ]);
    expect(await column('sub_status', 'expired and held')).toBe('EXPIRED');
    await database.pool.query(`update transactions set hold = 'SANCTIONS' where id = $1`, [
      idOf.get('expired and held'),
    ]);
  });

  test('refuses to write sub_status', async () => {
    const write = database.pool.query(`update transactions set sub_status = 'ON_HOLD'`);
    await expect(write).rejects.toThrow('can only be updated to DEFAULT');
  });

  test.each(['up', 'down'])('has the indexes over sub_status after %s', async (way) => {
    if (way === 'down') await goDown();
    const { rows } = await database.pool.query<{ indexname: string }>(
      `select indexname from pg_indexes where tablename = 'transactions' and indexdef like '%sub_status%' order by 1`,
    );
    if (way === 'down') await goUp();
    expect(rows.map(({ indexname }) => indexname)).toEqual([
      'transactions_counterparty',
      'transactions_unrouted_destination',
      'transactions_unrouted_vasp',
    ]);
  });

  test('restores sub_status on the way down', async () => {
    await goDown();
    const words = new Map<string, unknown>();
    for (const { name } of ROWS) words.set(name, await column('sub_status', name));
    await goUp();
    const expected = ROWS.map(({ name, subStatus, derived }) => [
      name,
      derived === undefined || derived === 'BLOCKED_BY_REVIEW' ? subStatus : derived,
    ]);
    expect([...words]).toEqual(expected);
  });
});
