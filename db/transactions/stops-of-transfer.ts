import { sameEntities } from '../routes/same-entity.ts';

// In two looks of one row each, so that whoever sends many messages of one hash makes nobody read them all.
const OTHERS = (own: string, says: string) => `
  select m.id from transactions m
  where m.tenant_id = ${own}.tenant_id and m.hash_normal = ${own}.hash_normal
    and m.destination_normal = ${own}.destination_normal and m.direction = 'INCOMING' and m.id <> ${own}.id
    and (m.hold is not null or m.blocked_by is not null or m.blocked_hold is not null)
    and (m.blockchain_key is null or ${own}.blockchain_key is null or m.blockchain_key = ${own}.blockchain_key)
    and (m.destination_tag is null or ${own}.destination_tag is null or m.destination_tag = ${own}.destination_tag)
    and upper(m.asset) = upper(${own}.asset) and ${says}
  order by m.id limit 1`;

/** SQL over a record `m`: it is held. */
export const IS_HELD = `m.hold is not null and m.blocked_by is null and m.status not in ('DECLINED', 'CANCELLED')`;
const IS_BLOCKED = `(m.blocked_by is not null or m.status = 'DECLINED' and m.blocked_hold is not null)`;

/** SQL over a message `m`: nobody vouches for its sender, which may be anybody who knows a travel address or a partner's key. */
const IS_UNPROVEN = `m.counterparty_entity_id is null and m.message_source is distinct from 'MANUAL'`;

/**
 * SQL over a message `m`: its sender is another VASP than the one that the own record names, and another message of its for this
 * transfer was stopped before. That was looked at, and it could send the next one for ever.
 */
const IS_REPEATED = (own: string) => `(${own}.counterparty_entity_id is not null
  and m.counterparty_entity_id <> all(${own}.named_entities) and m.message_source is distinct from 'MANUAL' and exists (
    select from transactions b
    where b.tenant_id = m.tenant_id and b.hash_normal = m.hash_normal and b.destination_normal = m.destination_normal
      and b.direction = 'INCOMING' and b.counterparty_entity_id = any(${sameEntities('m.counterparty_entity_id')}) and b.id <> m.id
      and b.message_source is distinct from 'MANUAL'
      and (b.blocked_by is not null or b.status = 'DECLINED' and b.blocked_hold is not null)))`;

/**
 * SQL over an event `e` of an own record: what it waited for then, by the record `b`, has ended by an act of the sender of `b`, unreviewed.
 * The arrival of `b`, at which `e` may have come, is no such act, and a change of the own record by its tenant ends the wait by itself.
 */
const WAS_LIFTED_BY_SENDER = `exists (
  select from events c where c.tenant_id = e.tenant_id and c.subject_id = e.subject_id and c.sequence > e.sequence
    and c.type = 'RELATED_CLEARED'
    and exists (select from events s where s.tenant_id = b.tenant_id and s.subject_id = b.id and s.actor = 'COUNTERPARTY'
      and s.created_at > e.created_at and s.created_at <= c.created_at)
    and not exists (select from events o where o.tenant_id = e.tenant_id and o.subject_id = e.subject_id
      and o.actor in ('USER', 'API_KEY') and o.created_at = c.created_at)
    and not exists (select from events r where r.tenant_id = b.tenant_id and r.subject_id = b.id and r.type = 'REVIEWED'
      and r.data ->> 'decision' = 'PROCEED' and r.created_at > e.created_at and r.created_at <= c.created_at))`;

/** SQL: the messages `b` for which an own record has waited, or was held, by the event `e`. */
const WAITED_FOR = (own: string) => `
  from events e join transactions b on b.tenant_id = e.tenant_id and b.id = (e.data ->> 'transactionId')::uuid
  where e.tenant_id = ${own}.tenant_id and e.subject_id = ${own}.id and b.message_source is distinct from 'MANUAL'
    and e.type in ('HELD', 'RELATED_HELD')`;

/**
 * SQL over a message `m`: the own record does not name its sender, and has waited for that before. Either the sender itself has
 * ended the wait, by a withdrawal or another hash: it could do so for ever, and the clearance would follow it each time. Or
 * nobody vouches for the sender, and the own record was held for that: its review settles it for all such messages. Both
 * are asked once for an own record, however many messages there are.
 */
const IS_SPENT = (own: string) => `(m.message_source is distinct from 'MANUAL' and case
  when m.counterparty_entity_id is null then exists (
    select ${WAITED_FOR(own)} and b.counterparty_entity_id is null and (e.type = 'HELD' or ${WAS_LIFTED_BY_SENDER}))
  else m.counterparty_entity_id <> all(${own}.named_entities) and m.counterparty_entity_id = any(array(
    select unnest(${sameEntities('b.counterparty_entity_id')}) ${WAITED_FOR(own)} and b.counterparty_entity_id is not null
      and e.type = 'RELATED_HELD' and ${WAS_LIFTED_BY_SENDER}))
  end)`;

/**
 * SQL: the records of one transfer that are held, and that were stopped. Hashes and destinations are public: what was stopped of
 * another VASP than the one that the own record names says nothing about it, or a stranger could stop a transfer for good. Nor
 * does an unproven message say anything about an own record that names a VASP of the directory: a stranger could write one after
 * the other. Any other own record may be of the sender of a stopped message that nobody vouches for; and one from a self-hosted
 * wallet names no VASP at all: these are in doubt, and never stopped by it. `own.named_entities` are the ids of the VASP that
 * the own record names (`sameEntities`): what was a VASP of its own when a record named it may have been merged since.
 */
export const STOPS_OF_TRANSFER = (own: string) => `
  (${OTHERS(
    own,
    `${IS_HELD} and (${own}.counterparty_entity_id is null or not (${IS_UNPROVEN} or ${IS_REPEATED(own)}))
      and not ${IS_SPENT(own)}`,
  )}) as held_id,
  (${OTHERS(
    own,
    `${IS_BLOCKED} and not (${IS_UNPROVEN}) and (${own}.origin_type = 'CUSTODIAL' or m.message_source = 'MANUAL')
      and (${own}.counterparty_entity_id is null or m.counterparty_entity_id is null
        or m.counterparty_entity_id = any(${own}.named_entities))`,
  )}) as blocked_id,
  (${OTHERS(
    own,
    `${IS_BLOCKED} and (${own}.counterparty_entity_id is null and ${IS_UNPROVEN}
      or ${own}.origin_type <> 'CUSTODIAL' and m.message_source is distinct from 'MANUAL')`,
  )}) as doubt_id`;
