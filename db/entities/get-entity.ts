import type { DetailedEntityRecord, EntityDuplicate } from '../../domain/entities/entity.ts';
import { notFound } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';
import { ENTITY_COLUMNS, toEntity, type EntityRow } from './entity-row.ts';

const MAX_DUPLICATES_SHOWN = 1_000;

type DetailedRow = EntityRow & { duplicates: EntityDuplicate[] };

/** An entity with its duplicates; a duplicate is returned as itself. Throws not_found. */
export async function getEntity(db: Queryable, id: string): Promise<DetailedEntityRecord> {
  const { rows } = await db.query<DetailedRow>(
    `select ${ENTITY_COLUMNS}, (
       select coalesce(json_agg(json_build_object('id', d.id, 'name', d.name) order by d.name_folded, d.id), '[]')
       from (select id, name, name_folded from entities where master_entity_id = e.id
             order by name_folded, id limit ${MAX_DUPLICATES_SHOWN}) d
     ) as duplicates
     from entities e where id = $1`,
    [id],
  );
  if (!rows[0]) throw notFound('entity');
  return { ...toEntity(rows[0]), duplicates: rows[0].duplicates };
}
