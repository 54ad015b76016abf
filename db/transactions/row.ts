import { canonicalDecimal } from '../../domain/decimal.ts';
import { foldName } from '../../domain/fold.ts';
import { completenessOf } from '../../domain/transactions/viewing/completeness.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Column } from '../columns.ts';
import type { RecordKey } from '../vault/record-key.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { sealingContext } from '../vault/contexts.ts';
import { openPersonal, sealPersonal, searchTokensOf, subjectTokenOf } from './seal-record.ts';

/** A record with the key that seals it and what is derived from it. */
export interface OpenTransaction {
  record: TransactionRecord;
  key: RecordKey;
  wrappedKey: Buffer;
}

/** A record ready to be written. */
export interface SealedTransaction extends OpenTransaction {
  personal: Buffer;
  searchTokens: bigint[];
  subjectToken: bigint | null;
}

export function sealTransaction(open: OpenTransaction, keys: TenantKeys): SealedTransaction {
  return {
    ...open,
    personal: sealPersonal(open.record, open.key),
    searchTokens: searchTokensOf(open.record, keys),
    subjectToken: subjectTokenOf(open.record, keys),
  };
}

type PlainField = Exclude<keyof TransactionRecord, 'personal'>;

function plain(name: string, type: Column<unknown>['type'], property: PlainField): Column<SealedTransaction> {
  return { name, type, value: (row) => row.record[property] };
}

/** Fixed at creation. */
const identity: Column<SealedTransaction>[] = [
  plain('id', 'uuid', 'id'),
  plain('tenant_id', 'uuid', 'tenantId'),
  plain('direction', 'text', 'direction'),
  plain('asset', 'text', 'asset'),
  plain('destination', 'text', 'destination'),
  plain('destination_tag', 'text', 'destinationTag'),
  plain('destination_type', 'text', 'destinationType'),
  plain('origin_tag', 'text', 'originTag'),
  plain('origin_type', 'text', 'originType'),
  plain('reference', 'text', 'reference'),
  plain('resubmission_of', 'uuid', 'resubmissionOf'),
  plain('created_at', 'timestamptz', 'createdAt'),
  { name: 'record_key', type: 'bytea', value: (row) => row.wrappedKey },
];

/** Written anew with every change. */
export const changingColumns: Column<SealedTransaction>[] = [
  plain('status', 'text', 'status'),
  plain('sub_status', 'text', 'subStatus'),
  plain('status_reason_code', 'text', 'statusReasonCode'),
  plain('amount', 'numeric', 'amount'),
  plain('amount_usd', 'numeric', 'amountUsd'),
  plain('amount_eur', 'numeric', 'amountEur'),
  plain('blockchain', 'text', 'blockchain'),
  plain('blockchain_key', 'text', 'blockchainKey'),
  plain('transaction_hash', 'text', 'transactionHash'),
  plain('hash_normal', 'text', 'hashNormal'),
  plain('origin', 'text', 'origin'),
  plain('origin_normal', 'text', 'originNormal'),
  plain('destination_normal', 'text', 'destinationNormal'),
  plain('destination_wallet_id', 'bigint', 'destinationWalletId'),
  plain('is_destination_confirmed', 'boolean', 'isDestinationConfirmed'),
  plain('sealed', 'boolean', 'sealed'),
  plain('release_id', 'uuid', 'releaseId'),
  plain('screening_state', 'text', 'screeningState'),
  plain('screening_due_since', 'timestamptz', 'screeningDueSince'),
  plain('hold', 'text', 'hold'),
  plain('counterparty_entity_id', 'uuid', 'counterpartyEntityId'),
  plain('message_source', 'text', 'messageSource'),
  plain('pair_id', 'uuid', 'pairId'),
  plain('delivery_attempts', 'int', 'deliveryAttempts'),
  plain('delivery_started_at', 'timestamptz', 'deliveryStartedAt'),
  plain('deadline_at', 'timestamptz', 'deadlineAt'),
  plain('wake_at', 'timestamptz', 'wakeAt'),
  plain('version', 'int', 'version'),
  plain('sequence', 'int', 'sequence'),
  plain('head', 'bytea', 'head'),
  plain('updated_at', 'timestamptz', 'updatedAt'),
  plain('deleted_at', 'timestamptz', 'deletedAt'),
  { name: 'beneficiary_vasp_folded', type: 'text', value: (row) => foldedVasp(row.record) },
  { name: 'subject_token', type: 'bigint', value: (row) => row.subjectToken },
  { name: 'incomplete', type: 'boolean', value: ({ record }) => isIncomplete(record) },
  { name: 'personal', type: 'bytea', value: (row) => row.personal },
  {
    name: 'search_tokens',
    type: 'text',
    cast: 'bigint[]',
    value: (row) => `{${row.searchTokens.join(',')}}`,
  },
];

export const transactionColumns: Column<SealedTransaction>[] = [...identity, ...changingColumns];

/** The name by which routing looks for the counterparty of an outgoing message. */
function foldedVasp(record: TransactionRecord): string | null {
  const name = record.personal.vaspInfo.beneficiaryVaspName;
  return record.direction === 'OUTGOING' && name ? foldName(name) : null;
}

/** Counted per counterparty; null while nobody may tell. */
function isIncomplete(record: TransactionRecord): boolean | null {
  const completeness = completenessOf(record);
  return completeness && !completeness.complete;
}

/** The stored row as the driver gives it. */
export interface TransactionRow {
  id: string;
  tenant_id: string;
  record_key: Buffer;
  personal: Buffer;
  [column: string]: unknown;
}

/** Made from the record for the database to find it by; never read back. */
const DERIVED = ['search_tokens', 'subject_token', 'beneficiary_vasp_folded', 'incomplete'];

/** The columns that a record is read from. */
export const READ_COLUMNS = transactionColumns
  .map((column) => column.name)
  .filter((name) => !DERIVED.includes(name))
  .join(', ');

const PLAIN_PROPERTIES = transactionColumns
  .filter((column) => ![...DERIVED, 'record_key', 'personal'].includes(column.name))
  .map((column) => ({ name: column.name, property: camelCase(column.name) }));

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Opens a stored row; `keys` are its tenant's. */
export function toOpenTransaction(row: TransactionRow, keys: TenantKeys): OpenTransaction {
  const place = { tenantId: row.tenant_id, id: row.id };
  const key = keys.openRecordKey(row.record_key, sealingContext.transaction.key(place));
  const plainFields = Object.fromEntries(PLAIN_PROPERTIES.map(({ name, property }) => [property, row[name]]));
  const record = {
    ...plainFields,
    amount: decimal(row['amount']),
    amountUsd: decimal(row['amount_usd']),
    amountEur: decimal(row['amount_eur']),
    personal: openPersonal(place, key, row.personal),
  } as unknown as TransactionRecord;
  return { record, key, wrappedKey: row.record_key };
}

function decimal(value: unknown): string | null {
  return typeof value === 'string' ? canonicalDecimal(value) : null;
}
