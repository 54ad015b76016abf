import { notFound } from '../../domain/errors.ts';
import { settingsOf, type Settings, type StoredSettings } from '../../domain/tenants/settings.ts';
import type { Queryable } from '../postgres.ts';

/** The tenant's settings, defaults filled in. Throws not_found. */
export async function getTenantSettings(db: Queryable, tenantId: string): Promise<Settings> {
  const { rows } = await db.query<{ settings: StoredSettings }>(
    'select settings from tenants where id = $1',
    [tenantId],
  );
  if (!rows[0]) throw notFound('tenant');
  return settingsOf(rows[0].settings);
}
