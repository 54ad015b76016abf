import { z } from 'zod';
import { compareDecimals } from '../decimal.ts';
import { ENTITY_TYPES } from '../entity-types.ts';
import { FIELDS, type FieldName } from './fields.ts';
import { isMissingField } from './missing-fields.ts';
import { isCountryCode, readDecimal } from './values.ts';

/** Maximum length of a text in a record. */
const TEXT_LENGTH = 256;
const LIST_LENGTH = 100;
const MAX_DUPLICATES = 1_000;

const maybe = <S extends z.ZodType>(schema: S) => schema.nullable().optional();

const Decimal = z.union([z.number(), z.string()]).transform((given, context): string => {
  const read = readDecimal(given);
  if (read.ok) return read.value;
  context.addIssue({ code: 'custom', message: read.message });
  return z.NEVER;
});

const upTo = (most: string) =>
  Decimal.refine((value) => compareDecimals(value, most) <= 0, { error: `must be at most ${most}` });

const Text = z.string().min(1).max(TEXT_LENGTH);
const Country = z
  .string()
  .refine(isCountryCode, { error: 'must be an ISO 3166-1 alpha-2 code in upper case' });
const Countries = z.union([
  z.array(Country).max(LIST_LENGTH),
  Country.transform((country): string[] => [country]),
]);

/** The values of a fact are those that `GET /rule-engine/fields` documents for its field. */
const valueOf = (name: FieldName) => z.enum(FIELDS[name].values ?? []);

const MissingField = Text.refine(isMissingField, {
  error: 'must be a value of the field missingFields, as GET /rule-engine/fields lists them',
  params: { code: 'value_unknown' },
});

/**
 * The known facts of a transfer by field name; `amountUsd` and `amountEur` are the value of `amount` in a currency,
 * `rolling24hAmountAtLeast` is the known part of a sum that is not known, `counterpartyDuplicateIds` are further ids of
 * `counterpartyEntityId`.
 * Decimals are canonical strings. A fact that is absent or null is missing.
 */
export const Facts = z
  .strictObject({
    amount: maybe(Decimal),
    amountUsd: maybe(Decimal),
    amountEur: maybe(Decimal),
    asset: maybe(Text),
    blockchain: maybe(Text),
    originType: maybe(valueOf('originType')),
    destinationType: maybe(valueOf('destinationType')),
    originatorType: maybe(valueOf('originatorType')),
    beneficiaryType: maybe(valueOf('beneficiaryType')),
    originatorCountry: maybe(Country),
    beneficiaryCountry: maybe(Country),
    missingFields: maybe(z.array(MissingField).max(LIST_LENGTH)).describe('Empty when nothing is missing.'),
    counterpartyEntityId: maybe(z.uuid().toLowerCase()),
    counterpartyDuplicateIds: maybe(z.array(z.uuid().toLowerCase()).max(MAX_DUPLICATES)),
    counterpartyEntityType: maybe(valueOf('counterpartyEntityType')),
    counterpartyEntityCountry: maybe(Countries).describe('One code or several; an empty list is missing.'),
    counterpartyInNetwork: maybe(z.boolean()),
    counterpartyRiskSeverity: maybe(valueOf('counterpartyRiskSeverity')),
    isDestinationConfirmed: maybe(z.boolean()),
    beneficiaryMatch: maybe(valueOf('beneficiaryMatch')),
    messageSource: maybe(valueOf('messageSource')),
    walletClassification: maybe(valueOf('walletClassification')),
    agenticDetected: maybe(z.boolean()),
    walletVerificationStatus: maybe(valueOf('walletVerificationStatus')),
    walletVerificationFlow: maybe(valueOf('walletVerificationFlow')),
    amlRiskScore: maybe(upTo('100')),
    amlRiskSeverity: maybe(valueOf('amlRiskSeverity')),
    amlCategories: maybe(z.array(z.enum(ENTITY_TYPES)).max(LIST_LENGTH)),
    amlNotAsked: maybe(valueOf('amlNotAsked')),
    sanctionsNameMatch: maybe(z.boolean()),
    sanctionsAddressMatch: maybe(z.boolean()),
    rolling24hAmount: maybe(Decimal),
    rolling24hAmountAtLeast: maybe(Decimal),
    rolling24hCount: maybe(Decimal),
    hasTransactionHash: maybe(z.boolean()),
    hourUtc: maybe(upTo('23')),
  })
  .meta({ id: 'RuleFacts' });
export type Facts = z.output<typeof Facts>;
export type FactName = keyof Facts;
