// Why: a transaction stores facts, and its sub_status follows from them. A writer that set both could let a later hash
// lift a reviewer's stop. The column is generated, so nothing can set it; domain/transactions/sub-status.ts computes the
// same. The version before cannot run on this schema: stop api and worker for the upgrade, which rewrites the table.
import type { Knex } from 'knex';

const FACTS = `
  alter table transactions
    add column is_screening_delayed boolean not null default false,
    add column rule_wait_until timestamptz(3),
    add column blocked_by text check (blocked_by in ('RULE', 'REVIEW')),
    add column blocked_hold text check (blocked_hold in ('RULE', 'SANCTIONS', 'UNSCREENED', 'COUNTERPARTY')),
    add column awaits_proof boolean not null default false,
    add column routing_fault text check (routing_fault in ('VASP_NOT_FOUND', 'VASP_NOT_REACHABLE')),
    add column expired_at timestamptz(3);`;

// A confirmed record that is blocked was stopped by a reviewer; any other block was made by a rule. A hold or a screening
// could hide that a delivered message had expired: without a deadline it had.
const FROM_SUB_STATUS = `
  update transactions set
    is_screening_delayed = sub_status = 'SCREENING',
    rule_wait_until = case when sub_status = 'WAITING' then coalesce(wake_at, updated_at) end,
    blocked_by = case when sub_status = 'BLOCKED_BY_RULE' then
      case when status = 'CONFIRMED' then 'REVIEW' else 'RULE' end end,
    awaits_proof = status = 'PENDING' and (sub_status = 'OWNERSHIP_UNCONFIRMED'
      or direction = 'INCOMING' and origin_type = 'NON_CUSTODIAL' and message_source = 'MANUAL'),
    routing_fault = case when sub_status in ('VASP_NOT_FOUND', 'VASP_NOT_REACHABLE') then sub_status end,
    expired_at = case when sub_status = 'EXPIRED' or direction = 'OUTGOING' and status = 'DELIVERED' and deadline_at is null
      then updated_at end
  where sub_status is not null;`;

const DERIVED = `
  alter table transactions drop column sub_status;
  alter table transactions add column sub_status text generated always as (
    case
      when blocked_by = 'RULE' then 'BLOCKED_BY_RULE'
      when blocked_by = 'REVIEW' then 'BLOCKED_BY_REVIEW'
      when status = 'FAILED' then
        case when routing_fault = 'VASP_NOT_REACHABLE' then 'VASP_NOT_REACHABLE' else 'EXPIRED' end
      when status in ('DECLINED', 'CANCELLED') then null
      when sealed then 'OWNERSHIP_UNCONFIRMED'
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
  ) stored;`;

const INDEXES = `
  create index transactions_unrouted_destination on transactions (destination_normal)
    where sub_status = 'VASP_NOT_FOUND';
  create index transactions_unrouted_vasp on transactions (beneficiary_vasp_folded)
    where sub_status = 'VASP_NOT_FOUND';
  create index transactions_counterparty on transactions (tenant_id, counterparty_entity_id)
    include (direction, status, sub_status, message_source, incomplete, created_at)
    where counterparty_entity_id is not null and deleted_at is null;`;

export async function up(knex: Knex): Promise<void> {
  // With the column, its indexes go.
  await knex.raw(FACTS + FROM_SUB_STATUS + DERIVED + INDEXES);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table transactions add column old_sub_status text;
    update transactions set old_sub_status = case sub_status when 'BLOCKED_BY_REVIEW' then 'BLOCKED_BY_RULE' else sub_status end
      where sub_status is not null;
    alter table transactions drop column sub_status;
    alter table transactions rename column old_sub_status to sub_status;
    alter table transactions drop column is_screening_delayed, drop column rule_wait_until, drop column blocked_by,
      drop column blocked_hold, drop column awaits_proof, drop column routing_fault, drop column expired_at;
    ${INDEXES}
  `);
}
