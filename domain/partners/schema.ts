import { z } from 'zod';
import { CreateApiKeyBody } from '../api-keys/schema.ts';
import { listQuery } from '../list-query.ts';
import { clearable, shown } from '../schema-fields.ts';
import { profileFields, TenantName, WebhookUrl } from '../tenants/schema.ts';
import { ShownEndpointStatus } from '../webhooks/endpoint-status.ts';

const { legalName, email, country, webpage } = profileFields;

export const CreatePartnerBody = z
  .strictObject({
    name: TenantName,
    legalName: legalName.optional(),
    email: email.optional(),
    country: country.optional(),
    webpage: webpage.optional(),
    webhookUrl: WebhookUrl.optional(),
  })
  .meta({ id: 'CreatePartner' });
export type CreatePartnerBody = z.infer<typeof CreatePartnerBody>;

/** Without the name: messages are routed by it, so only operators set it. */
export const PatchPartnerBody = z
  .strictObject({
    legalName: clearable(legalName),
    email: clearable(email),
    country: clearable(country),
    webpage: clearable(webpage),
    webhookUrl: clearable(WebhookUrl),
  })
  .meta({ id: 'PatchPartner' });
export type PatchPartnerBody = z.infer<typeof PatchPartnerBody>;

/** A partner as it sees itself. Operators see no webhook secret after the creation. */
export const Partner = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    legalName: shown,
    email: shown,
    country: shown,
    webpage: shown,
    webhookUrl: shown,
    webhookSecret: shown.describe('Signs the webhooks of the partner; null for operators.'),
    webhookStatus: ShownEndpointStatus,
    environment: z.enum(['sandbox', 'production']),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Partner' });
export type Partner = z.infer<typeof Partner>;

export const CreatePartnerKeyBody = CreateApiKeyBody.omit({ role: true }).meta({ id: 'CreatePartnerKey' });

/** A key of a partner in lists. */
export const PartnerKey = z
  .strictObject({
    id: z.uuid(),
    apiKey: z
      .string()
      .describe('The prefix and the last four characters; the whole key where it was just made.'),
    name: z.string().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    revokedAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().describe('Time of the latest request, accurate to a minute.'),
  })
  .meta({ id: 'PartnerKey' });
export type PartnerKey = z.infer<typeof PartnerKey>;

/** The query of `GET /operator/partners`. */
export const ListPartnersQuery = listQuery({ sortable: ['createdAt', 'updatedAt', 'name'], filters: {} });
export type PartnerList = z.output<typeof ListPartnersQuery>;
