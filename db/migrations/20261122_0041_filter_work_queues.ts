// Why: work queues filter transactions by clearance, next action, hold, asset, blockchain and counterparty. The clearance
// is derived from the facts like sub_status, so its columns are generated; domain/transactions/clearance.ts computes the
// same. The version before runs on this schema; while the table is rewritten for the new columns, requests wait.
import type { Knex } from 'knex';

const OUTCOME = `
  alter table transactions add column clearance_outcome text generated always as (
    case
      when blocked_by is not null or status in ('DECLINED', 'CANCELLED') then 'STOP'
      when status <> 'CONFIRMED' or hold is not null then 'WAIT'
      when screening_state in ('DUE', 'RECHECK') and deleted_at is null then 'WAIT'
      else 'GO'
    end
  ) stored`;

const NEXT_ACTION = `
  add column next_action text generated always as (
    case
      when blocked_by is not null then 'NONE'
      when status = 'FAILED' then 'RETRY'
      when (awaits_wallet or sealed) and status not in ('CONFIRMED', 'DECLINED', 'CANCELLED') then 'CONFIRM_WALLET'
      when sealed or status in ('DECLINED', 'CANCELLED') then 'NONE'
      when hold is not null then 'REVIEW'
      when status = 'CONFIRMED' and screening_state in ('DUE', 'RECHECK') and deleted_at is null then 'NONE'
      when rule_wait_until is not null or is_screening_delayed then 'NONE'
      when status = 'PENDING' and awaits_proof then
        case when is_proof_doubted then 'REVIEW' else 'PROVE_OWNERSHIP' end
      when status = 'CONFIRMED' then
        case
          when transaction_hash is not null then 'NONE'
          when direction = 'OUTGOING' or message_source = 'MANUAL' then 'ADD_HASH'
          else 'WAIT_FOR_COUNTERPARTY'
        end
      when direction = 'INCOMING' then 'REVIEW'
      when status = 'DELIVERED' or routing_fault = 'VASP_NOT_REACHABLE' then 'WAIT_FOR_COUNTERPARTY'
      when routing_fault = 'VASP_NOT_FOUND' then 'FIX_ROUTING'
      else 'NONE'
    end
  ) stored;`;

// What a person has to do is rare among all transactions, so its index holds little else.
const INDEXES = `
  create index transactions_clearance on transactions (tenant_id, clearance_outcome, created_at desc)
    where deleted_at is null;
  create index transactions_next_action on transactions (tenant_id, next_action, created_at desc)
    where deleted_at is null
      and next_action in ('FIX_ROUTING', 'REVIEW', 'CONFIRM_WALLET', 'PROVE_OWNERSHIP', 'ADD_HASH', 'RETRY');
  create index transactions_hold on transactions (tenant_id, hold, created_at desc)
    where deleted_at is null and hold is not null;
  create index transactions_asset on transactions (tenant_id, upper(asset), created_at desc)
    where deleted_at is null;
  create index transactions_blockchain on transactions (tenant_id, blockchain_key, created_at desc)
    where deleted_at is null;`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`${OUTCOME},${NEXT_ACTION}${INDEXES}`);
}

export async function down(knex: Knex): Promise<void> {
  // With the columns, their indexes go.
  await knex.raw(`
    drop index transactions_hold, transactions_asset, transactions_blockchain;
    alter table transactions drop column clearance_outcome, drop column next_action;
  `);
}
