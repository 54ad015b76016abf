import { z } from 'zod';
import { foldName } from '../fold.ts';
import { listQuery } from '../list-query.ts';
import { Country, Lei } from '../parties/party.ts';
import { proposalShown } from '../proposals/schema.ts';
import { PatchRateLimits, RateLimits } from './rate-limits.ts';
import { clearable, shown, text } from '../schema-fields.ts';
import { ShownEndpointStatus } from '../webhooks/endpoint-status.ts';

export const profileFields = {
  legalName: text(200),
  email: z.email().max(254),
  country: Country,
  registrationNumber: text(100),
  lei: Lei,
  webpage: z.url({ protocol: /^https?$/ }).max(2_000),
};
/** The endpoint also checks the URL against the deployment's settings. */
export const WebhookUrl = text(2_000);

/** Names are compared in folded form, which must not be empty. */
export const TenantName = text(200)
  .transform((given) => given.trim())
  .refine((name) => foldName(name) !== '', 'a name with at least one visible character is expected');

export const CreateTenantBody = z.strictObject({
  name: TenantName,
  ...z.object(profileFields).partial().shape,
  webhookUrl: WebhookUrl.optional(),
  entityId: z
    .uuid()
    .toLowerCase()
    .optional()
    .describe("The tenant's entity in the directory; a new one is created if absent."),
});
export type CreateTenantBody = z.infer<typeof CreateTenantBody>;

/** Changes that only the operator may make. */
export const OperatorPatchTenantBody = z
  .strictObject({
    name: TenantName.optional(),
    rateLimits: PatchRateLimits.nullable().optional(),
    answersRoute: z
      .boolean()
      .optional()
      .describe(
        'Whether the answers of the tenant at its `addressQuestionUrl` route messages that name no VASP. Grant it to tenants that you trust: each answer counts as a registration.',
      ),
  })
  .meta({ id: 'OperatorPatchTenant' });
export type OperatorPatchTenantBody = z.infer<typeof OperatorPatchTenantBody>;

/** Without the name: counterparties find the tenant by it, so only the operator may change it. */
export const PatchTenantBody = z
  .strictObject({
    legalName: clearable(profileFields.legalName),
    email: clearable(profileFields.email),
    country: clearable(profileFields.country),
    registrationNumber: clearable(profileFields.registrationNumber),
    lei: clearable(profileFields.lei),
    webpage: clearable(profileFields.webpage),
    webhookUrl: clearable(WebhookUrl),
  })
  .meta({ id: 'PatchTenant' });
export type PatchTenantBody = z.infer<typeof PatchTenantBody>;

/** Hours during which webhooks are signed with the previous secret too. */
export const RotateWebhookSecretBody = z
  .strictObject({ overlapHours: z.int().min(0).max(168).default(24) })
  .meta({ id: 'RotateWebhookSecret' });

const tenantFields = {
  id: z.uuid(),
  name: z.string(),
  legalName: shown,
  email: shown,
  country: shown,
  registrationNumber: shown,
  lei: shown,
  webpage: shown,
  webhookUrl: shown,
  webhookSecret: shown.describe('Signs the webhooks; only visible to administrators, otherwise null.'),
  webhookStatus: ShownEndpointStatus,
  environment: z.enum(['sandbox', 'production']),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

/** A tenant as it sees itself. */
export const Tenant = z.strictObject(tenantFields).meta({ id: 'Tenant' });
export type Tenant = z.infer<typeof Tenant>;

/** The answer to a change of one's own tenant. */
export const ChangedTenant = z
  .strictObject({ ...tenantFields, ...proposalShown })
  .meta({ id: 'ChangedTenant' });

/** A tenant as the operator sees it. */
export const OperatorTenant = z
  .strictObject({
    ...tenantFields,
    rateLimits: RateLimits,
    answersRoute: z
      .boolean()
      .describe('Whether its answers about addresses route messages that name no VASP.'),
    suspendedAt: z.iso
      .datetime()
      .nullable()
      .describe('When an operator suspended the tenant; null while it may act.'),
  })
  .meta({ id: 'OperatorTenant' });
export type OperatorTenant = z.infer<typeof OperatorTenant>;

/** The query of `GET /operator/tenants`. */
export const ListTenantsQuery = listQuery({ sortable: ['createdAt', 'updatedAt', 'name'], filters: {} });
export type TenantList = z.output<typeof ListTenantsQuery>;
