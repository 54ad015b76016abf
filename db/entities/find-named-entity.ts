import type { TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import type { Queryable } from '../postgres.ts';

/** The institution that a name identifies. */
interface NamedEntity {
  entityId: string;
  /** Set when the institution is a tenant of this deployment. */
  tenantId: string | null;
  testBehaviour: TestBehaviour | null;
}

/** `AMBIGUOUS`: several institutions have the name, so it leads to none of them. */
export type NameResolution = NamedEntity | 'AMBIGUOUS' | null;

interface NamedRow {
  entity_id: string;
  tenant_id: string | null;
  test_behaviour: TestBehaviour | null;
}

/** Finds the only institution with this folded name or alias; for a duplicate, its master. */
export async function findNamedEntity(db: Queryable, folded: string): Promise<NameResolution> {
  const { rows } = await db.query<NamedRow>({
    name: 'find-named-entity',
    text: `select m.entity_id, t.id as tenant_id, t.test_behaviour
           from (
             select distinct coalesce(e.master_entity_id, e.id) as entity_id
             from entity_names n join entities e on e.id = n.entity_id
             where n.folded = $1 and n.kind <> 'LEGAL' limit 2
           ) m left join tenants t on t.entity_id = m.entity_id`,
    values: [folded],
  });
  if (rows.length > 1) return 'AMBIGUOUS';
  const found = rows[0];
  return found
    ? { entityId: found.entity_id, tenantId: found.tenant_id, testBehaviour: found.test_behaviour }
    : null;
}
