import type pg from 'pg';
import { masterFor } from '../../domain/entities/change-entity.ts';
import type { DetailedEntityRecord, EntityRecord } from '../../domain/entities/entity.ts';
import { namesOf } from '../../domain/entities/names.ts';
import { DomainError, invalidField, notFound } from '../../domain/errors.ts';
import { lockNames } from '../routes/name-lock.ts';
import type { OutboxEntry } from '../outbox.ts';
import { ENTITY_COLUMNS, toEntity, type EntityRow } from './entity-row.ts';
import { getEntity } from './get-entity.ts';
import { lockEntities, lockMerge } from './lock-entities.ts';
import { refuseTenantNames } from './name-conflicts.ts';
import { foldedNames, wakeNamed } from './wake-named.ts';
import { insertEntity, updateEntity } from './write-entity.ts';
import { uniqueViolation, type Queryable } from '../postgres.ts';

export interface ChangedEntity {
  entity: DetailedEntityRecord;
  outbox: OutboxEntry[];
}

/** Adds an entity. Throws conflict when its key is taken or its name is a tenant's, validation_failed for the master. */
export async function createEntity(
  tx: pg.PoolClient,
  entity: EntityRecord,
  masterId: string | null,
): Promise<ChangedEntity> {
  if (masterId !== null) await lockMerge(tx, masterId);
  await lockNames(tx, namesFoldedOf(entity), await mastersFor(tx, masterId));
  await insertEntity(tx, entity).catch(refuseTakenKey);
  if (masterId !== null) await setMaster(tx, entity, masterId, '/masterEntityId');
  return await finish(tx, { entity, formerNames: [], now: entity.createdAt });
}

interface EntityChange {
  id: string;
  /** Undefined leaves the master as it is, null removes it. */
  masterId: string | null | undefined;
  /** JSON pointer of the master in the request. */
  masterPointer: string;
  now: Date;
  decide: (entity: EntityRecord) => EntityRecord;
}

/**
 * Changes an entity and routes messages again that wait for a name that it has or had. When the entity becomes a duplicate,
 * its own duplicates get its master. Throws not_found, conflict, and validation_failed for an unknown master.
 */
export async function changeEntity(tx: pg.PoolClient, change: EntityChange): Promise<ChangedEntity> {
  const { id, masterId, masterPointer, now, decide } = change;
  await lockEntities(tx, [id]);
  const before = await readEntity(tx, id);
  if (typeof masterId === 'string') await lockMerge(tx, masterId);
  const after = decide(before);
  const formerNames = await foldedNames(tx, [id]);
  const formerMaster = await masterOf(tx, id);
  // Its duplicates are data of a master: of the one before, and of the one that it gets.
  const changed = [id, formerMaster, ...(await mastersFor(tx, masterId ?? null))].filter(
    (one) => one !== null,
  );
  await lockNames(tx, [...new Set([...formerNames, ...namesFoldedOf(after)])], [...new Set(changed)]);
  await updateEntity(tx, after, now);
  if (masterId === null) await clearMaster(tx, id);
  if (typeof masterId === 'string') await setMaster(tx, before, masterId, masterPointer);
  return await finish(tx, { entity: after, formerNames, formerMaster, now });
}

/** The master of an entity; null for one that is no duplicate. */
export async function masterOf(tx: Queryable, id: string): Promise<string | null> {
  const { rows } = await tx.query<{ id: string | null }>(
    'select master_entity_id as id from entities where id = $1',
    [id],
  );
  return rows[0]?.id ?? null;
}

/** A master, and the one of which it is a duplicate itself: an entity that is given the first gets the second. */
async function mastersFor(tx: Queryable, masterId: string | null): Promise<string[]> {
  if (masterId === null) return [];
  const root = await masterOf(tx, masterId);
  return root === null ? [masterId] : [masterId, root];
}

async function readEntity(tx: Queryable, id: string): Promise<EntityRecord> {
  const { rows } = await tx.query<EntityRow>(`select ${ENTITY_COLUMNS} from entities where id = $1`, [id]);
  if (!rows[0]) throw notFound('entity');
  return toEntity(rows[0]);
}

function namesFoldedOf(entity: EntityRecord): string[] {
  return namesOf(entity).map(({ folded }) => folded);
}

async function clearMaster(tx: Queryable, id: string): Promise<void> {
  await tx.query('update entities set master_entity_id = null where id = $1', [id]);
}

/** Sets the master, so that every duplicate points directly to it. The caller holds the lock of merges. */
async function setMaster(
  tx: Queryable,
  entity: EntityRecord,
  masterId: string,
  pointer: string,
): Promise<void> {
  const { rows } = await tx.query<EntityRow>(`select ${ENTITY_COLUMNS} from entities where id = $1`, [
    masterId,
  ]);
  if (!rows[0]) throw invalidField(pointer, 'unknown_entity', 'There is no such entity.');
  const master = masterFor(entity, toEntity(rows[0]));
  await tx.query('update entities set master_entity_id = $2 where id = $1 or master_entity_id = $1', [
    entity.id,
    master,
  ]);
}

interface StoredEntity {
  entity: EntityRecord;
  formerNames: readonly string[];
  /** The master before the change, whose transfers are decided again. */
  formerMaster?: string | null;
  now: Date;
}

async function finish(
  tx: pg.PoolClient,
  { entity: { id }, formerNames, formerMaster = null, now }: StoredEntity,
): Promise<ChangedEntity> {
  const entity = await getEntity(tx, id);
  const related = [id, entity.masterEntityId, ...entity.duplicates.map((duplicate) => duplicate.id)];
  const ids = related.filter((one) => one !== null);
  await refuseTenantNames(tx, ids);
  const changed = [...new Set(formerMaster === null ? ids : [...ids, formerMaster])];
  return { entity, outbox: await wakeNamed(tx, { ids: changed, formerNames }, now) };
}

function refuseTakenKey(error: unknown): never {
  if (uniqueViolation(error) !== 'entities_source') throw error;
  throw new DomainError('conflict', 'There is an entity with this `source` and `sourceId` already.');
}
