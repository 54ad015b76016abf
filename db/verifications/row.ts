import { searchTerms, searchWords } from '../../domain/fold.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import { recordTable, type OpenRecord, type SealedRecord } from '../records/record-table.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

/** A verification with the key that seals it. */
export type OpenVerification = OpenRecord<VerificationRecord>;

/** A verification ready to be written. */
export type SealedVerification = SealedRecord<VerificationRecord, object>;

/** The field of the search tokens of metadata. */
export const VERIFICATION_SEARCH_FIELD = 'verificationMetadata';

/** How verifications are stored. */
export const verificationTable = recordTable<VerificationRecord, object>({
  context: sealingContext.verification,
  identity: {
    id: 'uuid',
    tenantId: 'uuid',
    asset: 'text',
    blockchain: 'text',
    blockchainKey: 'text',
    address: 'text',
    addressNormal: 'text',
    allowedFlows: 'json',
    satoshiDepositAddress: 'text',
    satoshiDepositNormal: 'text',
    isSatoshiChosen: 'boolean',
    reuseRequest: 'json',
    createdAt: 'timestamptz',
  },
  changing: {
    status: 'text',
    failureCode: 'text',
    flow: 'text',
    verifiedTransactionHash: 'text',
    verifiedAt: 'timestamptz',
    riskScore: 'int',
    warnings: 'json',
    satoshiAmount: 'numeric',
    reuseCode: 'bytea',
    reuseResult: 'json',
    steps: 'json',
    badTries: 'int',
    pageRevision: 'int',
    reminded: 'boolean',
    expiresAt: 'timestamptz',
    wakeAt: 'timestamptz',
    version: 'int',
    sequence: 'int',
    head: 'bytea',
    headMac: 'bytea',
    updatedAt: 'timestamptz',
    deletedAt: 'timestamptz',
  },
  searchTokens: searchTokensOf,
  isHidden: ({ deletedAt }) => deletedAt !== null,
  derive: () => ({}),
  derivedColumns: [],
});

/** SQL: the columns that a verification is read from, of `verifications v`. */
export const READ_COLUMNS = verificationTable.readColumns('v');

function searchTokensOf({ personal }: VerificationRecord, keys: TenantKeys): bigint[] {
  const metadata = personal.metadata ?? '';
  return searchWords(metadata).length > 0
    ? keys.tokens(VERIFICATION_SEARCH_FIELD, searchTerms(metadata))
    : [];
}
