// Why: a message to a VASP on no network waits by the subStatus EMAIL_SENT until the link is opened, and is held for a review
// where its mailbox is not known to be of the VASP. `sub_status` takes the new fault by itself. The version before runs on this
// schema; while the table is rewritten for the new column, requests wait.
import type { Knex } from 'knex';

const FAULTS = ['VASP_NOT_FOUND', 'VASP_NOT_REACHABLE'];
const HOLDS = ['RULE', 'SANCTIONS', 'UNSCREENED', 'COUNTERPARTY', 'INCOMPLETE_PARTY'];

const listOf = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');

const check = (column: string, words: readonly string[]) => `
  drop constraint transactions_${column}_check,
  add constraint transactions_${column}_check check (${column} in (${listOf(words)}))`;

// As domain/transactions/clearance.ts derives it.
const nextAction = (faults: string) => `
  drop column next_action,
  add column next_action text generated always as (
    case
      when blocked_by is not null or transfer_stop = 'BLOCKED' then 'NONE'
      when status = 'FAILED' then 'RETRY'
      when (awaits_wallet or sealed) and status not in ('CONFIRMED', 'DECLINED', 'CANCELLED') then 'CONFIRM_WALLET'
      when sealed or status in ('DECLINED', 'CANCELLED') then 'NONE'
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
      when status = 'DELIVERED' or routing_fault in (${faults}) then 'WAIT_FOR_COUNTERPARTY'
      when routing_fault = 'VASP_NOT_FOUND' then 'FIX_ROUTING'
      else 'NONE'
    end
  ) stored`;

// It goes with its column.
const INDEX = `
  create index transactions_next_action on transactions (tenant_id, next_action, created_at desc)
    where deleted_at is null
      and next_action in ('FIX_ROUTING', 'REVIEW', 'CONFIRM_WALLET', 'PROVE_OWNERSHIP', 'ADD_HASH', 'RETRY')`;

export async function up(knex: Knex): Promise<void> {
  const holds = [...HOLDS, 'MAILBOX'];
  await knex.raw(`
    alter table transactions ${check('routing_fault', [...FAULTS, 'EMAIL_SENT'])}, ${check('hold', holds)},
      ${check('blocked_hold', holds)}, ${nextAction(`'VASP_NOT_REACHABLE', 'EMAIL_SENT'`)};
    ${INDEX}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update transactions set routing_fault = 'VASP_NOT_FOUND' where routing_fault = 'EMAIL_SENT';
    update transactions set hold = 'COUNTERPARTY' where hold = 'MAILBOX';
    update transactions set blocked_hold = 'COUNTERPARTY' where blocked_hold = 'MAILBOX';
    alter table transactions ${check('routing_fault', FAULTS)}, ${check('hold', HOLDS)},
      ${check('blocked_hold', HOLDS)}, ${nextAction(`'VASP_NOT_REACHABLE'`)};
    ${INDEX}`);
}
