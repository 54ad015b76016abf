import type { TenantRecord } from '../../domain/tenants/tenant.ts';
import type { AskedVasp } from '../../domain/trp/named-beneficiary-vasp.ts';
import type { Queryable } from '../postgres.ts';

/** More duplicates of one directory entry are not looked at. */
const MAX_ENTRIES = 20;

/** Every name by which the sender of an inquiry may know the tenant, its directory entry and the duplicates of that included. */
export async function askedVasp(
  db: Queryable,
  { name, legalName, lei, entityId }: Pick<TenantRecord, 'name' | 'legalName' | 'lei' | 'entityId'>,
): Promise<AskedVasp> {
  const { rows } = await db.query<{
    name: string;
    legal_name: string | null;
    aliases: string[];
    lei: string | null;
  }>({
    name: 'names-of-asked-vasp',
    text: `select name, legal_name, aliases, lei from entities where id = $1 or master_entity_id = $1
      order by master_entity_id nulls first, id limit ${MAX_ENTRIES}`,
    values: [entityId],
  });
  const known = rows.flatMap((row) => [row.name, row.legal_name, ...row.aliases]);
  const names = [name, legalName, ...known].filter((each) => each !== null);
  return { names: [...new Set(names)], lei: lei ?? rows[0]?.lei ?? null };
}
