import { execFile } from 'node:child_process';
import { queueOverdue, walkUnfinished } from '../../worker/reconcile.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { bulkDeliveries, bulkTenants, bulkTransactions } from '../factories/bulk-rows.ts';

const FULL = 10_000;
const OVERDUE = `now() - interval '2 minutes'`;
const NOT_YET = `now() - interval '58 seconds'`;
const FAR_OFF = `now() + interval '90 days'`;
const FINISHED = 'null::timestamptz';

let database: TestDatabase;
let tenants: string[];
beforeEach(async () => {
  database = await testDatabase();
  tenants = await bulkTenants(database.pool, 3);
});
afterEach(async () => await database.drop());

const transactions = async (count: number, wakeAt: string) =>
  await bulkTransactions(database.pool, tenants, { count, wakeAt });
const deliveries = async (count: number, wakeAt: string) =>
  await bulkDeliveries(database.pool, tenants, { count, wakeAt, createdAt: 'now()', finishedAt: 'now()' });

async function fillOutbox(count: number): Promise<void> {
  await database.pool.query(
    `insert into outbox (tenant_id, workflow, subject_id, summary, due_at)
     select gen_random_uuid(), 'transactionLifecycle', gen_random_uuid(), 'other', now() from generate_series(1, $1::int)`,
    [count],
  );
}

async function countOutbox(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from outbox where summary <> 'other'`,
  );
  return rows[0]?.count ?? 0;
}

const emptyOutbox = async () => await database.pool.query('delete from outbox');

describe('what is overdue by a minute', () => {
  test('is queued once; what is due later, or finished, is left alone', async () => {
    await transactions(3, OVERDUE);
    await deliveries(4, OVERDUE);
    for (const wakeAt of [NOT_YET, FAR_OFF, FINISHED]) {
      await transactions(5, wakeAt);
      await deliveries(5, wakeAt);
    }
    expect(await queueOverdue(database.pool)).toMatchObject({ transaction: 3, webhook_delivery: 4 });
    expect(await queueOverdue(database.pool)).toMatchObject({ transaction: 0, webhook_delivery: 0 });
    const { rows } = await database.pool.query(
      `select o.workflow, o.summary, count(*)::int as count, bool_and(o.due_at <= now()) as due,
         bool_and(o.tenant_id = coalesce(t.tenant_id, d.tenant_id)) as own
       from outbox o left join transactions t on t.id = o.subject_id left join webhook_deliveries d on d.id = o.subject_id
       group by 1, 2 order by 1`,
    );
    expect(rows).toEqual([
      { workflow: 'transactionLifecycle', summary: 'Outgoing ETH', count: 3, due: true, own: true },
      { workflow: 'webhookDelivery', summary: 'Webhook transaction', count: 4, due: true, own: true },
    ]);
  });

  test('is queued again when the first notification came to nothing', async () => {
    await transactions(2, OVERDUE);
    await queueOverdue(database.pool);
    await emptyOutbox();
    expect(await queueOverdue(database.pool)).toMatchObject({ transaction: 2 });
  });

  test('fills the outbox no further than it can be worked off, and no kind waits for the end of another', async () => {
    await transactions(3_000, OVERDUE);
    await deliveries(1_500, OVERDUE);
    await fillOutbox(FULL - 2_200);
    expect(await queueOverdue(database.pool)).toMatchObject({ transaction: 1_200, webhook_delivery: 1_000 });
    expect(await queueOverdue(database.pool)).toMatchObject({ transaction: 0, webhook_delivery: 0 });
    await emptyOutbox();
    expect(await queueOverdue(database.pool)).toMatchObject({ transaction: 3_000, webhook_delivery: 1_500 });
  });
});

test('a full range of webhooks that are to be sent again later is not in the way', async () => {
  await fillOutbox(FULL);
  await database.pool.query(`update outbox set due_at = now() + interval '5 minutes'`);
  await transactions(2, OVERDUE);
  expect(await queueOverdue(database.pool)).toMatchObject({ transaction: 2 });
});

describe('a walk over everything unfinished', () => {
  test('reaches every row once, whenever it is due, the most urgent first', async () => {
    await transactions(1_500, FAR_OFF);
    await transactions(700, OVERDUE);
    await transactions(10, FINISHED);
    await deliveries(1_100, FAR_OFF);
    await fillOutbox(FULL - 700);
    const walk = walkUnfinished(database.pool, { overdue: false });
    expect(await walk.next()).toBe(false);
    const { rows } = await database.pool.query<{ urgent: boolean }>(
      `select bool_and(t.wake_at < now()) as urgent from outbox o join transactions t on t.id = o.subject_id`,
    );
    expect(rows).toEqual([{ urgent: true }]);
    expect(await countOutbox()).toBe(700);
    // Told in the meantime: those rows have no outbox row any more, and are not queued again all the same.
    await emptyOutbox();
    expect(await walk.next()).toBe(true);
    expect(walk.queued).toMatchObject({ transaction: 2_200, webhook_delivery: 1_100 });
    expect(await countOutbox()).toBe(2_600);
  });
});

describe('the command', () => {
  function run(...argument: string[]): Promise<{ code: number; output: string }> {
    const env = { PATH: process.env['PATH'], DATABASE_URL: database.url };
    return new Promise((resolve) => {
      const argv = ['dist/commands/reconcile.js', ...argument];
      const child = execFile(process.execPath, argv, { env }, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, output: stdout + stderr });
      });
    });
  }

  test('outbox what is overdue, with --all everything that is unfinished', async () => {
    await transactions(2, OVERDUE);
    await deliveries(3, FAR_OFF);
    const output = (text: string) => expect.stringMatching(text) as unknown;
    const overdue = output('^Queued: .*\\btransaction 2, .*webhook_delivery 0');
    expect(await run()).toEqual({ code: 0, output: overdue });
    const rest = output('^Queued: .*\\btransaction 0, .*webhook_delivery 3');
    expect(await run('--all')).toEqual({ code: 0, output: rest });
    expect(await countOutbox()).toBe(5);
  });

  test('says how it is used when it is used otherwise', async () => {
    const { code, output } = await run('--every');
    expect(code).toBe(1);
    expect(output).toMatch(/^usage: reconcile \[--all\]/);
  });
});
