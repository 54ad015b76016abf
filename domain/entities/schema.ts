import { z } from 'zod';
import { foldName } from '../fold.ts';
import { Timestamp } from '../list-query.ts';
import { Country, Lei } from '../parties/party.ts';
import { EmailDomain } from './email-domain.ts';
import { ENTITY_TYPES, OPERATOR_SOURCE, RISK_SEVERITIES } from './entity.ts';
import { shown, text } from '../schema-fields.ts';

const MAX_ALIASES = 100;
const MAX_FOLDED_LETTERS = 600;

/** Names are compared in folded form, which must not be empty; a few letters have very long folded forms. */
const EntityName = text(200)
  .transform((given) => given.trim())
  .refine(
    (name) => isFoldable(name),
    'a name with at least one visible character, not too long, is expected',
  );

function isFoldable(name: string): boolean {
  const { length } = foldName(name);
  return length > 0 && length <= MAX_FOLDED_LETTERS;
}

/** A network of an entity. NATIVE cannot be set: it marks tenants. */
const Network = z
  .string()
  .regex(/^(TRP|EMAIL|PARTNER:.{1,200})$/u, 'TRP, EMAIL or PARTNER:<name> is expected')
  .describe('`TRP`, `EMAIL` or `PARTNER:<name>`.');

const distinct = <T>(items: T[]) => [...new Set(items)];

export const entityFields = {
  name: EntityName,
  legalName: text(200),
  aliases: z.array(EntityName).max(MAX_ALIASES).transform(distinct),
  type: z.enum(ENTITY_TYPES),
  countries: z.array(Country).max(250).transform(distinct),
  webpage: z.url({ protocol: /^https?$/ }).max(2_000),
  email: z.email().max(254),
  emailDomains: z
    .array(EmailDomain)
    .max(50)
    .transform(distinct)
    .describe(
      'Domains of its e-mail addresses, stored in lower case and punycode; none of free-mail providers.',
    ),
  lei: Lei,
  registrationNumber: text(100),
  travelAddress: text(2_000).describe('Travel address of the Travel Rule Protocol (TRP).'),
  networks: z.array(Network).max(20).transform(distinct),
};

export const riskFields = {
  riskScore: z.int().min(0).max(100),
  riskSeverity: z.enum(RISK_SEVERITIES),
  riskAssessedAt: Timestamp,
};

/** Code of the directory that an entity comes from. */
export const EntitySource = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
  .refine(
    (source) => source !== 'TENANT' && source !== 'BUNDLED',
    'this source is reserved for the deployment',
  );
export const EntitySourceId = text(200);

export const CreateEntityBody = z
  .strictObject({
    ...z.object({ ...entityFields, ...riskFields }).partial().shape,
    name: entityFields.name,
    type: entityFields.type,
    masterEntityId: z.uuid().toLowerCase().optional(),
    source: EntitySource.default(OPERATOR_SOURCE),
    sourceId: EntitySourceId.optional(),
  })
  .meta({ id: 'CreateEntity' });
export type CreateEntityBody = z.output<typeof CreateEntityBody>;

const nullable = z.object({
  legalName: entityFields.legalName.nullable(),
  webpage: entityFields.webpage.nullable(),
  email: entityFields.email.nullable(),
  lei: entityFields.lei.nullable(),
  registrationNumber: entityFields.registrationNumber.nullable(),
  travelAddress: entityFields.travelAddress.nullable(),
  riskScore: riskFields.riskScore.nullable(),
  riskSeverity: riskFields.riskSeverity
    .nullable()
    .describe('Null without a `riskScore` returns to the estimate from type and countries.'),
  riskAssessedAt: riskFields.riskAssessedAt.nullable(),
  masterEntityId: z.uuid().toLowerCase().nullable().describe('Null: the entity is no longer a duplicate.'),
});
const { name, aliases, type, countries, emailDomains, networks } = entityFields;

export const PatchEntityBody = z
  .strictObject({ name, aliases, type, countries, emailDomains, networks, ...nullable.shape })
  .partial()
  .refine((body) => Object.keys(body).length > 0, { error: 'Give at least one field.' })
  .meta({ id: 'PatchEntity' });
export type PatchEntityBody = z.output<typeof PatchEntityBody>;

export const MergeEntityBody = z
  .strictObject({ masterId: z.uuid().toLowerCase().describe('The entity that stays.') })
  .meta({ id: 'MergeEntity' });

const moment = z.iso.datetime();

const shownFields = {
  id: z.uuid(),
  name: z.string(),
  legalName: shown,
  aliases: z.array(z.string()),
  type: z.enum(ENTITY_TYPES),
  countries: z.array(z.string()).describe('ISO 3166-1 alpha-2.'),
  webpage: shown,
  email: shown,
  emailDomains: z.array(z.string()).describe('Domains of its e-mail addresses, in lower case and punycode.'),
  inNetwork: z.boolean().describe('Whether it is a tenant of this deployment, which messages reach at once.'),
  networks: z.array(z.string()).describe('`NATIVE`, `TRP`, `EMAIL`, `PARTNER:<name>`.'),
  riskScore: z.int().nullable().describe('0 to 100, high is risky.'),
  riskSeverity: z.enum(RISK_SEVERITIES),
  riskAssessedAt: moment.nullable().describe('Null: the risk is only estimated from type and countries.'),
  masterEntityId: shown.describe('Set on a duplicate: the entity that it duplicates.'),
  lei: shown,
  registrationNumber: shown,
  travelAddress: shown,
  source: z.string().describe('`TENANT`, `BUNDLED`, or the code of the directory it was imported from.'),
  createdAt: moment,
  updatedAt: moment,
};

export const Entity = z.strictObject(shownFields).meta({ id: 'Entity' });
export type Entity = z.infer<typeof Entity>;

const RiskFactor = z
  .strictObject({
    code: z.enum(['ASSESSED', 'TENANT', 'TYPE', 'FATF_CALL_FOR_ACTION', 'FATF_INCREASED_MONITORING']),
    value: shown,
    score: z.int().nullable(),
  })
  .meta({ id: 'EntityRiskFactor' });

export const DetailedEntity = z
  .strictObject({
    ...shownFields,
    duplicates: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
    riskFactors: z.array(RiskFactor).describe('The reasons for the risk; the highest score counts.'),
  })
  .meta({ id: 'DetailedEntity' });
export type DetailedEntity = z.infer<typeof DetailedEntity>;

export const OperatorEntity = z
  .strictObject({ ...DetailedEntity.shape, sourceId: shown })
  .meta({ id: 'OperatorEntity' });
export type OperatorEntity = z.infer<typeof OperatorEntity>;

/** An entity in the operator's list. */
export const OperatorListedEntity = z
  .strictObject({ ...shownFields, sourceId: shown })
  .meta({ id: 'OperatorListedEntity' });
export type OperatorListedEntity = z.infer<typeof OperatorListedEntity>;
