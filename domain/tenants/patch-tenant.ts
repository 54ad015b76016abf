import type { OperatorPatchTenantBody, PatchTenantBody } from './schema.ts';
import { NO_LIMITS_OF_ITS_OWN } from './rate-limits.ts';
import type { TenantRecord } from './tenant.ts';

type WithWebhook = Pick<TenantRecord, 'webhookUrl' | 'webhookStatus'>;

/** Applies a tenant's changes to its own data: a value sets a field, null clears it, an absent field stays. */
export function patchTenant(tenant: TenantRecord, patch: PatchTenantBody, now: Date): TenantRecord {
  const { webhookUrl, ...profile } = withoutAbsent(patch);
  return changed(tenant, { ...tenant, ...profile, ...webhookOf(webhookUrl) }, now);
}

/** The webhook fields for a URL. Setting the same URL again only enables a disabled endpoint. */
export function webhookOf(url: string | null | undefined): Partial<WithWebhook> {
  if (url === undefined) return {};
  return { webhookUrl: url, webhookStatus: url === null ? null : 'ACTIVE' };
}

/** Whether a new webhook secret is needed. Each URL has its own: an old receiver's secret must not sign for a new one. */
export function needsNewWebhookSecret(before: WithWebhook, after: WithWebhook): boolean {
  return after.webhookUrl !== null && after.webhookUrl !== before.webhookUrl;
}

/** Applies the operator's changes of name, routing and rate limits; null returns one limit, or all, to the deployment's setting. */
export function patchTenantAsOperator(
  tenant: TenantRecord,
  patch: OperatorPatchTenantBody,
  now: Date,
): TenantRecord {
  const { name = tenant.name, answersRoute = tenant.answersRoute, rateLimits = {} } = patch;
  const limits =
    rateLimits === null ? NO_LIMITS_OF_ITS_OWN : { ...tenant.rateLimits, ...withoutAbsent(rateLimits) };
  return changed(tenant, { ...tenant, name, answersRoute, rateLimits: limits }, now);
}

/** The changed record; a patch without effect returns the same object. */
export function changed<R extends { updatedAt: Date }>(before: R, after: R, now: Date): R {
  return JSON.stringify(before) === JSON.stringify(after) ? before : { ...after, updatedAt: now };
}

type PresentFields<T> = { [K in keyof T]: Exclude<T[K], undefined> };

export function withoutAbsent<T extends object>(patch: T): PresentFields<T> {
  return Object.fromEntries(
    Object.entries(patch).filter(([, value]) => value !== undefined),
  ) as PresentFields<T>;
}
