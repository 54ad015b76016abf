import type pg from 'pg';
import { findMessageOf, lockOwnRecordOf, lockReceivedRecords } from '../../../db/lifecycle/same-transfer.ts';
import { inTransaction, type Queryable } from '../../../db/postgres.ts';
import { findTransactionOfWorkflow } from '../../../db/transactions/find-transaction.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createMessagePair, createTransaction, evmAddress, evmHash } from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

const { api, database } = useApi();
let receiver: TestTenant;
let hostile: TestTenant;
const place = { blockchain: 'Ethereum', destination: evmAddress(), transactionHash: evmHash() };
const FLOOD = 3_000;
/** Of one VASP no more are looked at. */
const LOOKED_AT = 100;

const arrive = async (from: TestTenant) =>
  (await createMessagePair(api, from, receiver, { registered: false, body: { blockchainInfo: place } }))
    .incomingId;
const recordOf = async (id: string): Promise<TransactionRecord> => {
  const open = await findTransactionOfWorkflow(api.db, id);
  if (!open) throw new Error('there is no such record');
  return open.record;
};

// Copies of a message by the thousand, older than any other and of another asset: they cannot be opened, and are of no transfer.
beforeAll(async () => {
  [receiver, hostile] = [await createTenant(api), await createTenant(api)];
  const id = await arrive(hostile);
  const { rows } = await database.pool.query<{ columns: string; copied: string }>(
    `select string_agg(quote_ident(attname), ', ') as columns,
       string_agg('(copy).' || quote_ident(attname), ', ') as copied from pg_attribute
     where attrelid = 'transactions'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  );
  await database.pool.query(
    `insert into transactions (${rows[0]?.columns}) select ${rows[0]?.copied} from (
       select jsonb_populate_record(t, jsonb_build_object(
         'id', '00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'), 'reference', null, 'asset', 'FLOOD')) as copy
       from transactions t, generate_series(1, $2::int) n where id = $1) copies`,
    [id, FLOOD],
  );
});

test('a message of another VASP is found behind any number of them', async () => {
  const message = await arrive(await createTenant(api));
  const own = await createTransaction(receiver, { direction: 'INCOMING', blockchainInfo: place });
  expect((await recordOf(own.id)).relatedTransactionId).toBe(message);
});

test('the messages that are looked at are locked, and no more', async () => {
  const message = await arrive(await createTenant(api));
  const { hashNormal, destinationNormal } = await recordOf(message);
  const place = { tenantId: receiver.id, hashNormal, destinationNormal };
  const free = await inTransaction(database.pool, async (tx) => {
    await lockReceivedRecords(tx, { ...place, relatedTransactionId: null });
    return await unlocked();
  });
  expect(free.filter((id) => id.startsWith('00000000'))).toHaveLength(FLOOD - LOOKED_AT);
  expect(free).not.toContain(message);
});

test('the one that a record is related with is locked, whatever its place', async () => {
  const [message, other] = [await arrive(hostile), await arrive(hostile)];
  const nowhere = { tenantId: receiver.id, hashNormal: null, destinationNormal: '' };
  const free = await inTransaction(database.pool, async (tx) => {
    await lockReceivedRecords(tx, { ...nowhere, relatedTransactionId: message });
    return await unlocked();
  });
  expect([free.includes(message), free.includes(other)]).toEqual([false, true]);
});

test.each([
  ['fresh', 'analyze transactions'],
  ['missing', `delete from pg_statistic where starelid = 'transactions'::regclass`],
])('neither side reads the others, with %s statistics', async (_what, prepare) => {
  await database.pool.query(prepare);
  const message = await recordOf(await arrive(await createTenant(api)));
  const { id } = await createTransaction(receiver, { direction: 'INCOMING', blockchainInfo: place });
  const own = await recordOf(id);
  const senderEntityId = message.counterpartyEntityId ?? '';
  const search = { receiverTenantId: receiver.id, message, senderEntityId, isOfSender: true };
  for (const [look, index] of [
    [async (tx: Queryable) => await lockReceivedRecords(tx, own), 'transactions_received'],
    [async (tx: Queryable) => await findMessageOf(api.db, tx, own), 'transactions_received'],
    [async (tx: Queryable) => await lockOwnRecordOf(api.db, tx, search), 'transactions_own_hash'],
  ] as const) {
    const plan = await firstPlanOf(look);
    expect(plan).toContain(index);
    const counts = /(?:actual rows=|Rows Removed by \w+: )(\d+)/;
    const large = plan.split('\n').filter((line) => Number(counts.exec(line)?.[1] ?? 0) > 2 * LOOKED_AT);
    expect([large, large.length === 0 ? '' : plan]).toEqual([[], '']);
  }
});

/** The messages that nobody has locked. */
async function unlocked(): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from transactions where tenant_id = $1 and pair_id is not null for no key update skip locked`,
    [receiver.id],
  );
  return rows.map(({ id }) => id);
}

/** How PostgreSQL runs the first statement of `look`, with the rows that it reads. */
async function firstPlanOf(look: (tx: Queryable) => Promise<unknown>): Promise<string> {
  return await inTransaction(database.pool, async (tx) => {
    const query = jest.spyOn(tx, 'query');
    await look(tx);
    const [statement] = query.mock.calls[0] as unknown as [pg.QueryConfig];
    query.mockRestore();
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off) ${statement.text}`,
      statement.values,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
}
