import { RECENT_DAYS, REPEATED_FROM } from '../../domain/entities/counterparty.ts';

interface TenantSql {
  tenantId: string;
  now: string;
}

/** SQL over transactions `t`: messages of others that lack data which the law demands. There is an index of them. */
const INCOMPLETE = (tenantId: string) =>
  `t.tenant_id = ${tenantId} and t.counterparty_entity_id is not null and t.incomplete and t.direction = 'INCOMING'
   and t.message_source <> 'MANUAL' and t.deleted_at is null`;

/** SQL over claims `k`: claims of the tenant that were refused or that expired. There is an index of them. */
const UNANSWERED = (tenantId: string) =>
  `k.tenant_id = ${tenantId} and k.direction = 'OUTGOING' and k.status in ('DECLINED', 'EXPIRED')
   and k.originator_vasp_entity_id is not null and k.erased_at is null`;

/**
 * SQL: the latest failures of an entity and its duplicates, as many as make it fail repeatedly, of the last RECENT_DAYS:
 * `at`. Only that many are read, however many there are.
 */
function latestFailures(entityId: string, { tenantId, now }: TenantSql): string {
  const recently = (time: string) => `${time} >= ${now}::timestamptz - interval '${RECENT_DAYS} days'`;
  return `
    select f.at from entities m cross join lateral (
      (select t.created_at as at from transactions t
       where ${INCOMPLETE(tenantId)} and t.counterparty_entity_id = m.id and ${recently('t.created_at')}
       order by t.created_at desc limit ${REPEATED_FROM})
      union all
      (select k.updated_at as at from claims k
       where ${UNANSWERED(tenantId)} and k.originator_vasp_entity_id = m.id and ${recently('k.updated_at')}
       order by k.updated_at desc limit ${REPEATED_FROM})
    ) f
    where m.id = ${entityId} or m.master_entity_id = ${entityId}
    order by f.at desc limit ${REPEATED_FROM}`;
}

/** SQL: whether the entity fails repeatedly. */
export function failsRepeatedly(entityId: string, sql: TenantSql): string {
  return `(select count(*) from (${latestFailures(entityId, sql)}) latest) >= ${REPEATED_FROM}`;
}

/**
 * SQL: the entities that fail repeatedly, with the time of the latest failure, unless the tenant has recorded a step about them
 * since. The entities are read one after another from the index: few of them have many incomplete messages.
 */
export function unansweredFailures(sql: TenantSql): string {
  const { tenantId } = sql;
  const firstAfter = (condition: string) =>
    `select t.counterparty_entity_id as id from transactions t where ${INCOMPLETE(tenantId)} ${condition}
     order by t.counterparty_entity_id limit 1`;
  return `
    with recursive incomplete as (
      (${firstAfter('')})
      union all
      select (${firstAfter('and t.counterparty_entity_id > incomplete.id')}) from incomplete where incomplete.id is not null
    ), failing as (
      select distinct coalesce(m.master_entity_id, m.id) as id from entities m
      where m.id in (select id from incomplete union select k.originator_vasp_entity_id from claims k where ${UNANSWERED(tenantId)})
    )
    select failing.id, found.latest from failing cross join lateral (
      select count(*) as failures, max(latest.at) as latest from (${latestFailures('failing.id', sql)}) latest
    ) found
    where found.failures >= ${REPEATED_FROM} and not exists (
      select 1 from counterparty_steps s join entities d on d.id = s.entity_id
      where s.tenant_id = ${tenantId} and coalesce(d.master_entity_id, d.id) = failing.id and s.created_at > found.latest)`;
}
