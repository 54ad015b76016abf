import { foldName } from '../../domain/fold.ts';
import type { ScreeningSummary } from '../../domain/sanctions-screening/history.ts';
import type { SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import type { Column } from '../columns.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { RecordKey } from '../vault/record-key.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import type { ScreenedTransfer } from './screened-transfer.ts';
import { NAME_FIELD, screeningTokens } from './search-tokens.ts';

/** A screening with everything that is stored of it: sealed by the key of its transfer, or of the tenant without one. */
export interface SealedScreening {
  tenantId: string;
  screening: SanctionsScreening;
  transactionId: string | null;
  subject: Buffer;
  /** The encrypted response, byte for byte as it is sent. */
  answer: Buffer;
  nameToken: bigint;
  searchTokens: readonly bigint[];
  subjectToken: bigint;
}

/** The field name under which the tokens of subjects are made. */
const SUBJECT_FIELD = 'screenedSubject';

/** The token of a whole screened name, by which `q` finds what was stored before names had tokens of their words. */
export function nameToken(keys: Pick<TenantKeys, 'token'>, name: string): bigint {
  return keys.token(NAME_FIELD, foldName(name));
}

/** The token of a screened subject's identity, by which suppressions are found. */
export function subjectToken(keys: Pick<TenantKeys, 'token'>, identity: string): bigint {
  return keys.token(SUBJECT_FIELD, identity);
}

interface ScreeningResponse {
  screening: SanctionsScreening;
  json: Buffer;
  subjectToken: bigint;
  /** The transfer that was screened; null for a screening on request. */
  transfer: ScreenedTransfer | null;
}

/** Encrypts a screening and its JSON response for storage. */
export function sealScreening(
  keys: TenantKeys,
  tenantId: string,
  { screening, json, subjectToken: token, transfer }: ScreeningResponse,
): SealedScreening {
  const { id, screenedName } = screening;
  const sealer: TenantKeys | RecordKey = transfer?.key ?? keys;
  return {
    tenantId,
    screening,
    transactionId: transfer?.id ?? null,
    subject: sealer.seal(sealingContext.sanctionsScreening.subject(tenantId, id), screenedName),
    answer: sealer.sealBytes(sealingContext.sanctionsScreening.answer(tenantId, id), json),
    nameToken: nameToken(keys, screenedName),
    searchTokens: screeningTokens(keys, screening),
    subjectToken: token,
  };
}

export const screeningColumns: Column<SealedScreening>[] = [
  { name: 'id', type: 'uuid', value: ({ screening }) => screening.id },
  { name: 'tenant_id', type: 'uuid', value: ({ tenantId }) => tenantId },
  { name: 'transaction_id', type: 'uuid', value: ({ transactionId }) => transactionId },
  { name: 'kind', type: 'text', value: ({ screening }) => screening.kind },
  { name: 'sanctioned', type: 'boolean', value: ({ screening }) => screening.sanctioned },
  { name: 'complete', type: 'boolean', value: ({ screening }) => screening.complete },
  { name: 'total_matches', type: 'int', value: ({ screening }) => screening.totalMatches },
  { name: 'suppressed_matches', type: 'int', value: ({ screening }) => screening.suppressedMatches },
  { name: 'answered_by', type: 'text', value: ({ screening }) => screening.answeredBy },
  { name: 'engine_version', type: 'text', value: ({ screening }) => screening.engineVersion },
  { name: 'lists', type: 'text', cast: 'jsonb', value: ({ screening }) => JSON.stringify(screening.lists) },
  {
    name: 'asked_by',
    type: 'text',
    cast: 'jsonb',
    value: ({ screening }) => JSON.stringify(screening.askedBy),
  },
  { name: 'name_token', type: 'bigint', value: (row) => row.nameToken },
  {
    name: 'search_tokens',
    type: 'text',
    cast: 'bigint[]',
    value: ({ searchTokens }) => `{${searchTokens.join(',')}}`,
  },
  { name: 'subject_token', type: 'bigint', value: (row) => row.subjectToken },
  { name: 'subject', type: 'bytea', value: ({ subject }) => subject },
  { name: 'answer', type: 'bytea', value: ({ answer }) => answer },
  { name: 'created_at', type: 'timestamptz', value: ({ screening }) => screening.screenedAt },
];

/** A row of the history, without the encrypted response. */
export interface SummaryRow {
  id: string;
  transaction_id: string | null;
  /** The wrapped key of the transfer, null without one. */
  record_key: Buffer | null;
  kind: ScreeningSummary['kind'];
  sanctioned: boolean;
  complete: boolean;
  total_matches: number;
  suppressed_matches: number;
  answered_by: ScreeningSummary['answeredBy'];
  engine_version: string;
  lists: ScreeningSummary['lists'];
  asked_by: ScreeningSummary['askedBy'];
  subject: Buffer;
  created_at: Date;
}

export const SUMMARY_COLUMNS =
  'id, transaction_id, kind, sanctioned, complete, total_matches, suppressed_matches, answered_by, engine_version, lists, asked_by, subject, created_at';

interface SealedRow {
  transaction_id: string | null;
  record_key: Buffer | null;
}

/** The key that decrypts a stored screening: its transfer's, or the tenant's if it has no transfer. */
export function openerOf(
  keys: TenantKeys,
  tenantId: string,
  { transaction_id: id, record_key: wrapped }: SealedRow,
): TenantKeys | RecordKey {
  if (id === null || wrapped === null) return keys;
  return keys.openRecordKey(wrapped, sealingContext.transaction.key({ tenantId, id }));
}

export function toSummary(keys: TenantKeys, tenantId: string, row: SummaryRow): ScreeningSummary {
  return {
    id: row.id,
    kind: row.kind,
    screenedName: openerOf(keys, tenantId, row).open<string>(
      sealingContext.sanctionsScreening.subject(tenantId, row.id),
      row.subject,
    ),
    sanctioned: row.sanctioned,
    totalMatches: row.total_matches,
    suppressedMatches: row.suppressed_matches,
    complete: row.complete,
    lists: row.lists,
    answeredBy: row.answered_by,
    engineVersion: row.engine_version,
    screenedAt: row.created_at.toISOString(),
    askedBy: row.asked_by,
  };
}
