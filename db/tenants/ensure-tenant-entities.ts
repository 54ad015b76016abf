import { namesOf } from '../../domain/entities/names.ts';
import { type Database } from '../database.ts';
import { lockNames } from '../routes/name-lock.ts';
import { TENANT_COLUMNS, toTenant, type TenantRow } from './tenant-row.ts';
import { insertTenantEntity } from '../entities/tenant-entity.ts';
import { wakeNamed } from '../entities/wake-named.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/**
 * Creates missing directory entries of tenants, and missing search words of their names: an earlier release wrote
 * neither. The relay notifies the workflows of messages that waited for them.
 */
export async function ensureTenantEntities({ pool }: Database, now: Date): Promise<void> {
  await fillWords(pool);
  const { rows } = await pool.query<TenantRow & { name_folded: string }>(
    `select ${TENANT_COLUMNS}, name_folded from tenants t
     where t.gateway is null and t.erased_at is null and not exists (select from entities e where e.id = t.entity_id)`,
  );
  for (const row of rows) {
    await inTransaction(pool, async (tx) => {
      await lockNames(tx, [row.name_folded]);
      const { rowCount } = await tx.query('select from entities where id = $1', [row.entity_id]);
      if (rowCount) return;
      await insertTenantEntity(tx, toTenant(row));
      await wakeNamed(tx, { ids: [row.entity_id] }, now);
    });
  }
}

async function fillWords(db: Queryable): Promise<void> {
  const { rows } = await db.query<{ entity_id: string; folded: string }>(
    'select entity_id, folded from entity_names where words is null',
  );
  for (const { entity_id: entityId, folded } of rows) {
    const words = namesOf({ name: folded, aliases: [], legalName: null }).flatMap((name) => name.words);
    await db.query(
      'update entity_names set words = $3::tsvector where entity_id = $1 and folded = $2 and words is null',
      [entityId, folded, words.join(' ')],
    );
  }
}
