// Why: a hold or a block of one record of a transfer counts for the tenant's own records of that transfer, too. The fact is
// stored with the own record, so that lists are filtered by it; domain/transactions/clearance.ts derives the same. The
// version before runs on this schema; while the table is rewritten for the new columns, requests wait.
import type { Knex } from 'knex';

const outcome = (blocked: string, held: string) => `
  add column clearance_outcome text generated always as (
    case
      when blocked_by is not null or status in ('DECLINED', 'CANCELLED')${blocked} then 'STOP'
      when status <> 'CONFIRMED' or hold is not null${held} then 'WAIT'
      when screening_state in ('DUE', 'RECHECK') and deleted_at is null then 'WAIT'
      else 'GO'
    end
  ) stored`;

const nextAction = (blocked: string, held: string) => `
  add column next_action text generated always as (
    case
      when blocked_by is not null${blocked} then 'NONE'
      when status = 'FAILED' then 'RETRY'
      when (awaits_wallet or sealed) and status not in ('CONFIRMED', 'DECLINED', 'CANCELLED') then 'CONFIRM_WALLET'
      when sealed or status in ('DECLINED', 'CANCELLED') then 'NONE'
      when hold is not null then 'REVIEW'
      ${held}
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
  ) stored`;

// They go with their columns.
const INDEXES = `
  create index transactions_clearance on transactions (tenant_id, clearance_outcome, created_at desc)
    where deleted_at is null;
  create index transactions_next_action on transactions (tenant_id, next_action, created_at desc)
    where deleted_at is null
      and next_action in ('FIX_ROUTING', 'REVIEW', 'CONFIRM_WALLET', 'PROVE_OWNERSHIP', 'ADD_HASH', 'RETRY');`;

const DROP = 'drop column clearance_outcome, drop column next_action';

// Few records are stopped, so whoever sends many messages of one hash makes nobody read them all.
const STOPPED = `
  create index transactions_stopped on transactions (tenant_id, hash_normal, destination_normal)
    where direction = 'INCOMING' and hash_normal is not null
      and (hold is not null or blocked_by is not null or blocked_hold is not null)`;

const STORED = `
  update transactions own set transfer_stop = stop.word
  from (
    select o.id, min(case when m.blocked_by is null then 'HELD' else 'BLOCKED' end) as word
    from transactions m
    join transactions o on o.tenant_id = m.tenant_id and o.hash_normal = m.hash_normal
      and o.destination_normal = m.destination_normal and o.id <> m.id
    where m.direction = 'INCOMING' and m.hash_normal is not null
      and (m.blocked_by is not null or m.hold is not null and m.status not in ('DECLINED', 'CANCELLED'))
      and o.direction = 'INCOMING' and o.pair_id is null and o.deleted_at is null
      and (o.blockchain_key is null or m.blockchain_key is null or o.blockchain_key = m.blockchain_key)
      and (o.destination_tag is null or m.destination_tag is null or o.destination_tag = m.destination_tag)
      and upper(o.asset) = upper(m.asset)
      and (m.blocked_by is null or o.counterparty_entity_id is null or m.counterparty_entity_id is null
        or o.counterparty_entity_id = m.counterparty_entity_id)
    group by o.id
  ) stop
  where own.id = stop.id`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table transactions
      add column transfer_stop text check (transfer_stop in ('HELD', 'BLOCKED')), ${DROP},
      ${outcome(" or transfer_stop = 'BLOCKED'", ' or transfer_stop is not null')},
      ${nextAction(" or transfer_stop = 'BLOCKED'", "when transfer_stop is not null then 'NONE'")};
    ${INDEXES}${STOPPED};
    ${STORED};
  `);
}

export async function down(knex: Knex): Promise<void> {
  // With the columns, their indexes go.
  await knex.raw(`
    drop index transactions_stopped;
    alter table transactions ${DROP}, drop column transfer_stop, ${outcome('', '')}, ${nextAction('', '')};
    ${INDEXES}
  `);
}
