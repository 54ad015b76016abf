import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { getByPageToken } from '../../db/verifications/page-token.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';

/**
 * The origins that may frame the hosted page, by the token in the target of the request: those that the tenant of its
 * verification has chosen. Without a token that opens a verification nobody may.
 */
export async function frameOriginsOf({ db }: Deps, target: string): Promise<readonly string[]> {
  const mark = target.indexOf('?');
  const token = mark < 0 ? null : new URLSearchParams(target.slice(mark)).get('token');
  if (token === null) return [];
  try {
    const { record } = await getByPageToken(db, token);
    return (await getTenantSettings(db.pool, record.tenantId)).branding.frameOrigins;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'not_found') return [];
    throw error;
  }
}
