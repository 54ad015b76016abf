// Why: operators and admins pause what a tenant sends, receives or is told by webhook. A message that waits for the end of a
// brake names it in paused_by; sub_status and next_action follow from that, as domain/transactions/sub-status.ts and
// clearance.ts compute them. The version before runs on this schema, but sends in spite of brakes; while the table is rewritten
// for the new columns, requests wait.
import type { Knex } from 'knex';

const REQUESTED = `repair_deadline_at is not null and status = 'DELIVERED'`;

const subStatus = (pending: string) => `
  add column sub_status text generated always as (
    case
      when blocked_by = 'RULE' then 'BLOCKED_BY_RULE'
      when blocked_by = 'REVIEW' then 'BLOCKED_BY_REVIEW'
      when status = 'FAILED' then
        case when routing_fault = 'VASP_NOT_REACHABLE' then 'VASP_NOT_REACHABLE' else 'EXPIRED' end
      when status in ('DECLINED', 'CANCELLED') then null
      when sealed then 'OWNERSHIP_UNCONFIRMED'
      when ${REQUESTED} and (direction = 'INCOMING' or hold is null) then 'DATA_REQUESTED'
      when hold is not null then 'ON_HOLD'
      when rule_wait_until is not null then 'WAITING'
      when is_screening_delayed then 'SCREENING'
      when status = 'CONFIRMED' then case when transaction_hash is null then 'AWAITING_TRANSACTION_HASH' end
      when status = 'PENDING' and awaits_proof and (
        direction = 'OUTGOING' and destination_type = 'NON_CUSTODIAL'
        or direction = 'INCOMING' and origin_type = 'NON_CUSTODIAL' and message_source = 'MANUAL'
      ) then 'OWNERSHIP_UNCONFIRMED'
      when status = 'PENDING' then case when direction = 'OUTGOING' then ${pending} end
      when direction = 'INCOMING' then 'ON_HOLD'
      when expired_at is null then 'AWAITING_COUNTERPARTY'
      else 'EXPIRED'
    end
  ) stored`;

const nextAction = (pending: string) => `
  add column next_action text generated always as (
    case
      when blocked_by is not null or transfer_stop = 'BLOCKED' then 'NONE'
      when status = 'FAILED' then 'RETRY'
      when (awaits_wallet or sealed) and status not in ('CONFIRMED', 'DECLINED', 'CANCELLED') then 'CONFIRM_WALLET'
      when sealed or status in ('DECLINED', 'CANCELLED') then 'NONE'
      when ${REQUESTED} and direction = 'INCOMING' then 'WAIT_FOR_COUNTERPARTY'
      when ${REQUESTED} and hold is null then 'PROVIDE_DATA'
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
      ${pending}
      when status = 'DELIVERED' or routing_fault in ('VASP_NOT_REACHABLE', 'EMAIL_SENT') then 'WAIT_FOR_COUNTERPARTY'
      when routing_fault = 'VASP_NOT_FOUND' then 'FIX_ROUTING'
      else 'NONE'
    end
  ) stored`;

// They go with their columns.
const INDEXES = `
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
    where deleted_at is null and next_action in ('FIX_ROUTING', 'REVIEW', 'CONFIRM_WALLET', 'PROVE_OWNERSHIP', 'ADD_HASH',
      'RETRY', 'PROVIDE_DATA');`;

const DROP = 'drop column sub_status, drop column next_action';

// reason is sealed with the keys of the tenant. set_by and released_by: an operator's name, or the id of a key or user. A
// released brake has wake_at until what it held back has been taken up again; cursor_at and cursor_id are the last webhook.
const BRAKES = `
  create table brakes (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    kind text not null check (kind in ('OUTGOING', 'INCOMING', 'WEBHOOKS')),
    counterparty_entity_id uuid,
    reason bytea not null,
    set_by_kind text not null check (set_by_kind in ('OPERATOR', 'API_KEY', 'USER')),
    set_by text not null,
    set_at timestamptz(3) not null,
    released_by_kind text check (released_by_kind in ('OPERATOR', 'API_KEY', 'USER')),
    released_by text,
    released_at timestamptz(3),
    per_second int,
    resumed int not null default 0,
    cursor_at timestamptz(3),
    cursor_id uuid,
    wake_at timestamptz(3),
    finished_at timestamptz(3),
    check ((released_at is null) = (released_by is null)),
    check (kind <> 'WEBHOOKS' or counterparty_entity_id is null)
  );
  create unique index brakes_on on brakes (tenant_id, kind, counterparty_entity_id) nulls not distinct
    where released_at is null;
  create index brakes_newest on brakes (tenant_id, set_at desc, id desc);
  create index brakes_wake on brakes (wake_at) where wake_at is not null;
  create index transactions_paused on transactions (paused_by, created_at, id)
    where paused_by is not null and status = 'PENDING' and deleted_at is null;`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table transactions add column paused_by uuid, ${DROP},
      ${subStatus(`case when paused_by is not null then 'PAUSED' else coalesce(routing_fault, 'ROUTING') end`)},
      ${nextAction(`when status = 'PENDING' and paused_by is not null then 'NONE'`)};
    ${INDEXES}
    ${BRAKES}
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table brakes;
    drop index transactions_paused;
    alter table transactions ${DROP}, drop column paused_by, ${subStatus(`coalesce(routing_fault, 'ROUTING')`)},
      ${nextAction('')};
    ${INDEXES}
  `);
}
