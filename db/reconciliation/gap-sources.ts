import { GRACE_HOURS, type GapAction, type GapKind } from '../../domain/reconciliation/gap.ts';
import { sameEntities } from '../routes/same-entity.ts';

/**
 * The transactions `t` of a tenant (`$1`) that lack one thing and need one action. No transaction is in two sources. Each source
 * is read by an index that has its rows in the order of the list.
 */
export interface GapSource {
  kind: GapKind;
  action: GapAction;
  /** SQL: the condition on `t`, without that on its age. */
  condition: string;
  /** Whether a person has to do it; else the list shows it, and the work items do not. */
  isForPerson: boolean;
  /** Whether the condition names the latest claim of the deposit or its transfer, as `claim`. */
  readsClaim?: boolean;
}

const HASH_MISSING = `t.status = 'CONFIRMED' and t.transaction_hash is null`;
/** The sender of the coins: its own message, or the deposit from a self-hosted wallet, which has none. */
const OWES_HASH = `(t.direction = 'OUTGOING' or t.pair_id is null and t.origin_type = 'NON_CUSTODIAL')`;
const IS_OWED_HASH = `t.direction = 'INCOMING' and t.pair_id is not null`;
const SENT = `t.direction = 'OUTGOING' and t.destination_type = 'CUSTODIAL'`;
const DELIVERED = `${SENT} and t.status = 'DELIVERED'`;
const AWAITS_ANSWER = `${DELIVERED} and t.next_action = 'WAIT_FOR_COUNTERPARTY'`;
const MAILED = `${SENT} and t.status = 'PENDING' and t.routing_fault = 'EMAIL_SENT'
  and t.next_action = 'WAIT_FOR_COUNTERPARTY'`;
/** The condition on a deposit `t` that its tenant has recorded itself and whose message has not come. */
export const MESSAGE_MISSING = `t.direction = 'INCOMING' and t.message_source = 'MANUAL' and t.pair_id is null
  and t.origin_type = 'CUSTODIAL' and t.related_transaction_id is null and t.status in ('PENDING', 'CONFIRMED')
  and t.blocked_by is null and t.assets_disposition is null`;
const CLAIMABLE = `${MESSAGE_MISSING} and t.transaction_hash is not null and t.blockchain is not null`;

export const GAP_SOURCES: readonly GapSource[] = [
  {
    kind: 'HASH_MISSING',
    action: 'ADD_HASH',
    condition: `${HASH_MISSING} and ${OWES_HASH} and t.next_action = 'ADD_HASH'`,
    isForPerson: true,
  },
  {
    kind: 'HASH_MISSING',
    action: 'CONTACT_COUNTERPARTY',
    condition: `${HASH_MISSING} and ${IS_OWED_HASH} and t.next_action = 'WAIT_FOR_COUNTERPARTY'`,
    isForPerson: true,
  },
  // Held after the confirmation: its coins must not move before the review, which is a work item of the transaction.
  {
    kind: 'HASH_MISSING',
    action: 'REVIEW',
    condition: `${HASH_MISSING} and (${OWES_HASH} or ${IS_OWED_HASH}) and t.next_action = 'REVIEW'`,
    isForPerson: false,
  },
  {
    kind: 'ANSWER_MISSING',
    action: 'CONTACT_COUNTERPARTY',
    condition: `${AWAITS_ANSWER} and t.sunrise_override_at is null`,
    isForPerson: true,
  },
  {
    kind: 'ANSWER_MISSING',
    action: 'WAIT_FOR_COUNTERPARTY',
    condition: `${AWAITS_ANSWER} and t.sunrise_override_at is not null`,
    isForPerson: false,
  },
  // Both are work items of their transactions already.
  {
    kind: 'ANSWER_MISSING',
    action: 'PROVIDE_DATA',
    condition: `${DELIVERED} and t.next_action = 'PROVIDE_DATA'`,
    isForPerson: false,
  },
  {
    kind: 'ANSWER_MISSING',
    action: 'REVIEW',
    condition: `${DELIVERED} and t.next_action = 'REVIEW'`,
    isForPerson: false,
  },
  // The mail was sent, and nobody has opened it.
  {
    kind: 'ANSWER_MISSING',
    action: 'CONTACT_COUNTERPARTY',
    condition: `${MAILED} and t.sunrise_override_at is null`,
    isForPerson: true,
  },
  {
    kind: 'ANSWER_MISSING',
    action: 'WAIT_FOR_COUNTERPARTY',
    condition: `${MAILED} and t.sunrise_override_at is not null`,
    isForPerson: false,
  },
  {
    kind: 'ANSWER_MISSING',
    action: 'WAIT_FOR_COUNTERPARTY',
    condition: `${SENT} and t.status = 'PENDING' and t.routing_fault = 'VASP_NOT_REACHABLE'
      and t.next_action = 'WAIT_FOR_COUNTERPARTY'`,
    isForPerson: false,
  },
  // Both are work items of their transactions already.
  {
    kind: 'ANSWER_MISSING',
    action: 'FIX_ROUTING',
    condition: `${SENT} and t.status = 'PENDING' and t.next_action = 'FIX_ROUTING'`,
    isForPerson: false,
  },
  {
    kind: 'ANSWER_MISSING',
    action: 'RETRY',
    condition: `${SENT} and t.status = 'FAILED' and t.next_action = 'RETRY'`,
    isForPerson: false,
  },
  {
    kind: 'MESSAGE_MISSING',
    action: 'ADD_HASH',
    condition: `${MESSAGE_MISSING} and t.transaction_hash is null`,
    isForPerson: true,
  },
  {
    kind: 'MESSAGE_MISSING',
    action: 'ADD_BLOCKCHAIN',
    condition: `${MESSAGE_MISSING} and t.transaction_hash is not null and t.blockchain is null`,
    isForPerson: true,
  },
  {
    kind: 'MESSAGE_MISSING',
    action: 'CLAIM',
    condition: `${CLAIMABLE} and (coalesce(claim.status, 'CANCELLED') = 'CANCELLED'
      or claim.status = 'FAILED' and claim.route_found_at is not null)`,
    isForPerson: true,
    readsClaim: true,
  },
  {
    kind: 'MESSAGE_MISSING',
    action: 'WAIT_FOR_COUNTERPARTY',
    condition: `${CLAIMABLE} and claim.status in ('PENDING', 'DELIVERED')`,
    isForPerson: false,
    readsClaim: true,
  },
  {
    kind: 'MESSAGE_MISSING',
    action: 'DECIDE_ON_ASSETS',
    condition: `${CLAIMABLE} and (claim.status in ('ANSWERED', 'DECLINED', 'EXPIRED')
      or claim.status = 'FAILED' and claim.route_found_at is null)`,
    isForPerson: true,
    readsClaim: true,
  },
];

// A claim that was answered has the record of the message, which may be another than the deposit; and while one is open for the
// transfer of another record, or its VASP has answered one, a claim of the deposit would be refused, or bring nothing new. Which VASP
// of the two is asked may have been merged since. A deposit that names one which is not in the directory names none that has answered.
const OF_TRANSFER = `c.hash_normal = t.hash_normal and c.destination_normal = t.destination_normal
  and c.blockchain_key = t.blockchain_key and coalesce(c.destination_tag, '') = coalesce(t.destination_tag, '')
  and (c.status in ('PENDING', 'DELIVERED') or c.status = 'ANSWERED'
    and case when t.counterparty_entity_id is null then t.names_originator_vasp is not true
      else coalesce(c.originator_vasp_entity_id = any(${sameEntities('t.counterparty_entity_id')}), true) end)`;

const LATEST_CLAIM = `
  left join lateral (
    select id, status, route_found_at from (
      ${['c.transaction_id = t.id', OF_TRANSFER].map(latestClaim).join(' union all ')}
    ) claims order by created_at desc limit 1
  ) claim on true`;

function latestClaim(condition: string): string {
  return `(select c.id, c.status, c.route_found_at, c.created_at from claims c
    where c.tenant_id = t.tenant_id and ${condition} and c.direction = 'OUTGOING' and c.erased_at is null
    order by c.created_at desc limit 1)`;
}

/** SQL: `transactions t` of the tenant `$1` that are in a source and older than its time. */
export function gapsFrom({ kind, condition, readsClaim }: GapSource): string {
  return `transactions t ${readsClaim ? LATEST_CLAIM : ''}
    where t.tenant_id = $1 and t.deleted_at is null and ${condition}
      and t.created_at < now() - interval '${GRACE_HOURS[kind]} hours'`;
}
