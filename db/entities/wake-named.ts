import { wakeUnrouted } from '../transactions/wake-unrouted.ts';
import type { Queryable } from '../postgres.ts';
import type { OutboxEntry } from '../outbox.ts';

interface ChangedEntities {
  ids: readonly string[];
  /** Folded names that led to these entities before the change. */
  formerNames?: readonly string[];
}

/**
 * Routes messages again that wait for a VASP with a name of these entities or of their duplicates, and decides transfers
 * again that a rule lets wait on them. Runs in the transaction that changes the entities, under the locks of the names.
 */
export async function wakeNamed(
  tx: Queryable,
  { ids, formerNames = [] }: ChangedEntities,
  now: Date,
): Promise<OutboxEntry[]> {
  const names = await foldedNames(tx, ids);
  const vaspsFolded = [...new Set([...formerNames, ...names])];
  return await wakeUnrouted(tx, { entityIds: ids, vaspsFolded }, now);
}

/** The folded names and aliases that identify these entities, including those of their duplicates. */
export async function foldedNames(tx: Queryable, entityIds: readonly string[]): Promise<string[]> {
  const { rows } = await tx.query<{ folded: string }>(
    `select distinct n.folded from entities e join entity_names n on n.entity_id = e.id
     where (e.id = any($1::uuid[]) or e.master_entity_id = any($1::uuid[])) and n.kind <> 'LEGAL'`,
    [entityIds],
  );
  return rows.map((row) => row.folded);
}
