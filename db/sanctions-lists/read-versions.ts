import type { Queryable } from '../postgres.ts';

/** A list version that screening uses. */
export interface ActiveVersion {
  code: string;
  version: number;
  /** The publisher's date of the file; null where the file has none. */
  publishedAt: Date | null;
  receivedAt: Date;
  /**
   * When the contents were last known to be current: for a fetched list, the last check of its publisher that
   * returned them or found nothing newer; for an upload, its receipt; for the bundled snapshot, the day of its
   * publication.
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
