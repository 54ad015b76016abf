import { labelKeys } from '../../domain/labels/label-key.ts';
import type { FoundLabel } from '../../domain/labels/label.ts';
import type { Queryable } from '../postgres.ts';
import { toLabel, type LabelRow } from './label-columns.ts';

/** Maximum number of labels returned for one address. */
const MAX_LABELS = 20;

/**
 * Finds the labels of addresses in any spelling, on any blockchain: by the address as given, most confident first.
 * Addresses without labels are not in the map. One statement, whatever their number.
 */
export async function findLabels(
  db: Queryable,
  addresses: readonly string[],
): Promise<Map<string, FoundLabel[]>> {
  const keysOf = new Map(addresses.map((address) => [address, labelKeys(address)]));
  if (keysOf.size === 0) return new Map();
  const found = await readLabels(db, [...new Set([...keysOf.values()].flat())]);
  const labels = new Map<string, FoundLabel[]>();
  for (const [address, keys] of keysOf) {
    const all = keys.flatMap((key) => found.get(key) ?? []).toSorted(bySurety);
    if (all.length > 0) labels.set(address, all.slice(0, MAX_LABELS));
  }
  return labels;
}

/** The order of the statement, for what was published of one account in several spellings. */
function bySurety(left: FoundLabel, right: FoundLabel): number {
  const [leftDay, rightDay] = [left.lastModified ?? '', right.lastModified ?? ''];
  const byDay = leftDay === rightDay ? 0 : leftDay < rightDay ? 1 : -1;
  return right.confidence - left.confidence || byDay;
}

async function readLabels(db: Queryable, keys: readonly string[]): Promise<Map<string, FoundLabel[]>> {
  const { rows } = await db.query<LabelRow>({
    name: 'find-labels',
    // A lateral join per key, so that the index is used even when the planner has no statistics of a table that was
    // just filled. The select keeps the number of keys from the planner: see unnestRows.
    text: `select l.* from unnest((select $1::text[])) as k(key) cross join lateral (
        select l.address_key, l.blockchain, l.label, l.type, l.entity_id, l.entity_name, l.confidence,
          l.last_modified::text as last_modified, l.reference, i.source
        from labels l join label_imports i on i.id = l.import_id
        where l.address_key = k.key and i.is_active
        order by l.confidence desc, l.last_modified desc nulls last, i.source, l.label limit ${MAX_LABELS}
      ) l`,
    values: [keys],
  });
  const labels = new Map<string, FoundLabel[]>();
  for (const row of rows) labels.set(row.address_key, [...(labels.get(row.address_key) ?? []), toLabel(row)]);
  return labels;
}
