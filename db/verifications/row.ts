import { canonicalDecimal } from '../../domain/decimal.ts';
import { searchTerms, searchWords } from '../../domain/fold.ts';
import type { VerificationPersonal, VerificationRecord } from '../../domain/verifications/record.ts';
import type { Column } from '../columns.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

/** A record with the key that seals it and all that is derived from it. */
export interface OpenVerification {
  record: VerificationRecord;
  key: RecordKey;
  wrappedKey: Buffer;
}

/** A record ready to be written. */
export interface SealedVerification extends OpenVerification {
  personal: Buffer;
  searchTokens: bigint[];
}

/** Under this field the words of the metadata are found. */
export const VERIFICATION_SEARCH_FIELD = 'verificationMetadata';

export function sealVerification(open: OpenVerification, keys: TenantKeys): SealedVerification {
  const { record, key } = open;
  return {
    ...open,
    personal: key.seal(sealingContext.verification.personal(record), record.personal),
    searchTokens: searchTokensOf(record, keys),
  };
}

function searchTokensOf({ personal, deletedAt }: VerificationRecord, keys: TenantKeys): bigint[] {
  const metadata = deletedAt ? '' : (personal.metadata ?? '');
  return searchWords(metadata).length > 0
    ? keys.tokens(VERIFICATION_SEARCH_FIELD, searchTerms(metadata))
    : [];
}

type PlainField = Exclude<keyof VerificationRecord, 'personal'>;

function plain(
  name: string,
  type: Column<unknown>['type'],
  property: PlainField,
): Column<SealedVerification> {
  return { name, type, value: (row) => row.record[property] };
}

function json(name: string, property: PlainField): Column<SealedVerification> {
  return {
    name,
    type: 'text',
    cast: 'jsonb',
    value: ({ record }) => (record[property] === null ? null : JSON.stringify(record[property])),
  };
}

/** Fixed at creation. */
const identity: Column<SealedVerification>[] = [
  plain('id', 'uuid', 'id'),
  plain('tenant_id', 'uuid', 'tenantId'),
  plain('asset', 'text', 'asset'),
  plain('blockchain', 'text', 'blockchain'),
  plain('blockchain_key', 'text', 'blockchainKey'),
  plain('address', 'text', 'address'),
  plain('address_normal', 'text', 'addressNormal'),
  json('allowed_flows', 'allowedFlows'),
  plain('satoshi_deposit_address', 'text', 'satoshiDepositAddress'),
  plain('satoshi_deposit_normal', 'text', 'satoshiDepositNormal'),
  json('reuse_request', 'reuseRequest'),
  plain('created_at', 'timestamptz', 'createdAt'),
  { name: 'record_key', type: 'bytea', value: (row) => row.wrappedKey },
];

/** Written anew with every change. */
export const changingColumns: Column<SealedVerification>[] = [
  plain('status', 'text', 'status'),
  plain('failure_code', 'text', 'failureCode'),
  plain('flow', 'text', 'flow'),
  plain('verified_transaction_hash', 'text', 'verifiedTransactionHash'),
  plain('verified_at', 'timestamptz', 'verifiedAt'),
  plain('risk_score', 'int', 'riskScore'),
  json('warnings', 'warnings'),
  plain('satoshi_amount', 'numeric', 'satoshiAmount'),
  plain('reuse_code', 'bytea', 'reuseCode'),
  json('reuse_result', 'reuseResult'),
  json('steps', 'steps'),
  plain('bad_tries', 'int', 'badTries'),
  plain('page_revision', 'int', 'pageRevision'),
  plain('reminded', 'boolean', 'reminded'),
  plain('expires_at', 'timestamptz', 'expiresAt'),
  plain('wake_at', 'timestamptz', 'wakeAt'),
  plain('version', 'int', 'version'),
  plain('sequence', 'int', 'sequence'),
  plain('head', 'bytea', 'head'),
  plain('updated_at', 'timestamptz', 'updatedAt'),
  plain('deleted_at', 'timestamptz', 'deletedAt'),
  { name: 'personal', type: 'bytea', value: (row) => row.personal },
  {
    name: 'search_tokens',
    type: 'text',
    cast: 'bigint[]',
    value: (row) => `{${row.searchTokens.join(',')}}`,
  },
];

export const verificationColumns: Column<SealedVerification>[] = [...identity, ...changingColumns];

/** The stored row as the driver gives it. */
export interface VerificationRow {
  id: string;
  tenant_id: string;
  record_key: Buffer;
  personal: Buffer;
  [column: string]: unknown;
}

const DERIVED = ['search_tokens'];
const SEALED = ['record_key', 'personal'];

/** The columns that a record is read from, of `verifications v`. */
export const READ_COLUMNS = verificationColumns
  .map((column) => column.name)
  .filter((name) => !DERIVED.includes(name))
  .map((name) => `v.${name}`)
  .join(', ');

const PLAIN_PROPERTIES = verificationColumns
  .map((column) => column.name)
  .filter((name) => ![...DERIVED, ...SEALED].includes(name))
  .map((name) => ({
    name,
    property: name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  }));

/** Opens a stored row; `keys` are its tenant's. */
export function toOpenVerification(row: VerificationRow, keys: TenantKeys): OpenVerification {
  const place = { tenantId: row.tenant_id, id: row.id };
  const key = keys.openRecordKey(row.record_key, sealingContext.verification.key(place));
  const fields = Object.fromEntries(PLAIN_PROPERTIES.map(({ name, property }) => [property, row[name]]));
  const amount = row['satoshi_amount'];
  const record = {
    ...fields,
    satoshiAmount: typeof amount === 'string' ? canonicalDecimal(amount) : null,
    personal: key.open<VerificationPersonal>(sealingContext.verification.personal(place), row.personal),
  } as unknown as VerificationRecord;
  return { record, key, wrappedKey: row.record_key };
}
