import type { EntityRecord } from '../../domain/entities/entity.ts';
import { namesOf } from '../../domain/entities/names.ts';
import { foldName } from '../../domain/fold.ts';
import type { Queryable } from '../postgres.ts';

type WrittenEntity = Record<string, unknown>;

function columnsOf(entity: EntityRecord, editedAt: Date | null): WrittenEntity {
  return {
    id: entity.id,
    name: entity.name,
    name_folded: foldName(entity.name),
    legal_name: entity.legalName,
    aliases: entity.aliases,
    type: entity.type,
    countries: entity.countries,
    webpage: entity.webpage,
    email: entity.email,
    email_domains: entity.emailDomains,
    lei: entity.lei,
    registration_number: entity.registrationNumber,
    travel_address: entity.travelAddress,
    in_network: entity.inNetwork,
    networks: entity.networks,
    risk_score: entity.riskScore,
    risk_severity: entity.riskSeverity,
    risk_assessed_at: entity.riskAssessedAt,
    master_entity_id: entity.masterEntityId,
    source: entity.source,
    source_id: entity.sourceId,
    edited_at: editedAt,
    created_at: entity.createdAt,
    updated_at: entity.updatedAt,
  };
}

/** Inserts an entity with its names. Violates `entities_source` when its key is taken. */
export async function insertEntity(tx: Queryable, entity: EntityRecord): Promise<void> {
  const row = columnsOf(entity, null);
  const names = Object.keys(row);
  await tx.query(
    `insert into entities (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
  await insertNames(tx, entity);
}

/** Updates an entity and its names. `editedAt` keeps newer bundled versions from overwriting the change. */
export async function updateEntity(tx: Queryable, entity: EntityRecord, editedAt: Date): Promise<void> {
  const { id, ...row } = columnsOf(entity, editedAt);
  const sets = Object.keys(row).map((name, index) => `${name} = $${index + 2}`);
  await tx.query(`update entities set ${sets.join(', ')} where id = $1`, [id, ...Object.values(row)]);
  await tx.query('delete from entity_names where entity_id = $1', [id]);
  await insertNames(tx, entity);
}

async function insertNames(tx: Queryable, entity: EntityRecord): Promise<void> {
  const names = namesOf(entity);
  await tx.query(
    `insert into entity_names (entity_id, kind, folded, words)
     select $1, n.kind, n.folded, n.words::tsvector
     from unnest($2::text[], $3::text[], $4::text[]) as n(kind, folded, words)`,
    [
      entity.id,
      names.map((name) => name.kind),
      names.map((name) => name.folded),
      names.map((name) => name.words.join(' ')),
    ],
  );
}
