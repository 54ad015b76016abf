import { searchTerms, searchWords } from '../../domain/fold.ts';
import type { Party } from '../../domain/parties/party.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

const SEARCHED_ADDITIONAL = [0, 1, 2, 3, 4];
/** The searched fields; all words of a query must be found within one of them. */
export const SEARCH_FIELDS = [
  'originator',
  'beneficiary',
  ...SEARCHED_ADDITIONAL.map((index) => `additionalOriginator${index}`),
  'beneficiaryVasp',
  'originatorVasp',
  'metadata',
];

/** Those without the data of a customer: a partner finds only these by words, since its readings of the others are logged. */
export const VASP_SEARCH_FIELDS = ['beneficiaryVasp', 'originatorVasp'];

/**
 * Keyed tokens of names and metadata, so that `q` finds them without storing them in plain text. A sealed or deleted
 * record is stored without: the tenant must not find what it may not see.
 */
export function searchTokensOf(record: TransactionRecord, keys: TenantKeys): bigint[] {
  const { originator, beneficiary, additionalOriginators, vaspInfo, metadata } = record.personal;
  return [
    ...keys.tokens('originator', termsOf(nameOf(originator))),
    ...keys.tokens('beneficiary', termsOf(nameOf(beneficiary))),
    ...keys.recurringTokens('beneficiaryVasp', vaspInfo.beneficiaryVaspName ?? '', termsOf),
    ...keys.recurringTokens('originatorVasp', vaspInfo.originatorVaspName ?? '', termsOf),
    ...keys.tokens('metadata', termsOf(metadata ?? '')),
    ...additionalOriginators.flatMap((party, index) =>
      keys.tokens(`additionalOriginator${index}`, termsOf(nameOf(party))),
    ),
  ];
}

function termsOf(text: string): readonly string[] {
  return searchWords(text).length > 0 ? searchTerms(text) : [];
}

/**
 * The token of the tenant's customer, by which transfers are summed up; null where the transfer does not identify the
 * customer.
 */
export function subjectTokenOf(record: TransactionRecord, keys: TenantKeys): bigint | null {
  const { originator, beneficiary } = record.personal;
  const customer = record.direction === 'OUTGOING' ? originator : beneficiary;
  const [field, term] = customer?.customerIdentification
    ? ['customerIdentification', customer.customerIdentification]
    : ['accountNumber', customer?.accountNumber];
  return term && !record.deletedAt ? keys.token(field, term) : null;
}

function nameOf(party: Party | null): string {
  const { name, firstName, lastName, aliases = [] } = party ?? {};
  return [name, firstName, lastName, ...aliases].filter(Boolean).join(' ');
}
