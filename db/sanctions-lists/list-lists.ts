import type { ListRecord, ListVersionRecord } from '../../domain/sanctions-lists/schema.ts';
import type { Queryable } from '../postgres.ts';
import { VERSION_COLUMNS } from './list-versions.ts';

type ListRow = Omit<ListRecord, 'active' | 'rejected'> & { activeVersion: number | null };

/** Every list of this deployment with its active and its last rejected version, by code. */
export async function listLists(db: Queryable): Promise<ListRecord[]> {
  const { rows } = await db.query<ListRow>(
    `select code, active_version as "activeVersion", current_at as "currentAt", checked_at as "checkedAt",
       check_outcome as "checkOutcome", check_detail as "checkDetail"
     from sanctions_lists order by code`,
  );
  const { rows: versions } = await db.query<ListVersionRecord>(
    `select ${VERSION_COLUMNS} from sanctions_versions
     where state = 'ACTIVE' or (code, version) in (
       select code, max(version) from sanctions_versions where state = 'REJECTED' group by code)`,
  );
  const find = (code: string, isSearched: (version: ListVersionRecord) => boolean) =>
    versions.find((version) => version.code === code && isSearched(version)) ?? null;
  return rows.map(({ activeVersion, ...row }) => ({
    ...row,
    active: find(row.code, ({ version }) => version === activeVersion),
    rejected: find(row.code, ({ state }) => state === 'REJECTED'),
  }));
}
