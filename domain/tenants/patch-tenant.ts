import type { OperatorPatchTenantBody, PatchTenantBody } from './schema.ts';
import { NO_LIMITS_OF_ITS_OWN } from './rate-limits.ts';
import type { TenantRecord } from './tenant.ts';

/** A tenant changes its own data: a field sets, null clears, an absent field stays. */
export function patchTenant(tenant: TenantRecord, patch: PatchTenantBody, now: Date): TenantRecord {
  const { webhookUrl, ...profile } = withoutAbsent(patch);
  return changed(tenant, { ...tenant, ...profile, ...webhookOf(webhookUrl) }, now);
}

/** Setting the URL that is set already changes nothing but enables an endpoint that was switched off. */
function webhookOf(url: string | null | undefined): Partial<TenantRecord> {
  if (url === undefined) return {};
  return { webhookUrl: url, webhookStatus: url === null ? null : 'ACTIVE' };
}

/** A secret belongs to one address: what an old receiver knows must not sign for a new one. */
export function needsNewWebhookSecret(before: TenantRecord, after: TenantRecord): boolean {
  return after.webhookUrl !== null && after.webhookUrl !== before.webhookUrl;
}

/** The operator changes name and budgets; null puts a budget, or all of them, back to the deployment's setting. */
export function patchTenantAsOperator(
  tenant: TenantRecord,
  patch: OperatorPatchTenantBody,
  now: Date,
): TenantRecord {
  const { name = tenant.name, rateLimits = {} } = patch;
  const limits =
    rateLimits === null ? NO_LIMITS_OF_ITS_OWN : { ...tenant.rateLimits, ...withoutAbsent(rateLimits) };
  return changed(tenant, { ...tenant, name, rateLimits: limits }, now);
}

/** A patch without effect gives the very same record. */
function changed(before: TenantRecord, after: TenantRecord, now: Date): TenantRecord {
  return JSON.stringify(before) === JSON.stringify(after) ? before : { ...after, updatedAt: now };
}

type PresentFields<T> = { [K in keyof T]: Exclude<T[K], undefined> };

function withoutAbsent<T extends object>(patch: T): PresentFields<T> {
  return Object.fromEntries(
    Object.entries(patch).filter(([, value]) => value !== undefined),
  ) as PresentFields<T>;
}
