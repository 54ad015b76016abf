import type { Queryable } from '../postgres.ts';

/** A version that screening answers from. */
export interface ActiveVersion {
  code: string;
  version: number;
  /** As the publisher dates it; null where the file says nothing. */
  publishedAt: Date | null;
  receivedAt: Date;
  /**
   * When the contents were last known to be the newest: of a fetched list the last look at its publisher that brought
   * them or found nothing newer, of an upload its receipt, of the bundled snapshot the day it was published.
   */
  checkedAt: Date;
  entries: number;
}

/** The active version of every list that has one, by code. Two small tables: cheap enough for every second. */
export async function readActiveVersions(db: Queryable): Promise<ActiveVersion[]> {
  const { rows } = await db.query<ActiveVersion>(
    `select v.code, v.version, v.published_at as "publishedAt", v.received_at as "receivedAt",
       coalesce(l.current_at, v.received_at) as "checkedAt", v.entries
     from sanctions_lists l join sanctions_versions v on v.code = l.code and v.version = l.active_version
     order by v.code`,
  );
  return rows;
}
