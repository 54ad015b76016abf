import { randomUUID } from 'node:crypto';
import { notFound } from '../../domain/errors.ts';
import { isPicture, type BrandingFile, type BrandingKind } from '../../domain/tenants/branding.ts';
import type { StoredSettings } from '../../domain/tenants/settings.ts';
import { endOvertakenProposals } from '../proposals/end-proposals.ts';
import { newId } from '../new-id.ts';
import type { Queryable } from '../postgres.ts';

/** A logo or icon, and the storage key of its content. */
export interface BrandingRef {
  id: string;
  tenantId: string;
  kind: BrandingKind;
  objectKey: string;
}

/** Records that a logo or icon is about to be stored, so that housekeeping can remove it if the process dies. */
export async function beginBrandingFile(
  db: Queryable,
  { tenantId, kind, now }: { tenantId: string; kind: BrandingKind; now: Date },
): Promise<BrandingRef> {
  const file = { id: newId(now), tenantId, kind, objectKey: `${tenantId}/${randomUUID()}` };
  await db.query(
    `insert into branding_files (id, tenant_id, kind, state, object_key, created_at)
     values ($1, $2, $3, 'ARRIVING', $4, $5)`,
    [file.id, tenantId, kind, file.objectKey, now],
  );
  return file;
}

/**
 * Makes a stored file the tenant's logo or icon; the one before is marked for removal, and a proposal about the settings before ends.
 * Throws not_found.
 */
export async function keepBrandingFile(
  tx: Queryable,
  ref: BrandingRef,
  file: BrandingFile,
  now: Date,
): Promise<void> {
  const { id, tenantId, kind } = ref;
  const { rows } = await tx.query<{ settings: StoredSettings }>(
    'select settings from tenants where id = $1 for no key update',
    [tenantId],
  );
  if (!rows[0]) throw notFound('tenant');
  const { settings } = rows[0];
  await replaceBrandingFiles(tx, tenantId, [kind]);
  const { rowCount } = await tx.query(
    `update branding_files set state = 'STORED' where id = $1 and tenant_id = $2 and state = 'ARRIVING'`,
    [id, tenantId],
  );
  if (rowCount !== 1) throw new Error('an arriving file was removed before it was kept');
  const next = { ...settings, branding: { ...settings.branding, [kind]: file } };
  await tx.query('update tenants set settings = $2 where id = $1', [tenantId, next]);
  await endOvertakenProposals(tx, tenantId, now);
}

/** Marks the tenant's stored files of these kinds for removal. */
export async function replaceBrandingFiles(
  tx: Queryable,
  tenantId: string,
  kinds: readonly BrandingKind[],
): Promise<void> {
  await tx.query(
    `update branding_files set state = 'REMOVING' where tenant_id = $1 and kind = any($2) and state = 'STORED'`,
    [tenantId, kinds],
  );
}

/** The tenant's logo or icon for pages. Throws not_found if there is none, and for a PDF. */
export async function findPicture(
  db: Queryable,
  tenantId: string,
  kind: BrandingKind,
): Promise<{ ref: BrandingRef; file: BrandingFile }> {
  const { rows } = await db.query<{ id: string; object_key: string; file: BrandingFile | null }>(
    `select f.id, f.object_key, t.settings -> 'branding' -> f.kind as file
     from branding_files f join tenants t on t.id = f.tenant_id
     where f.tenant_id = $1 and f.kind = $2 and f.state = 'STORED'`,
    [tenantId, kind],
  );
  const [row] = rows;
  if (!row?.file || !isPicture(row.file)) throw notFound('picture');
  return { ref: { id: row.id, tenantId, kind, objectKey: row.object_key }, file: row.file };
}
