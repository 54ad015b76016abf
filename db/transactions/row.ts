import { foldName } from '../../domain/fold.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { completenessOf } from '../../domain/transactions/completeness.ts';
import { recordTable, type OpenRecord, type SealedRecord } from '../records/record-table.ts';
import { sealingContext } from '../vault/contexts.ts';
import { searchTokensOf, subjectTokenOf } from './search-tokens.ts';

/** A transaction with the key that seals it. */
export type OpenTransaction = OpenRecord<TransactionRecord>;

/** A transaction ready to be written. */
export type SealedTransaction = SealedRecord<TransactionRecord, TransactionIndex>;

/** Derived columns by which the database finds a transaction. */
interface TransactionIndex {
  beneficiaryVaspFolded: string | null;
  subjectToken: bigint | null;
  incomplete: boolean | null;
  namesOriginatorVasp: boolean | null;
}

/** How transactions are stored. */
export const transactionTable = recordTable<TransactionRecord, TransactionIndex>({
  context: sealingContext.transaction,
  identity: {
    id: 'uuid',
    tenantId: 'uuid',
    direction: 'text',
    asset: 'text',
    destination: 'text',
    destinationTag: 'text',
    destinationType: 'text',
    originTag: 'text',
    originType: 'text',
    reference: 'text',
    resubmissionOf: 'uuid',
    createdAt: 'timestamptz',
  },
  changing: {
    status: 'text',
    statusReasonCode: 'text',
    amount: 'numeric',
    amountUsd: 'numeric',
    amountEur: 'numeric',
    blockchain: 'text',
    blockchainKey: 'text',
    transactionHash: 'text',
    hashNormal: 'text',
    origin: 'text',
    originNormal: 'text',
    destinationNormal: 'text',
    destinationWalletId: 'bigint',
    isDestinationConfirmed: 'boolean',
    sealed: 'boolean',
    awaitsWallet: 'boolean',
    releaseId: 'uuid',
    screeningState: 'text',
    screeningDueSince: 'timestamptz',
    isScreeningDelayed: 'boolean',
    announceAt: 'timestamptz',
    ruleWaitUntil: 'timestamptz',
    hold: 'text',
    blockedBy: 'text',
    blockedHold: 'text',
    transferStop: 'text',
    awaitsProof: 'boolean',
    isProofDoubted: 'boolean',
    routingFault: 'text',
    pausedBy: 'uuid',
    addressDisputedAt: 'timestamptz',
    expiredAt: 'timestamptz',
    assetsDisposition: 'text',
    returnTransactionHash: 'text',
    sunriseOverrideAt: 'timestamptz',
    repairDeadlineAt: 'timestamptz',
    relatedTransactionId: 'uuid',
    legalHoldAt: 'timestamptz',
    counterpartyEntityId: 'uuid',
    messageSource: 'text',
    pairId: 'uuid',
    deliveryAttempts: 'int',
    deliveryStartedAt: 'timestamptz',
    deadlineAt: 'timestamptz',
    wakeAt: 'timestamptz',
    version: 'int',
    sequence: 'int',
    head: 'bytea',
    headMac: 'bytea',
    updatedAt: 'timestamptz',
    deletedAt: 'timestamptz',
  },
  derive: (record, keys) => ({
    beneficiaryVaspFolded: foldedVasp(record),
    subjectToken: subjectTokenOf(record, keys),
    incomplete: isIncomplete(record),
    namesOriginatorVasp: namesOriginatorVasp(record),
  }),
  searchTokens: searchTokensOf,
  isHidden: ({ sealed, deletedAt }) => sealed || deletedAt !== null,
  derivedColumns: [
    { name: 'beneficiary_vasp_folded', type: 'text', value: (index) => index.beneficiaryVaspFolded },
    { name: 'subject_token', type: 'bigint', value: (index) => index.subjectToken },
    { name: 'incomplete', type: 'boolean', value: (index) => index.incomplete },
    { name: 'names_originator_vasp', type: 'boolean', value: (index) => index.namesOriginatorVasp },
  ],
});

/** SQL: the columns that a transaction is read from. */
export const READ_COLUMNS = transactionTable.readColumns();

/** The folded name of the VASP to which an outgoing message is routed. */
function foldedVasp(record: TransactionRecord): string | null {
  const name = record.personal.vaspInfo.beneficiaryVaspName;
  return record.direction === 'OUTGOING' && name ? foldName(name) : null;
}

/** Whether the party data is incomplete, counted per counterparty; null while the tenant must not see it. */
function isIncomplete(record: TransactionRecord): boolean | null {
  const completeness = completenessOf(record);
  return completeness && !completeness.complete;
}

/** Whether an incoming record names its originator VASP, in the directory or not; null for an outgoing one, whose tenant that is. */
function namesOriginatorVasp({ direction, personal }: TransactionRecord): boolean | null {
  return direction === 'INCOMING' ? personal.vaspInfo.originatorVaspName !== null : null;
}
