import { notFound } from '../../domain/errors.ts';
import {
  patchSettings,
  settingsOf,
  type PatchSettingsBody,
  type Settings,
  type StoredSettings,
} from '../../domain/tenants/settings.ts';
import { type Database } from '../database.ts';
import { inTransaction } from '../postgres.ts';

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
    return settingsOf(next);
  });
}
