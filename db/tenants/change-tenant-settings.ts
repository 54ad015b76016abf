import { notFound } from '../../domain/errors.ts';
import { BRANDING_KINDS } from '../../domain/tenants/branding.ts';
import { patchSettings } from '../../domain/tenants/patch-settings.ts';
import {
  settingsOf,
  type PatchSettingsBody,
  type Settings,
  type StoredSettings,
} from '../../domain/tenants/settings.ts';
import { type Database } from '../database.ts';
import { inTransaction } from '../postgres.ts';
import { replaceBrandingFiles } from './branding-files.ts';

/** Applies a patch to the tenant's own settings. Returns all settings, defaults filled in. Throws not_found. */
export async function changeTenantSettings(
  db: Database,
  tenantId: string,
  patch: PatchSettingsBody,
): Promise<Settings> {
  return await inTransaction(db.pool, async (tx) => {
    const { rows } = await tx.query<{ settings: StoredSettings }>(
      'select settings from tenants where id = $1 for no key update',
      [tenantId],
    );
    if (!rows[0]) throw notFound('tenant');
    const next = patchSettings(rows[0].settings, patch);
    await tx.query('update tenants set settings = $2 where id = $1', [tenantId, next]);
    const removed = BRANDING_KINDS.filter((kind) => patch.branding?.[kind] === null);
    if (removed.length > 0) await replaceBrandingFiles(tx, tenantId, removed);
    return settingsOf(next);
  });
}
