import type { Queryable } from '../postgres.ts';

/** Publishers are asked every hour: after two days without an answer something is wrong. */
const OLD_AFTER_HOURS = 48;

/**
 * Lists that need an operator, by code: every active one whose contents nobody has confirmed for two days, whatever it
 * came from, and of those that are fetched the ones whose last update was rejected or could not be read or fetched. One
 * statement over a table of a few rows.
 */
export async function troubledLists(db: Queryable, fetched: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ code: string }>(
    `select l.code from sanctions_lists l
     where l.active_version is not null and l.current_at < now() - make_interval(hours => ${OLD_AFTER_HOURS})
       or l.code = any($1::text[]) and (
         l.check_outcome in ('REJECTED', 'UNREADABLE', 'FETCH_FAILED')
         or l.check_outcome is not null and l.current_at < now() - make_interval(hours => ${OLD_AFTER_HOURS})
         or l.created_at < now() - make_interval(hours => ${OLD_AFTER_HOURS}) and l.active_version is null)
     order by l.code`,
    [fetched],
  );
  return rows.map(({ code }) => code);
}

/** The figures of one list that operators alert on. */
export interface ListFigures {
  code: string;
  /** Since the active version was last known to be the newest; null without one. */
  ageSeconds: number | null;
  /** Entries of the active version. */
  entries: number;
  /** Versions that did not pass a check, ever. */
  rejected: number;
}

export async function readListFigures(db: Queryable): Promise<ListFigures[]> {
  const { rows } = await db.query<ListFigures>(
    `select l.code, extract(epoch from now() - l.current_at)::float8 as "ageSeconds", coalesce(v.entries, 0) as entries,
       (select count(*)::int from sanctions_versions r where r.code = l.code and r.state = 'REJECTED') as rejected
     from sanctions_lists l
     left join sanctions_versions v on v.code = l.code and v.version = l.active_version
     order by l.code`,
  );
  return rows;
}
