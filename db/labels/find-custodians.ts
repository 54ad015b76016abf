import { CUSTODIAL_TYPES } from '../../domain/entity-types.ts';
import type { Queryable } from '../postgres.ts';
import { labelledEntitySql } from './labelled-entity.ts';

/** An institution that holds an address for its customers, as labels say. */
export interface LabelledCustodian {
  /** The custodian's entity in the directory; for a duplicate, its master. Null if it is not there. */
  entityId: string | null;
  /** The name on the label, and the name of the entity. */
  names: string[];
}

/** The least confidence, 0 to 100, with which a label says whose an address is. */
const MIN_CONFIDENCE = 50;

interface CustodianRow {
  entity_id: string | null;
  label_name: string;
  entity_name: string | null;
}

/**
 * The custodians of an address by its label keys: one indexed statement. Labels name entities by the ids of their own
 * source or of the bundled directory.
 */
export async function findCustodians(db: Queryable, keys: readonly string[]): Promise<LabelledCustodian[]> {
  const { rows } = await db.query<CustodianRow>({
    name: 'find-custodians',
    // A lateral join per key, as in findLabels.
    text: `select distinct m.id as entity_id, l.label_name, m.name as entity_name
      from unnest($1::text[]) as k(key) cross join lateral (
        select coalesce(l.entity_name, l.label) as label_name, l.entity_id, i.source
        from labels l join label_imports i on i.id = l.import_id
        where l.address_key = k.key and i.is_active and l.confidence >= ${MIN_CONFIDENCE} and l.type = any($2::text[])
      ) l
      left join lateral (${labelledEntitySql({ source: 'l.source', sourceId: 'l.entity_id' })}) e on true
      left join entities m on m.id = e.id`,
    values: [keys, CUSTODIAL_TYPES],
  });
  return rows.map((row) => ({
    entityId: row.entity_id,
    names: [row.label_name, ...(row.entity_name === null ? [] : [row.entity_name])],
  }));
}
