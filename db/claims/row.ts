import { searchTerms, searchWords } from '../../domain/fold.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { recordTable, type OpenRecord, type SealedRecord } from '../records/record-table.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

/** A claim with the key that seals it. */
export type OpenClaim = OpenRecord<ClaimRecord>;

/** A claim ready to be written. */
export type SealedClaim = SealedRecord<ClaimRecord, object>;

/** The names by which `q` finds a claim; all words of a query must be found within one of them. */
export const CLAIM_SEARCH_FIELDS = ['claimOriginatorVasp', 'claimBeneficiaryVasp', 'claimBeneficiary'];

/** Those without the data of a customer: a partner finds only these by words, since its readings of the others are logged. */
export const CLAIM_VASP_SEARCH_FIELDS = ['claimOriginatorVasp', 'claimBeneficiaryVasp'];

/** How claims are stored. */
export const claimTable = recordTable<ClaimRecord, object>({
  context: sealingContext.claim,
  identity: {
    id: 'uuid',
    tenantId: 'uuid',
    direction: 'text',
    asset: 'text',
    blockchain: 'text',
    blockchainKey: 'text',
    transactionHash: 'text',
    hashNormal: 'text',
    origin: 'text',
    originNormal: 'text',
    originTag: 'text',
    destination: 'text',
    destinationNormal: 'text',
    destinationTag: 'text',
    requestedFields: 'json',
    beneficiaryVaspEntityId: 'uuid',
    createdAt: 'timestamptz',
  },
  changing: {
    status: 'text',
    failureCode: 'text',
    transactionId: 'uuid',
    originatorVaspEntityId: 'uuid',
    messageSource: 'text',
    counterpartId: 'uuid',
    deliveryAttempts: 'int',
    deliveryStartedAt: 'timestamptz',
    lookedForTransfer: 'boolean',
    remindedAt: 'timestamptz',
    remindAt: 'timestamptz',
    deadlineAt: 'timestamptz',
    wakeAt: 'timestamptz',
    version: 'int',
    sequence: 'int',
    head: 'bytea',
    headMac: 'bytea',
    updatedAt: 'timestamptz',
    erasedAt: 'timestamptz',
  },
  searchTokens: searchTokensOf,
  isHidden: () => false,
  derive: () => ({}),
  derivedColumns: [],
});

/** SQL: the columns that a claim is read from, of `claims c`. */
export const READ_COLUMNS = claimTable.readColumns('c');

function searchTokensOf({ personal }: ClaimRecord, keys: TenantKeys): bigint[] {
  const texts = [personal.originatorVaspName, personal.beneficiaryVaspName, personal.beneficiaryName];
  return CLAIM_SEARCH_FIELDS.flatMap((field, index) => {
    const text = texts[index] ?? '';
    return searchWords(text).length > 0 ? keys.tokens(field, searchTerms(text)) : [];
  });
}
