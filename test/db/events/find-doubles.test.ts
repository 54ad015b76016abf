import { verifyEvents } from '../../../db/events/verify-events.ts';
import { readLog } from '../../factories/tampering.ts';
import { createMessagePair, createTransaction } from '../../factories/transaction.ts';
import { createVerification } from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);
const counterparty = useTenantPerTest(api);

/** Adds exact copies of rows beside a table's own, as its owner can: the key of a table does not bind one that inherits it. */
async function withCopies(table: string, where: string, look: () => Promise<void>): Promise<void> {
  const { rows } = await database.pool.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const columns = rows[0]?.columns;
  await database.pool.query(
    `create table copies () inherits (${table});
     insert into copies (${columns}) select ${columns} from only ${table} where ${where}`,
  );
  try {
    await look();
  } finally {
    await database.pool.query('drop table copies');
  }
}

/** What is found for one record and, when all are looked at, for that record and any other. */
async function expectFault(id: string, fault: string): Promise<void> {
  expect((await verifyEvents(api.db, id)).faults).toEqual([{ id, fault }]);
  expect((await verifyEvents(api.db)).faults).toEqual([{ id, fault }]);
}

test.each(['transactions', 'verifications'])('two rows of %s of one id', async (table) => {
  const { id } =
    table === 'transactions' ? await createTransaction(tenant) : await createVerification(tenant);
  await withCopies(table, `id = '${id}'`, async () => await expectFault(id, 'two records of one id'));
  expect((await verifyEvents(api.db)).faults).toEqual([]);
});

test('two payloads of one event, also where the second names another record', async () => {
  const { outgoingId: id, incomingId: otherId } = await createMessagePair(api, tenant, counterparty);
  const [sent] = (await readLog(database.pool, id)).filter(({ payloadHash }) => payloadHash);
  const fault = 'two payloads of one event';
  await withCopies('payload_versions', `event_id = '${sent?.id}'`, async () => {
    await expectFault(id, fault);
    await database.pool.query('update copies set transaction_id = $1', [otherId]);
    const faults = [id, otherId].toSorted().map((each) => ({ id: each, fault }));
    expect((await verifyEvents(api.db, id)).faults).toEqual(faults);
    expect((await verifyEvents(api.db)).faults).toEqual(faults);
  });
});

test('two rows of one entry of a log', async () => {
  const { id } = await createTransaction(tenant);
  await withCopies('events', `subject_id = '${id}'`, async () => await expectFault(id, 'entry 2 is missing'));
});
