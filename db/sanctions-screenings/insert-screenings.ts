import { KEY_STATE, StaleCaller, type CachedKey } from '../api-keys/cached-key.ts';
import type { Database } from '../database.ts';
import { naturalBatch } from '../natural-batch.ts';
import { pendingSearchFlusher } from '../pending-search.ts';
import { columnNames, columnValues, insertSql, unnestRows, unnestValues, type Column } from '../columns.ts';
import { screeningColumns, type SealedScreening } from './screening-row.ts';
import type { Queryable } from '../postgres.ts';
import { deltasSql, insertCounted } from '../statistics/deltas.ts';
import { countedColumns, SCREENINGS } from '../statistics/measures.ts';

/** A screening and the cached key of its caller; undefined for a caller whose key was read for this request. */
interface NewScreening extends SealedScreening {
  cachedKey: CachedKey | undefined;
}

const cachedKeyColumns: Column<NewScreening>[] = [
  { name: 'key_hash', type: 'bytea', value: ({ cachedKey }) => cachedKey?.keyHash ?? null },
  { name: 'key_state', type: 'text', value: ({ cachedKey }) => cachedKey?.state ?? null },
];
const sentColumns = [...screeningColumns, ...cachedKeyColumns];

const INSERT = insertSql('screenings', screeningColumns);
const INSERT_WHERE_KEYS_HOLD = `
  with stored as (
    insert into screenings (${columnNames(screeningColumns)})
    select ${columnValues(screeningColumns)} from ${unnestRows(sentColumns)}
    where r.key_hash is null or r.key_state = (
      select ${KEY_STATE} from api_keys k join tenants t on t.id = k.tenant_id where k.hash = r.key_hash)
    returning id, ${countedColumns(SCREENINGS)}
  ), counted as (${deltasSql(SCREENINGS, { added: 'stored' })})
  select id from stored`;

const UPSERT = `${INSERT} on conflict (id) do update set ${screeningColumns
  .filter(({ name }) => name !== 'id' && name !== 'tenant_id' && name !== 'transaction_id')
  .map(({ name }) => `${name} = excluded.${name}`)
  .join(', ')}`;

/** Stores what was found of transfers: of each subject of a transfer the latest screening, in place of the one before. */
export async function replaceScreenings(
  db: Queryable,
  screenings: readonly SealedScreening[],
): Promise<void> {
  // Two parties of a transfer may be the same subject.
  const distinct = [...new Map(screenings.map((sealed) => [sealed.screening.id, sealed])).values()];
  if (distinct.length === 0) return;
  await db.query({
    name: 'replace-screenings',
    text: UPSERT,
    values: unnestValues(screeningColumns, distinct),
  } as { text: string; values: unknown[] });
}

/** Stores one screening. */
export async function insertScreening(db: Queryable, screening: SealedScreening): Promise<void> {
  await db.query({
    name: 'insert-screening',
    text: insertCounted(SCREENINGS, INSERT),
    values: unnestValues(screeningColumns, [screening]),
  } as { text: string; values: unknown[] });
}

/**
 * Stores screenings. Those that arrive together share one statement, which stores none for a cached caller whose key
 * or tenant has changed: that one gets StaleCaller.
 */
export function screeningWriter(
  db: Database,
): (screening: SealedScreening, cachedKey: CachedKey | undefined) => Promise<void> {
  const flush = pendingSearchFlusher(db.pool);
  const write = naturalBatch<NewScreening, boolean>({
    maxSize: 128,
    concurrency: 2,
    gather: true,
    run: async (batch) => {
      const stored = await insertAll(db.pool, batch);
      flush(batch.length);
      return stored;
    },
  });
  return async (screening, cachedKey) => {
    if (!(await write({ ...screening, cachedKey }))) throw new StaleCaller();
  };
}

/** Stores a batch; true for each screening that was stored. */
async function insertAll(db: Queryable, batch: readonly NewScreening[]): Promise<boolean[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'insert-screenings',
    text: INSERT_WHERE_KEYS_HOLD,
    values: unnestValues(sentColumns, batch),
  } as { text: string; values: unknown[] });
  const stored = new Set(rows.map(({ id }) => id));
  return batch.map(({ screening }) => stored.has(screening.id));
}
