import type { Database } from '../../../db/database.ts';
import { findAnsweredClaims } from '../../../db/evidence/find-answered-claims.ts';
import { readExchanges } from '../../../db/evidence/read-exchanges.ts';
import { findRematched } from '../../../db/lifecycle/find-rematched.ts';
import { queuePortalUpdates } from '../../../db/mails/queue-portal-updates.ts';
import { newId } from '../../../db/new-id.ts';
import { insertTrpNotices } from '../../../db/transactions/insert-trp-notices.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { bulkClaims, bulkTransactions } from '../../factories/bulk-rows.ts';
import { useApi, useTenant } from '../../use-api.ts';

const ROWS = 25_000;
/** Pages of 8 kB that a statement may look at; each table has hundreds. */
const FEW_PAGES = 100;

const { api, database } = useApi();
const tenant = useTenant(api);
/** With a pool that nobody else asks. */
let db: Database;
/** The received record of a message that is exchanged by TRP. */
let received: TransactionRecord;
beforeAll(async () => {
  const { pool } = database;
  db = { ...api.db, pool };
  await bulkTransactions(pool, [tenant.id], { count: ROWS, wakeAt: 'null' });
  await bulkClaims(pool, [tenant.id], { count: ROWS, wakeAt: 'null' });
  await pool.query(`update claims set transaction_id = gen_random_uuid() where hash_normal::int % 2 = 0`);
  await pool.query(
    `insert into message_pairs (id, outgoing_tenant_id, outgoing_id, incoming_tenant_id, incoming_id, created_at)
     select gen_random_uuid(), tenant_id, id, tenant_id, lead(id, 1, id) over (order by id), now() from transactions
     on conflict do nothing`,
  );
  await pool.query(
    `insert into trp_transfers (id, tenant_id, direction, sent_id, request_identifier, token_hash, body_hash, sealed, created_at,
       updated_at)
     select gen_random_uuid(), outgoing_tenant_id, 'OUTGOING', outgoing_id, '', uuid_send(gen_random_uuid()), '', repeat('x', 300)::bytea,
       now(), now() from message_pairs`,
  );
  await pool.query(
    `insert into portal_links (id, tenant_id, transaction_id, claim_id, address, created_at, expires_at)
     select gen_random_uuid(), $1, case when n % 2 = 0 then gen_random_uuid() end, case when n % 2 = 1 then gen_random_uuid() end,
       repeat('x', 100)::bytea, now(), now() from generate_series(1, $2::int) n`,
    [tenant.id, ROWS],
  );
  await pool.query('vacuum (analyze) transactions, claims, message_pairs, trp_transfers, portal_links');
  const { rows } = await pool.query<{ id: string }>('select incoming_id as id from message_pairs limit 1');
  received = { tenantId: tenant.id, id: rows[0]?.id, status: 'DELIVERED' } as TransactionRecord;
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** How PostgreSQL runs the statements of `work`, each in a transaction that is undone. */
async function plansOf(work: () => Promise<unknown>): Promise<Plan[]> {
  const query = jest.spyOn(db.pool, 'query');
  await work();
  const asked = query.mock.calls.map(([call, values]) => {
    const one = call as unknown as string | { text: string; values: unknown[] };
    return typeof one === 'string' ? { text: one, values: values as unknown as unknown[] } : one;
  });
  query.mockRestore();
  const plans: Plan[] = [];
  const tx = await db.pool.connect();
  for (const { text, values } of asked) {
    await tx.query('begin');
    const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    );
    await tx.query('rollback');
    plans.push(...(rows[0]?.['QUERY PLAN'].map((each) => each.Plan) ?? []));
  }
  tx.release();
  return plans;
}

const LARGE = ['transactions', 'claims', 'message_pairs', 'trp_transfers', 'portal_links'];

/** Large tables that a plan reads from end to end. */
function scanned(plan: Plan): string[] {
  const table = plan['Relation Name'] ?? '';
  const own = plan['Node Type'] === 'Seq Scan' && LARGE.includes(table) ? [table] : [];
  return [...own, ...(plan.Plans ?? []).flatMap(scanned)];
}

async function readAll(lines: AsyncGenerator): Promise<void> {
  for await (const line of lines) expect(line).toBeDefined();
}

test.each<[string, number, () => Promise<unknown>]>([
  ['the notices by TRP of a change', 1, () => insertTrpNotices(db.pool, [received.id], new Date())],
  ['the mails about a change', 1, () => queuePortalUpdates(db, db.pool, [received], new Date())],
  ['the receiver of a message', 1, () => findRematched(db.pool, received, 'Bitcoin')],
  [
    'the claims that a record answers',
    1,
    () => findAnsweredClaims(db, { ...received, id: newId(new Date()) }),
  ],
  // Of a record without links and transfers, since those of this file cannot be opened.
  [
    'what was exchanged about a record',
    3,
    () => readAll(readExchanges(db, { ...received, id: newId(new Date()) })),
  ],
])('%s: read by indexes, however much there is', async (_what, statements, work) => {
  const plans = await plansOf(work);
  expect(plans).toHaveLength(statements);
  for (const plan of plans) {
    expect(scanned(plan)).toEqual([]);
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(FEW_PAGES);
  }
});
