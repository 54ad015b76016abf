import { DomainError } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';

/**
 * Refuses names that would make a tenant ambiguous: a name of a tenant's entity belongs to no other entity except its
 * own duplicates. Names of other entities may repeat; they then identify nobody. Call it after writing the names,
 * under their locks. Throws conflict, with the entity that has the name.
 */
export async function refuseTenantNames(tx: Queryable, entityIds: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ other_id: string }>(
    `select o.id as other_id
     from entities e
       join entity_names n on n.entity_id = e.id and n.kind <> 'LEGAL'
       join entity_names m on m.folded = n.folded and m.kind <> 'LEGAL' and m.entity_id <> n.entity_id
       join entities o on o.id = m.entity_id
     where e.id = any($1::uuid[])
       and coalesce(e.master_entity_id, e.id) <> coalesce(o.master_entity_id, o.id)
       and exists (select from entities t where t.in_network
         and t.id in (coalesce(e.master_entity_id, e.id), coalesce(o.master_entity_id, o.id)))
     limit 1`,
    [entityIds],
  );
  if (!rows[0]) return;
  throw new DomainError(
    'conflict',
    'Another entity has this name or alias, and one of the two is a tenant; case, accents and spaces make no difference.',
    { members: { entityId: rows[0].other_id } },
  );
}
