import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { wake } from './wake.ts';

/** SQL over `transactions t`: the message waits for a receiver. */
const IS_UNROUTED = `t.sub_status = 'VASP_NOT_FOUND' and t.status = 'PENDING' and t.deleted_at is null`;

/** New destinations or VASP names that a waiting message may be addressed to; names are folded. */
export type NewRoute =
  | { destinationsNormal: readonly string[] }
  | { vaspsFolded: readonly string[] }
  /** SQL that selects the folded names, when there are too many for a parameter; it takes no parameters. */
  | { vaspsSql: string };

/**
 * Wakes every tenant's unrouted messages to new wallets or names; they are screened again before they are routed.
 * Runs in the database transaction that creates the wallets or names, or in a later one that locks their routes.
 */
export async function wakeUnrouted(tx: Queryable, route: NewRoute, now: Date): Promise<OutboxEntry[]> {
  const { fits, values } = fitOf(route);
  if (values?.length === 0) return [];
  return await wake(
    tx,
    { where: `${fits} and ${IS_UNROUTED}`, values: values ? [values] : [] },
    { screenAgain: 'UNLESS_REVIEWED', now },
  );
}

function fitOf(route: NewRoute): { fits: string; values?: readonly string[] } {
  if ('vaspsSql' in route) return { fits: `t.beneficiary_vasp_folded in (${route.vaspsSql})` };
  if ('vaspsFolded' in route) {
    return { fits: 't.beneficiary_vasp_folded = any($2::text[])', values: route.vaspsFolded };
  }
  return { fits: 't.destination_normal = any($2::text[])', values: route.destinationsNormal };
}
