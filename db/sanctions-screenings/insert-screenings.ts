import { KEY_STATE, StaleCaller, type KeyStanding } from '../api-keys/key-standing.ts';
import type { Database } from '../database.ts';
import { naturalBatch } from '../natural-batch.ts';
import { columnNames, columnValues, insertSql, unnestRows, unnestValues, type Column } from '../columns.ts';
import { screeningColumns, type SealedScreening } from './screening-row.ts';
import type { Queryable } from '../postgres.ts';

/** A screening, and what the caller rests on who is to get it; undefined for one who was read for this request. */
interface NewScreening extends SealedScreening {
  standing: KeyStanding | undefined;
}

const standingColumns: Column<NewScreening>[] = [
  { name: 'key_hash', type: 'bytea', value: ({ standing }) => standing?.keyHash ?? null },
  { name: 'key_state', type: 'text', value: ({ standing }) => standing?.state ?? null },
];
const sentColumns = [...screeningColumns, ...standingColumns];

const INSERT = insertSql('screenings', screeningColumns);
const INSERT_WHERE_KEYS_HOLD = `
  insert into screenings (${columnNames(screeningColumns)})
  select ${columnValues(screeningColumns)} from ${unnestRows(sentColumns)}
  where r.key_hash is null or r.key_state = (
    select ${KEY_STATE} from api_keys k join tenants t on t.id = k.tenant_id where k.hash = r.key_hash)
  returning id`;

/** Stores a screening. */
export async function insertScreening(db: Queryable, screening: SealedScreening): Promise<void> {
  await db.query({
    name: 'insert-screening',
    text: INSERT,
    values: unnestValues(screeningColumns, [screening]),
  } as { text: string; values: unknown[] });
}

/**
 * Stores screenings as they come: those that arrive together go in one statement, which stores none for a caller whose
 * key or tenant is not as it was. Throws StaleCaller for that one.
 */
export function screeningWriter(
  db: Database,
): (screening: SealedScreening, standing: KeyStanding | undefined) => Promise<void> {
  const write = naturalBatch<NewScreening, boolean>({
    maxSize: 128,
    concurrency: 2,
    gather: true,
    run: async (batch) => await insertAll(db.pool, batch),
  });
  return async (screening, standing) => {
    if (!(await write({ ...screening, standing }))) throw new StaleCaller();
  };
}

/** Whether each was stored. */
async function insertAll(db: Queryable, batch: readonly NewScreening[]): Promise<boolean[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'insert-screenings',
    text: INSERT_WHERE_KEYS_HOLD,
    values: unnestValues(sentColumns, batch),
  } as { text: string; values: unknown[] });
  const stored = new Set(rows.map(({ id }) => id));
  return batch.map(({ screening }) => stored.has(screening.id));
}
