import type { EndpointStatus } from '../webhooks/endpoint-status.ts';

/** A network of other VASPs that exchanges messages with this deployment. Its webhook secret is read separately. */
export interface PartnerRecord {
  id: string;
  name: string;
  legalName: string | null;
  email: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  webpage: string | null;
  webhookUrl: string | null;
  /** Null without a webhook URL. */
  webhookStatus: EndpointStatus | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A key of a partner. Its text is shown once and not stored. */
export interface PartnerKeyRecord {
  id: string;
  /** The prefix and the last four characters. */
  masked: string;
  name: string | null;
  expiresAt: Date | null;
  createdAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}
