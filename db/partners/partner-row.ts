import type { PartnerRecord } from '../../domain/partners/partner.ts';
import type { EndpointStatus } from '../../domain/webhooks/endpoint-status.ts';

export interface PartnerRow {
  id: string;
  name: string;
  legal_name: string | null;
  email: string | null;
  country: string | null;
  webpage: string | null;
  webhook_url: string | null;
  webhook_secret: Buffer;
  webhook_status: EndpointStatus | null;
  created_at: Date;
  updated_at: Date;
}

export const PARTNER_COLUMNS = `id, name, legal_name, email, country, webpage, webhook_url, webhook_secret,
  webhook_status, created_at, updated_at`;

export function toPartner(row: PartnerRow): PartnerRecord {
  return {
    id: row.id,
    name: row.name,
    legalName: row.legal_name,
    email: row.email,
    country: row.country,
    webpage: row.webpage,
    webhookUrl: row.webhook_url,
    webhookStatus: row.webhook_status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
