import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { wake } from './wake.ts';

/** SQL over `transactions t`: the message waits until somebody is found to send it to. */
const IS_UNROUTED = `t.sub_status = 'VASP_NOT_FOUND' and t.status = 'PENDING' and t.deleted_at is null`;

/** What newly exists that a waiting message may be meant for; names are folded. */
export type NewRoute =
  | { destinationsNormal: readonly string[] }
  | { vaspsFolded: readonly string[] }
  /** SQL that selects the folded names, for too many to carry; it takes no parameters. */
  | { vaspsSql: string };

/**
 * Lets every tenant's unrouted messages for new wallets or names be routed again, after a screening that counts from now
 * on. Runs in the database transaction that makes the wallets or names.
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
