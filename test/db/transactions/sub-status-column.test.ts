import type pg from 'pg';
import { clearanceOf, NEXT_ACTIONS } from '../../../domain/transactions/clearance.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { subStatusOf, type SubStatusFacts } from '../../../domain/transactions/sub-status.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { FACTS, WALLET_KINDS } from '../../factories/sub-status-facts.ts';
import { IS_FULL } from '../../full.ts';

let database: TestDatabase;
let client: pg.PoolClient;

beforeAll(async () => {
  database = await testDatabase();
  client = await database.pool.connect();
});
afterAll(async () => {
  client.release();
  await database.drop();
});

/** Every combination in the full run; otherwise one of this number, which divides none of the numbers of values. */
const STEP = IS_FULL ? 1 : 11;

/** A table with the columns of `transactions`, all of them nullable. */
const LIKE_TRANSACTIONS = `
  create temporary table facts (like transactions including generated);
  do $$
    declare name text;
    begin
      for name in select attname from pg_attribute where attrelid = 'facts'::regclass and attnum > 0 and attnotnull loop
        execute format('alter table facts alter column %I drop not null', name);
      end loop;
    end
  $$`;

const EACH_COMBINATION = `
  insert into facts (direction, status, blocked_by, sealed, hold, rule_wait_until, is_screening_delayed, awaits_proof,
    routing_fault, expired_at, transaction_hash, destination_type, origin_type, message_source)
  select direction, status, blocked_by, sealed, hold, rule_wait_until, is_screening_delayed, awaits_proof, routing_fault,
    expired_at, transaction_hash, destination_type, origin_type, message_source
  from (select *, row_number() over () as number from unnest($1::text[]) direction, unnest($2::text[]) status, unnest($3::text[]) blocked_by,
    unnest($4::boolean[]) sealed, unnest($5::text[]) hold, unnest($6::timestamptz[]) rule_wait_until,
    unnest($7::boolean[]) is_screening_delayed, unnest($8::boolean[]) awaits_proof,
    unnest($9::text[]) routing_fault, unnest($10::timestamptz[]) expired_at, unnest($11::text[]) transaction_hash,
    unnest($12::text[], $13::text[], $14::text[]) as wallets(destination_type, origin_type, message_source)) combination
  where number % $15 = 0`;

const READ_AS_FACTS = `
  select direction, status, blocked_by as "blockedBy", sealed, hold, rule_wait_until as "ruleWaitUntil",
    is_screening_delayed as "isScreeningDelayed", awaits_proof as "awaitsProof", routing_fault as "routingFault",
    expired_at as "expiredAt", transaction_hash as "transactionHash", destination_type as "destinationType",
    origin_type as "originType", message_source as "messageSource", repair_deadline_at as "repairDeadlineAt",
    paused_by as "pausedBy",
    sub_status as "subStatus"
  from facts`;

test('the generated column equals subStatusOf for every combination of facts', async () => {
  await client.query(LIKE_TRANSACTIONS);
  const kinds = (['destinationType', 'originType', 'messageSource'] as const).map((name) =>
    WALLET_KINDS.map((kind) => kind[name]),
  );
  await client.query(EACH_COMBINATION, [...Object.values(FACTS), ...kinds, STEP]);
  const { rows } = await client.query<SubStatusFacts & { subStatus: string | null }>(READ_AS_FACTS);
  const expected = Object.values(FACTS).reduce<number>(
    (count, values) => count * values.length,
    WALLET_KINDS.length,
  );
  expect(rows).toHaveLength(Math.floor(expected / STEP));
  expect(rows.filter(({ subStatus, ...facts }) => subStatus !== subStatusOf(facts))).toEqual([]);
  // Every word but EMAIL_SENT and DATA_REQUESTED occurs, and null.
  expect(new Set(rows.map(({ subStatus }) => subStatus)).size).toBe(13);
});

test('the generated column equals subStatusOf while data is asked for', async () => {
  // All but those that were delivered are asked, too: another status has ended the request.
  await client.query('update facts set repair_deadline_at = now()');
  const { rows } = await client.query<SubStatusFacts & { subStatus: string | null }>(READ_AS_FACTS);
  expect(rows.filter(({ subStatus, ...facts }) => subStatus !== subStatusOf(facts))).toEqual([]);
  expect(rows.some(({ subStatus }) => subStatus === 'DATA_REQUESTED')).toBe(true);
});

test('the generated column equals subStatusOf while a brake is on', async () => {
  await client.query('update facts set paused_by = gen_random_uuid()');
  const { rows } = await client.query<SubStatusFacts & { subStatus: string | null }>(READ_AS_FACTS);
  expect(rows.filter(({ subStatus, ...facts }) => subStatus !== subStatusOf(facts))).toEqual([]);
  expect(rows.some(({ subStatus }) => subStatus === 'PAUSED')).toBe(true);
});

/** Facts of the clearance from which the subStatus does not follow, each with both sides; they do not act on each other. */
const CLEARANCE_FACTS = [
  { screeningState: null, awaitsWallet: false, isProofDoubted: false, transferStop: null },
  { screeningState: 'CLEARED', awaitsWallet: true, isProofDoubted: true, transferStop: null },
  { screeningState: 'RECHECK', awaitsWallet: false, isProofDoubted: true, transferStop: null },
  { screeningState: 'DUE', awaitsWallet: true, isProofDoubted: false, transferStop: null },
  { screeningState: null, awaitsWallet: false, isProofDoubted: true, transferStop: 'HELD' },
  { screeningState: 'DUE', awaitsWallet: true, isProofDoubted: false, transferStop: 'BLOCKED' },
] as const;

test('the generated columns equal clearanceOf for every combination of facts', async () => {
  const [actions, outcomes] = [new Set<string>(), new Set<string>()];
  await client.query(`update facts set repair_deadline_at = case when ctid::text like '%1)' then now() end,
    paused_by = case when ctid::text like '%2)' then gen_random_uuid() end`);
  for (const facts of CLEARANCE_FACTS) {
    await client.query(
      'update facts set screening_state = $1, awaits_wallet = $2, is_proof_doubted = $3, transfer_stop = $4',
      [facts.screeningState, facts.awaitsWallet, facts.isProofDoubted, facts.transferStop],
    );
    const { rows } = await client.query<TransactionRecord & { outcome: string; action: string }>(
      READ_AS_FACTS.replace('select', 'select clearance_outcome as outcome, next_action as action,'),
    );
    const wrong = rows.filter(({ outcome, action, ...stored }) => {
      const record = { ...stored, ...facts, deletedAt: null, deadlineAt: null, blockedHold: null };
      const clearance = clearanceOf(record);
      return clearance.outcome !== outcome || clearance.nextAction !== action;
    });
    expect(wrong).toEqual([]);
    for (const { outcome, action } of rows) {
      outcomes.add(outcome);
      actions.add(action);
    }
  }
  expect([outcomes.size, actions.size]).toEqual([3, NEXT_ACTIONS.length]);
});
