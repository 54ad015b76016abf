import type { KeyEnvironment } from '../tenants/api-key-text.ts';
import type { PartnerKeyRecord, PartnerRecord } from './partner.ts';
import type { Partner, PartnerKey } from './schema.ts';

interface PartnerViewOptions {
  environment: KeyEnvironment;
  /** Null if the caller may not see it. */
  webhookSecret: string | null;
}

export function viewPartner(
  partner: PartnerRecord,
  { environment, webhookSecret }: PartnerViewOptions,
): Partner {
  return {
    id: partner.id,
    name: partner.name,
    legalName: partner.legalName,
    email: partner.email,
    country: partner.country,
    webpage: partner.webpage,
    webhookUrl: partner.webhookUrl,
    webhookSecret,
    webhookStatus: partner.webhookStatus,
    environment,
    createdAt: partner.createdAt.toISOString(),
    updatedAt: partner.updatedAt.toISOString(),
  };
}

/** A key of a partner; `apiKey` is its whole text where it was just made, and masked otherwise. */
export function viewPartnerKey(key: PartnerKeyRecord, apiKey = key.masked): PartnerKey {
  return {
    id: key.id,
    apiKey,
    name: key.name,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
    revokedAt: key.revokedAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  };
}
