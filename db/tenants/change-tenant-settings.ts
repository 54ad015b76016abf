import { notFound } from '../../domain/errors.ts';
import type { StoredSettings } from '../../domain/tenants/settings.ts';
import { FOUR_EYES_BASIS } from '../proposals/proposal-status.ts';
import type { Queryable } from '../postgres.ts';

/** A tenant's own settings, locked until the end of the transaction. */
interface LockedSettings {
  stored: StoredSettings;
  /** The four eyes as a proposal to switch some off is based on them. */
  fourEyesBasis: string;
}

/** Locks a tenant's settings for a change. Throws not_found. */
export async function lockTenantSettings(tx: Queryable, tenantId: string): Promise<LockedSettings> {
  const { rows } = await tx.query<{ settings: StoredSettings; basis: string }>(
    `select n.settings, ${FOUR_EYES_BASIS} as basis from tenants n where n.id = $1 for no key update`,
    [tenantId],
  );
  if (!rows[0]) throw notFound('tenant');
  return { stored: rows[0].settings, fourEyesBasis: rows[0].basis };
}

export async function storeTenantSettings(
  tx: Queryable,
  tenantId: string,
  settings: StoredSettings,
): Promise<void> {
  await tx.query('update tenants set settings = $2 where id = $1', [tenantId, settings]);
}
