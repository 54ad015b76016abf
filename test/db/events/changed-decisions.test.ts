import { verifyEvents } from '../../../db/events/verify-events.ts';
import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { findTransactionOfWorkflow } from '../../../db/transactions/find-transaction.ts';
import { untilJudged, untilListsLoaded } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
  await untilListsLoaded(api, tenant.id);
});

test.each([
  ['with another version', false],
  ['for another transaction', true],
])('a decision that is stored twice, the other %s, is found', async (_what, isOfAnother) => {
  const { id } = await createTransaction(tenant);
  const named = isOfAnother ? (await createTransaction(tenant)).id : id;
  const { settlement } = await untilJudged(api, await findTransactionOfWorkflow(api.db, id));
  expect(await settleScreening(api.db, settlement)).not.toBe('STALE');
  const { pool } = database;
  await pool.query('alter table rule_decisions drop constraint if exists rule_decisions_pkey cascade');
  await pool.query(
    `insert into rule_decisions (id, tenant_id, transaction_id, sequence, direction, configuration_id, version, decision,
       decided_by, rests_on_sanctions, wait_until, spent, facts, trace, created_at)
     select id, tenant_id, $2, sequence + 7, direction, configuration_id, version + 7, 'REVIEW',
       decided_by, rests_on_sanctions, wait_until, spent, facts, trace, created_at - interval '1 day'
     from rule_decisions where transaction_id = $1`,
    [id, named],
  );
  // The true one is read last, so that it counts.
  await pool.query('update rule_decisions set version = version where transaction_id = $1 and sequence < 7', [
    id,
  ]);
  const { faults } = await verifyEvents(api.db, id);
  expect(faults).toContainEqual({ id, fault: 'two rule decisions of one id' });
});

test.each(['gen_random_uuid()', 'null'])('a decision of the tenant %s is found', async (value) => {
  const { id } = await createTransaction(tenant);
  const { settlement } = await untilJudged(api, await findTransactionOfWorkflow(api.db, id));
  expect(await settleScreening(api.db, settlement)).not.toBe('STALE');
  await database.pool.query('alter table rule_decisions alter tenant_id drop not null');
  await database.pool.query(`update rule_decisions set tenant_id = ${value} where transaction_id = $1`, [id]);
  expect((await verifyEvents(api.db, id)).faults).toEqual([
    { id, fault: 'a rule decision of another tenant' },
  ]);
});

/** Stores a copy of a decision under another id or none, as one of another transaction. */
const addDecision = async (of: string, to: string, id = 'gen_random_uuid()') =>
  await database.pool.query(
    `insert into rule_decisions (id, tenant_id, transaction_id, sequence, direction, configuration_id, version, decision,
       decided_by, rests_on_sanctions, spent, facts, trace, created_at)
     select ${id}, tenant_id, $2, sequence + 7, direction, configuration_id, version, 'PROCEED',
       decided_by, rests_on_sanctions, spent, facts, trace, created_at
     from rule_decisions where transaction_id = $1`,
    [of, to],
  );

/** A transaction that was screened. */
async function screened(overrides: Parameters<typeof createTransaction>[1] = {}): Promise<string> {
  const { id } = await createTransaction(tenant, overrides);
  const { settlement } = await untilJudged(api, await findTransactionOfWorkflow(api.db, id));
  expect(await settleScreening(api.db, settlement)).not.toBe('STALE');
  expect((await verifyEvents(api.db, id)).faults).toEqual([]);
  return id;
}

test('a decision that was added, which no event names, is found, also where no rules decide', async () => {
  const id = await screened();
  const withoutRules = await screened({ direction: 'INCOMING' });
  await addDecision(id, withoutRules);
  await addDecision(id, id);
  for (const of of [id, withoutRules])
    expect((await verifyEvents(api.db, of)).faults).toEqual([
      { id: of, fault: 'rule decisions that no event explains: 1' },
    ]);
});

test('a decision that was added without an id is found', async () => {
  const id = await screened();
  await database.pool.query(
    'alter table rule_decisions drop constraint if exists rule_decisions_pkey cascade',
  );
  await database.pool.query('alter table rule_decisions alter id drop not null');
  await addDecision(id, id, 'null');
  expect((await verifyEvents(api.db, id)).faults).toEqual([
    { id, fault: 'rule decisions that no event explains: 1' },
  ]);
});
