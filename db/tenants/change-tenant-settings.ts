import { notFound } from '../../domain/errors.ts';
import { BRANDING_KINDS } from '../../domain/tenants/branding.ts';
import type { PatchSettingsBody, StoredSettings } from '../../domain/tenants/settings.ts';
import { endOvertakenProposals } from '../proposals/end-proposals.ts';
import { SETTINGS_BASIS } from '../proposals/proposal-status.ts';
import type { Queryable } from '../postgres.ts';
import { replaceBrandingFiles } from './branding-files.ts';

/** A tenant's own settings, locked until the end of the transaction. */
interface LockedSettings {
  stored: StoredSettings;
  /** The settings as a proposal to change some of them is based on them. */
  basis: string;
}

/** Locks a tenant's settings for a change. Throws not_found. */
export async function lockTenantSettings(tx: Queryable, tenantId: string): Promise<LockedSettings> {
  const { rows } = await tx.query<{ settings: StoredSettings; basis: string }>(
    `select n.settings, ${SETTINGS_BASIS} as basis from tenants n where n.id = $1 for no key update`,
    [tenantId],
  );
  if (!rows[0]) throw notFound('tenant');
  return { stored: rows[0].settings, basis: rows[0].basis };
}

/** Stores the settings after a patch; a proposal about those before ends. A logo or icon that the patch removes is marked for housekeeping. */
export async function storeTenantSettings(
  tx: Queryable,
  tenantId: string,
  { settings, patch, now }: { settings: StoredSettings; patch: PatchSettingsBody; now: Date },
): Promise<void> {
  await tx.query('update tenants set settings = $2 where id = $1', [tenantId, settings]);
  await endOvertakenProposals(tx, tenantId, now);
  const removed = BRANDING_KINDS.filter((kind) => patch.branding?.[kind] === null);
  if (removed.length > 0) await replaceBrandingFiles(tx, tenantId, removed);
}
