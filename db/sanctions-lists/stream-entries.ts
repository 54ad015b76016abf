import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import type { Queryable } from '../postgres.ts';

/** Which contents are meant: any version that was ever active. */
export interface VersionPlace {
  code: string;
  version: number;
}

/** An entry as stored; `rowHash` (SHA-256) changes when anything in it does. */
export interface StoredEntry {
  entry: ListEntry;
  rowHash: Buffer;
}

/** Few round trips, and no page of more than some megabytes. */
const PAGE_ROWS = 2_000;

/** SQL: the row belongs to the contents of version $2 of list $1. */
const IS_AT_VERSION =
  'code = $1 and version_added <= $2 and (version_removed is null or version_removed > $2)';

/** All entries of these versions, list after list in the given order, each list by source id: the same order always. */
export async function* streamEntries(
  db: Queryable,
  versions: readonly VersionPlace[],
): AsyncGenerator<StoredEntry> {
  for (const { code, version } of versions) yield* entriesAt(db, code, version);
}

/** The entries of a version as they stood then, by source id; none of a version that never was active. */
export async function* entriesAt(db: Queryable, code: string, version: number): AsyncGenerator<StoredEntry> {
  let after: string | null = null;
  for (;;) {
    const page: PageRow[] = await readPage(db, { code, version }, after);
    for (const { entry, rowHash } of page) yield { entry, rowHash };
    const last = page.at(-1);
    if (!last || page.length < PAGE_ROWS) return;
    after = last.sourceId;
  }
}

interface PageRow extends StoredEntry {
  sourceId: string;
}

/** By keyset: later pages cost what the first one does, and no transaction stays open between them. */
async function readPage(
  db: Queryable,
  { code, version }: VersionPlace,
  after: string | null,
): Promise<PageRow[]> {
  const { rows } = await db.query<PageRow>(
    `select source_id as "sourceId", row_hash as "rowHash", entry from sanctions_entries
     where ${IS_AT_VERSION} and ($3::text is null or source_id > $3)
     order by source_id limit ${PAGE_ROWS}`,
    [code, version, after],
  );
  return rows;
}
