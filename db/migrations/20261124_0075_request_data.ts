// Why: a beneficiary VASP asks for fields of a message and waits for them. The end of that time is a fact, from which
// sub_status and next_action follow; domain/transactions/sub-status.ts and clearance.ts compute the same. The version before
// runs on this schema; while the table is rewritten for the new columns, requests wait.
import type { Knex } from 'knex';

const REQUESTED = `repair_deadline_at is not null and status = 'DELIVERED'`;

const subStatus = (requested: string) => `
  add column sub_status text generated always as (
    case
      when blocked_by = 'RULE' then 'BLOCKED_BY_RULE'
      when blocked_by = 'REVIEW' then 'BLOCKED_BY_REVIEW'
      when status = 'FAILED' then
        case when routing_fault = 'VASP_NOT_REACHABLE' then 'VASP_NOT_REACHABLE' else 'EXPIRED' end
      when status in ('DECLINED', 'CANCELLED') then null
      when sealed then 'OWNERSHIP_UNCONFIRMED'
      ${requested}
      when hold is not null then 'ON_HOLD'
      when rule_wait_until is not null then 'WAITING'
      when is_screening_delayed then 'SCREENING'
      when status = 'CONFIRMED' then case when transaction_hash is null then 'AWAITING_TRANSACTION_HASH' end
      when status = 'PENDING' and awaits_proof and (
        direction = 'OUTGOING' and destination_type = 'NON_CUSTODIAL'
        or direction = 'INCOMING' and origin_type = 'NON_CUSTODIAL' and message_source = 'MANUAL'
      ) then 'OWNERSHIP_UNCONFIRMED'
      when status = 'PENDING' then case when direction = 'OUTGOING' then coalesce(routing_fault, 'ROUTING') end
      when direction = 'INCOMING' then 'ON_HOLD'
      when expired_at is null then 'AWAITING_COUNTERPARTY'
      else 'EXPIRED'
    end
  ) stored`;

const nextAction = (requested: string) => `
  add column next_action text generated always as (
    case
      when blocked_by is not null or transfer_stop = 'BLOCKED' then 'NONE'
      when status = 'FAILED' then 'RETRY'
      when (awaits_wallet or sealed) and status not in ('CONFIRMED', 'DECLINED', 'CANCELLED') then 'CONFIRM_WALLET'
      when sealed or status in ('DECLINED', 'CANCELLED') then 'NONE'
      ${requested}
      when hold is not null then 'REVIEW'
      when transfer_stop is not null then 'NONE'
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
      when status = 'DELIVERED' or routing_fault in ('VASP_NOT_REACHABLE', 'EMAIL_SENT') then 'WAIT_FOR_COUNTERPARTY'
      when routing_fault = 'VASP_NOT_FOUND' then 'FIX_ROUTING'
      else 'NONE'
    end
  ) stored`;

// They go with their columns.
const indexes = (actions: string) => `
  create index transactions_unrouted_destination on transactions (destination_normal)
    where sub_status in ('VASP_NOT_FOUND', 'WAITING');
  create index transactions_unrouted_vasp on transactions (beneficiary_vasp_folded)
    where sub_status in ('VASP_NOT_FOUND', 'WAITING');
  create index transactions_waiting_counterparty on transactions (counterparty_entity_id)
    where sub_status = 'WAITING';
  create index transactions_counterparty on transactions (tenant_id, counterparty_entity_id)
    include (direction, status, sub_status, message_source, incomplete, created_at)
    where counterparty_entity_id is not null and deleted_at is null;
  create index transactions_next_action on transactions (tenant_id, next_action, created_at desc)
    where deleted_at is null and next_action in (${actions});`;

const ACTIONS = `'FIX_ROUTING', 'REVIEW', 'CONFIRM_WALLET', 'PROVE_OWNERSHIP', 'ADD_HASH', 'RETRY'`;

const DROP = 'drop column sub_status, drop column next_action';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table transactions add column repair_deadline_at timestamptz(3), ${DROP},
      ${subStatus(`when ${REQUESTED} and (direction = 'INCOMING' or hold is null) then 'DATA_REQUESTED'`)},
      ${nextAction(`when ${REQUESTED} and direction = 'INCOMING' then 'WAIT_FOR_COUNTERPARTY'
      when ${REQUESTED} and hold is null then 'PROVIDE_DATA'`)};
    ${indexes(`${ACTIONS}, 'PROVIDE_DATA'`)}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table transactions ${DROP}, drop column repair_deadline_at, ${subStatus('')}, ${nextAction('')};
    ${indexes(ACTIONS)}
  `);
}
