import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { wake } from './wake.ts';

/** SQL over `transactions o`: the message waits for a receiver, or under a rule that may name its counterparty. */
const WAITS_FOR_ROUTE = `o.sub_status in ('VASP_NOT_FOUND', 'WAITING') and o.status = 'PENDING' and o.deleted_at is null`;

/**
 * SQL over transactions: the VASP of the message could not be reached; another may have its name now, or another network leads to it.
 * One that is held is routed once its reviewer lets it pass.
 */
const IS_UNREACHABLE = (t: string) =>
  `${t}.routing_fault = 'VASP_NOT_REACHABLE' and ${t}.status = 'PENDING' and ${t}.hold is null`;

/** SQL over `transactions t`: it still waits, once it is locked. */
const STILL_WAITS = `(t.sub_status in ('VASP_NOT_FOUND', 'WAITING') or ${IS_UNREACHABLE('t')}) and t.deleted_at is null`;

/**
 * SQL over `transactions o`: its name leads to one institution that is not its tenant's own, so its destination decides
 * nothing. Otherwise whoever registers the destination could have it decided again without end.
 */
const NAMES_RECEIVER = `coalesce((
  select count(distinct coalesce(e.master_entity_id, e.id)) = 1
    and bool_and(coalesce(e.master_entity_id, e.id) is distinct from s.entity_id)
  from entity_names n join entities e on e.id = n.entity_id, tenants s
  where n.folded = o.beneficiary_vasp_folded and n.kind <> 'LEGAL' and s.id = o.tenant_id), false)`;

/** Wallets or entities from which the counterparty of a waiting message follows; names are folded. */
export type ChangedRoute =
  | { destinationsNormal: readonly string[] }
  /** Entities whose data changed, and the names that lead to them or did before. */
  | { entityIds: readonly string[]; vaspsFolded: readonly string[] }
  /** SQL that selects the ids and the names, when there are too many for a parameter; it takes no parameters. */
  | { entitiesSql: string; vaspsSql: string };

/**
 * Wakes every tenant's messages that wait for a receiver with one of these wallets or names, or to reach it, and the transfers that a rule
 * lets wait whose counterparty was, is or becomes one of the entities; they are screened and decided again. A message whose
 * name leads to an institution is not woken for a wallet. Runs in the database transaction that changes the wallets or
 * entities, under the locks of their routes.
 */
export async function wakeUnrouted(tx: Queryable, route: ChangedRoute, now: Date): Promise<OutboxEntry[]> {
  const { arms, values } = selectionOf(route);
  if (values.length > 0 && values.every((list) => list.length === 0)) return [];
  const where = `t.id in (${arms.join(' union ')}) and ${STILL_WAITS}`;
  return await wake(tx, { where, values }, { screenAgain: 'UNLESS_REVIEWED', now });
}

/** The parts of the selection, each with an index of its own, and their parameters. */
function selectionOf(route: ChangedRoute): { arms: string[]; values: (readonly string[])[] } {
  if ('destinationsNormal' in route) {
    const arm = `select o.id from transactions o where o.destination_normal = any($2::text[]) and ${WAITS_FOR_ROUTE}
      and not ${NAMES_RECEIVER}`;
    return { arms: [arm], values: [route.destinationsNormal] };
  }
  if ('entitiesSql' in route) return { arms: armsOf(route.entitiesSql, route.vaspsSql), values: [] };
  const arms = armsOf('select unnest($2::uuid[])', 'select unnest($3::text[])');
  return { arms, values: [route.entityIds, route.vaspsFolded] };
}

/**
 * Selects records by the name in the message, the entity of a received one, the entity for which a rule lets it wait, and the tenant
 * that holds the destination: it counts under a name that is nearly its own, and against labels of a VASP that is a duplicate of it.
 */
const armsOf = (ids: string, names: string) => [
  `select o.id from transactions o where o.beneficiary_vasp_folded in (${names}) and ${WAITS_FOR_ROUTE}`,
  `select o.id from transactions o where o.counterparty_entity_id in (${ids}) and o.sub_status = 'WAITING'`,
  `select o.id from transactions o where o.beneficiary_vasp_folded in (${names}) and ${IS_UNREACHABLE('o')} and o.deleted_at is null`,
  `select o.id from tenants h join wallets w on w.tenant_id = h.id join transactions o on o.destination_normal = w.address_normal
   where h.entity_id in (${ids}) and h.erased_at is null and o.tenant_id <> h.id and ${WAITS_FOR_ROUTE} and not ${NAMES_RECEIVER}`,
  `select d.transaction_id from rule_decisions d where d.waits_on_entity_id in (${ids}) and d.wait_until > $1`,
];
