import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { wake } from './wake.ts';

/** SQL over `transactions t`: the message waits for a receiver, or under a rule that may name its counterparty. */
const WAITS_FOR_ROUTE = `t.sub_status in ('VASP_NOT_FOUND', 'WAITING') and t.status = 'PENDING' and t.deleted_at is null`;

/** SQL over `transactions t`: a rule lets the transfer wait, whose counterparty is one of the entities with these names. */
const waitsForFacts = (names: string) => `t.id in (
  select o.id from transactions o join entity_names n on n.entity_id = o.counterparty_entity_id
  where n.folded in (${names}) and o.sub_status = 'WAITING'
) and t.sub_status = 'WAITING' and t.deleted_at is null`;

/** New destinations or VASP names that a waiting message may be addressed to; names are folded. */
export type NewRoute =
  | { destinationsNormal: readonly string[] }
  | { vaspsFolded: readonly string[] }
  /** SQL that selects the folded names, when there are too many for a parameter; it takes no parameters. */
  | { vaspsSql: string };

/**
 * Wakes every tenant's messages that wait for a receiver with one of these wallets or names, and the transfers that a rule
 * lets wait whose counterparty has changed; they are screened and decided again. Runs in the database transaction that
 * creates the wallets or names, or in a later one that locks their routes.
 */
export async function wakeUnrouted(tx: Queryable, route: NewRoute, now: Date): Promise<OutboxEntry[]> {
  const { conditions, values } = selectionOf(route);
  if (values?.length === 0) return [];
  const woken: OutboxEntry[] = [];
  // One statement each, since each has an index of its own.
  for (const where of conditions) {
    const selection = { where, values: values ? [values] : [] };
    woken.push(...(await wake(tx, selection, { screenAgain: 'UNLESS_REVIEWED', now })));
  }
  return woken;
}

function selectionOf(route: NewRoute): { conditions: string[]; values?: readonly string[] } {
  if ('destinationsNormal' in route) {
    const conditions = [`t.destination_normal = any($2::text[]) and ${WAITS_FOR_ROUTE}`];
    return { conditions, values: route.destinationsNormal };
  }
  const names = 'vaspsSql' in route ? route.vaspsSql : 'select unnest($2::text[])';
  const conditions = [`t.beneficiary_vasp_folded in (${names}) and ${WAITS_FOR_ROUTE}`, waitsForFacts(names)];
  return 'vaspsSql' in route ? { conditions } : { conditions, values: route.vaspsFolded };
}
