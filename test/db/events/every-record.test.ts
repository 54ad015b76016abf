import { verifyEvents } from '../../../db/events/verify-events.ts';
import { createClaim } from '../../factories/claim.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { createVerification } from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);

const NIL = '00000000-0000-0000-0000-000000000000';

/** Stores copies of a record without their events, under other ids. */
async function copy(table: string, id: string, ids: readonly string[]): Promise<void> {
  const { rows } = await database.pool.query<{ names: string }>(
    `select string_agg(column_name, ', ') as names from information_schema.columns
     where table_name = $1 and is_generated = 'NEVER' and column_name not in ('id', 'reference')`,
    [table],
  );
  const names = rows[0]?.names;
  await database.pool.query(
    `insert into ${table} (id, ${names}) select r.id, ${names} from ${table} t, unnest($2::uuid[]) as r(id)
     where t.id = $1`,
    [id, ids],
  );
}

test('every record is looked at: with the lowest id, and two with one id where a batch of 500 ends', async () => {
  const { id: transactionId } = await createTransaction(tenant);
  const { id: verificationId } = await createVerification(tenant);
  const { id: claimId, transactionId: claimedId } = await createClaim(tenant);
  // Of one transfer only one claim may be open.
  await tenant.patch(`/claims/${claimId}`, { status: 'CANCELLED' });
  const ids = Array.from({ length: 500 }, (_, place) => NIL.slice(0, -3) + String(place).padStart(3, '0'));
  const [lowest, last] = [ids[0], ids.at(-1)];
  if (lowest !== NIL || !last) throw new Error('no ids');
  await copy('transactions', transactionId, ids);
  await copy('verifications', verificationId, [last]);
  await copy('claims', claimId, [last]);

  const { checked, faults } = await verifyEvents(api.db);
  expect(checked).toBe(2 + 2 + ids.length + 2);
  const empty = [...ids, last, last].map((id) => ({ id, fault: 'the record has no events' }));
  expect(faults.filter(({ fault }) => fault.startsWith('the record'))).toEqual(empty);
  // A row that was copied has the key of another record.
  const closed = { id: NIL, fault: 'the key of the record, or that of its tenant, was destroyed or changed' };
  expect(await verifyEvents(api.db, NIL)).toMatchObject({ checked: 1, faults: [empty[0], closed] });
  expect((await verifyEvents(api.db, last)).checked).toBe(3);
  expect((await verifyEvents(api.db, claimedId ?? '')).checked).toBe(1);
});

test('a log under the lowest id that has no record', async () => {
  const { id } = await createTransaction(tenant);
  await database.pool.query(
    `insert into events overriding system value
     select (jsonb_populate_record(e, jsonb_build_object('subject_id', $2::text, 'subject_kind', 'VERIFICATION'))).*
     from events e where subject_id = $1`,
    [id, NIL],
  );
  expect((await verifyEvents(api.db)).faults).toContainEqual({
    id: NIL,
    fault: '1 events without a record',
  });
});
