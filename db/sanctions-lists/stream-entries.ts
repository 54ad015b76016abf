import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import type { Queryable } from '../postgres.ts';

/** A version of a list that is or was active. */
export interface VersionRef {
  code: string;
  version: number;
}

/** An entry as stored; `rowHash` (SHA-256) changes when anything in it does. */
export interface StoredEntry {
  entry: ListEntry;
  rowHash: Buffer;
}

/** Few round trips, and pages of at most a few megabytes. */
const PAGE_ROWS = 2_000;

/** SQL: the row belongs to the contents of version $2 of list $1. */
const IS_AT_VERSION =
  'code = $1 and version_added <= $2 and (version_removed is null or version_removed > $2)';

/** All entries of these versions, in the given order of lists, each list ordered by source id. */
export async function* streamEntries(
  db: Queryable,
  versions: readonly VersionRef[],
): AsyncGenerator<StoredEntry> {
  for (const { code, version } of versions) yield* entriesAt(db, code, version);
}

/** The entries of a version as they were then, ordered by source id; none for a version that never was active. */
export async function* entriesAt(db: Queryable, code: string, version: number): AsyncGenerator<StoredEntry> {
  let lastId: string | null = null;
  for (;;) {
    const page: PageRow[] = await readPage(db, { code, version }, lastId);
    for (const { entry, rowHash } of page) yield { entry, rowHash };
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    lastId = last.sourceId;
  }
}

interface PageRow extends StoredEntry {
  sourceId: string;
}

/**
 * Reads the page after a source id: later pages cost as much as the first, and no transaction stays open between
 * them.
 */
async function readPage(
  db: Queryable,
  { code, version }: VersionRef,
  lastId: string | null,
): Promise<PageRow[]> {
  const { rows } = await db.query<PageRow>(
    `select source_id as "sourceId", row_hash as "rowHash", entry from sanctions_entries
     where ${IS_AT_VERSION} and ($3::text is null or source_id > $3)
     order by source_id limit ${PAGE_ROWS}`,
    [code, version, lastId],
  );
  return rows;
}
