import { NOT_ASKED } from '../aml/not-asked.ts';
import { FLOWS, VERIFICATION_STATUSES } from '../verifications/state.ts';
import { ENTITY_TYPES } from '../entity-types.ts';
import { MISSING_FIELDS } from './missing-fields.ts';

export const OPERATORS = [
  'EQ',
  'NEQ',
  'IN',
  'NOT_IN',
  'GT',
  'GTE',
  'LT',
  'LTE',
  'BETWEEN',
  'CONTAINS_ANY',
  'CONTAINS_NONE',
  'EXISTS',
  'NOT_EXISTS',
] as const;
export type Operator = (typeof OPERATORS)[number];

export const CURRENCIES = ['USD', 'EUR'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** DECIMAL is exact; TEXT_SET and COUNTRY_SET hold several values at once. */
export const FIELD_TYPES = [
  'DECIMAL',
  'BOOLEAN',
  'ENUM',
  'TEXT',
  'COUNTRY',
  'TEXT_SET',
  'COUNTRY_SET',
] as const;
type FieldType = (typeof FIELD_TYPES)[number];

/** The outside source of a fact. A rule that lacks such a fact may cause a review (`onUndecided`). */
export type FieldSupply = 'PRICE' | 'SANCTIONS' | 'AML';

export interface RuleField {
  type: FieldType;
  description: string;
  operators: readonly Operator[];
  /** All allowed values; null: any value of the type. */
  values: readonly string[] | null;
  unit: string | null;
  /** Required format of a text. */
  format: 'UUID' | null;
  /** Currencies allowed in a leaf; null if it takes none. */
  currencies: readonly Currency[] | null;
  supply: FieldSupply | null;
}

const PRESENCE: readonly Operator[] = ['EXISTS', 'NOT_EXISTS'];
const ONE_OF: readonly Operator[] = ['EQ', 'NEQ', 'IN', 'NOT_IN', ...PRESENCE];
const ORDERED: readonly Operator[] = ['EQ', 'NEQ', 'GT', 'GTE', 'LT', 'LTE', 'BETWEEN', ...PRESENCE];
const SET: readonly Operator[] = ['CONTAINS_ANY', 'CONTAINS_NONE', ...PRESENCE];
const YES_NO: readonly Operator[] = ['EQ', 'NEQ', ...PRESENCE];

const SEVERITIES = ['low', 'medium', 'high'];
const CUSTODY = ['CUSTODIAL', 'NON_CUSTODIAL'];
const PARTY_TYPES = ['NATURAL', 'LEGAL'];

const plain = { values: null, unit: null, format: null, currencies: null, supply: null } as const;

function decimal(description: string, unit: string): RuleField {
  return { ...plain, type: 'DECIMAL', operators: ORDERED, description, unit };
}

function text(description: string): RuleField {
  return { ...plain, type: 'TEXT', operators: ONE_OF, description };
}

function oneOf(values: readonly string[], description: string): RuleField {
  return { ...plain, type: 'ENUM', operators: ONE_OF, values, description };
}

function yesNo(description: string): RuleField {
  return { ...plain, type: 'BOOLEAN', operators: YES_NO, description };
}

function country(description: string): RuleField {
  return { ...plain, type: 'COUNTRY', operators: ONE_OF, unit: 'ISO 3166-1 alpha-2', description };
}

/** The fields that conditions may use. The counterparty is the beneficiary VASP if OUTGOING, the originator VASP if INCOMING. */
export const FIELDS = {
  amount: {
    ...decimal('The amount; with `currency` its value in that currency when it was recorded.', 'the asset'),
    currencies: CURRENCIES,
  },
  asset: text('The ticker, in any case.'),
  blockchain: text(
    'The blockchain, by any of its names. An unknown name that is nearly that of a known one is refused.',
  ),
  originType: oneOf(CUSTODY, 'Who holds the wallet that pays.'),
  destinationType: oneOf(CUSTODY, 'Who holds the wallet that is paid.'),
  originatorType: oneOf(PARTY_TYPES, 'A person or an organisation.'),
  beneficiaryType: oneOf(PARTY_TYPES, 'A person or an organisation.'),
  originatorCountry: country("The originator's country."),
  beneficiaryCountry: country("The beneficiary's country."),
  missingFields: {
    ...plain,
    type: 'TEXT_SET',
    operators: SET,
    values: MISSING_FIELDS,
    description: 'Fields that the law requires and the record lacks; of alternatives each one.',
  },
  counterpartyEntityId: {
    ...text(
      'The entity that the counterparty was resolved to, by its own id or that of one of its duplicates; missing when it is unknown.',
    ),
    format: 'UUID',
  },
  counterpartyEntityType: oneOf(ENTITY_TYPES, "The entity's type."),
  counterpartyEntityCountry: {
    ...plain,
    type: 'COUNTRY_SET',
    operators: ['IN'],
    unit: 'ISO 3166-1 alpha-2',
    description: 'Matches when any country stored for the entity is selected.',
  },
  counterpartyInNetwork: yesNo('Whether the entity is a tenant of this deployment.'),
  counterpartyRiskSeverity: oneOf(SEVERITIES, "The entity's risk; for an OUTGOING transfer, as a receiver."),
  isDestinationConfirmed: yesNo('Whether the destination is a confirmed wallet of the beneficiary VASP.'),
  beneficiaryMatch: oneOf(
    ['MATCH', 'CLOSE', 'MISMATCH'],
    'Whether the received message names the holder of the destination wallet; missing while either is unknown.',
  ),
  messageSource: oneOf(['NATIVE', 'PARTNER', 'TRP', 'EMAIL', 'MANUAL'], 'The channel of the message.'),
  walletClassification: oneOf([...CUSTODY, 'UNKNOWN'], "The classification of the counterparty's wallet."),
  agenticDetected: yesNo("Whether the counterparty's wallet behaves like a program."),
  walletVerificationStatus: oneOf(
    VERIFICATION_STATUSES,
    "The proof of the self-hosted wallet's owner: a VERIFIED one if there is any. One with ADDRESS_SANCTIONED does not count.",
  ),
  walletVerificationFlow: oneOf(FLOWS, 'The way in which the owner was proven.'),
  amlRiskScore: { ...decimal('The risk score of the AML check.', '0 to 100, high is risky'), supply: 'AML' },
  amlRiskSeverity: { ...oneOf(SEVERITIES, 'The risk severity of the AML check.'), supply: 'AML' },
  amlCategories: {
    ...plain,
    type: 'TEXT_SET',
    operators: SET,
    values: ENTITY_TYPES,
    supply: 'AML',
    description: 'The kinds of sources or receivers that the AML check found.',
  },
  amlNotAsked: oneOf(
    NOT_ASKED,
    'Why no AML provider was asked about the wallet on the other side; missing when one was.',
  ),
  sanctionsNameMatch: {
    ...yesNo(
      'Whether a party is named on a sanctions list, and no reviewer of the transaction has released that match. Missing when no name of originator or beneficiary could be compared.',
    ),
    supply: 'SANCTIONS',
  },
  sanctionsAddressMatch: {
    ...yesNo(
      'Whether a wallet is on a sanctions list, and no reviewer of the transaction has released that match.',
    ),
    supply: 'SANCTIONS',
  },
  rolling24hAmount: {
    ...decimal(
      'The sum of the same customer in the 24 hours up to this transfer. While a price is missing, what is known of it decides where the rest changes nothing.',
      'EUR',
    ),
    supply: 'PRICE',
  },
  rolling24hCount: decimal('The transfers of the same customer in the same 24 hours.', 'transfers'),
  hasTransactionHash: yesNo('Whether the transfer is already on the blockchain.'),
  hourUtc: decimal('The hour in which the transfer was recorded.', 'hours of UTC, 0 to 23'),
} as const satisfies Record<string, RuleField>;
export type FieldName = keyof typeof FIELDS;

export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

export function fieldOf(name: FieldName): RuleField {
  return FIELDS[name];
}

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(FIELDS, name);
}
