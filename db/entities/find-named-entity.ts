import type { TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import type { Queryable } from '../postgres.ts';

/** The institution that a name identifies. */
export interface NamedEntity {
  entityId: string;
  /** Set when the institution is a tenant of this deployment. */
  tenantId: string | null;
  testBehaviour: TestBehaviour | null;
  /** The networks outside of this deployment that it is on, as operators set them. */
  networks: readonly string[];
  travelAddress: string | null;
}

/** `AMBIGUOUS`: several institutions have the name, so it leads to none of them. */
export type NameResolution = NamedEntity | 'AMBIGUOUS' | null;

/** A row of NAMED_COLUMNS. */
interface NamedRow {
  entity_id: string;
  tenant_id: string | null;
  test_behaviour: TestBehaviour | null;
  networks: string[];
  travel_address: string | null;
}

/** SQL over `entities i left join tenants t`. */
const NAMED_COLUMNS = 'i.id as entity_id, t.id as tenant_id, t.test_behaviour, i.networks, i.travel_address';

/** SQL over `entities i` and `tenants t`. A tenant that is being erased keeps its entry until its keys are destroyed, but is gone. */
const IS_TENANT = 't.entity_id = i.id and t.erased_at is null';

/** Finds the only institution with this folded name or alias; for a duplicate, its master. */
export async function findNamedEntity(db: Queryable, folded: string): Promise<NameResolution> {
  const { rows } = await db.query<NamedRow>({
    name: 'find-named-entity',
    text: `select ${NAMED_COLUMNS}
           from (
             select distinct coalesce(e.master_entity_id, e.id) as entity_id
             from entity_names n join entities e on e.id = n.entity_id
             where n.folded = $1 and n.kind <> 'LEGAL' limit 2
           ) m join entities i on i.id = m.entity_id left join tenants t on ${IS_TENANT}`,
    values: [folded],
  });
  if (rows.length > 1) return 'AMBIGUOUS';
  return rows[0] ? toNamedEntity(rows[0]) : null;
}

/** Reads an institution as findNamedEntity returns it; undefined if it is gone. */
export async function readNamedEntity(db: Queryable, entityId: string): Promise<NamedEntity | undefined> {
  const { rows } = await db.query<NamedRow>({
    name: 'read-named-entity',
    text: `select ${NAMED_COLUMNS} from entities i left join tenants t on ${IS_TENANT} where i.id = $1`,
    values: [entityId],
  });
  return rows[0] && toNamedEntity(rows[0]);
}

/** The entity of a row: whether it is a tenant, and the networks that reach it. */
function toNamedEntity(row: NamedRow): NamedEntity {
  return {
    entityId: row.entity_id,
    tenantId: row.tenant_id,
    testBehaviour: row.test_behaviour,
    networks: row.networks,
    travelAddress: row.travel_address,
  };
}
