import { foldName } from '../../domain/fold.ts';
import type { ScreeningSummary } from '../../domain/sanctions-screening/history.ts';
import type { SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import type { Column } from '../columns.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

/** A screening with everything that is stored of it. */
export interface SealedScreening {
  tenantId: string;
  screening: SanctionsScreening;
  subject: Buffer;
  /** The encrypted response, byte for byte as it is sent. */
  answer: Buffer;
  nameToken: bigint;
  subjectToken: bigint;
}

/** The field names under which the tokens are made. */
const NAME_FIELD = 'screenedName';
const SUBJECT_FIELD = 'screenedSubject';

/** The search token of a screened name. */
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
}

/** Encrypts a screening and its JSON response for storage. */
export function sealScreening(
  keys: TenantKeys,
  tenantId: string,
  { screening, json, subjectToken: token }: ScreeningResponse,
): SealedScreening {
  const { id, screenedName } = screening;
  return {
    tenantId,
    screening,
    subject: keys.seal(sealingContext.sanctionsScreening.subject(tenantId, id), screenedName),
    answer: keys.sealBytes(sealingContext.sanctionsScreening.answer(tenantId, id), json),
    nameToken: nameToken(keys, screenedName),
    subjectToken: token,
  };
}

export const screeningColumns: Column<SealedScreening>[] = [
  { name: 'id', type: 'uuid', value: ({ screening }) => screening.id },
  { name: 'tenant_id', type: 'uuid', value: ({ tenantId }) => tenantId },
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
  { name: 'subject_token', type: 'bigint', value: (row) => row.subjectToken },
  { name: 'subject', type: 'bytea', value: ({ subject }) => subject },
  { name: 'answer', type: 'bytea', value: ({ answer }) => answer },
  { name: 'created_at', type: 'timestamptz', value: ({ screening }) => screening.screenedAt },
];

/** A row of the history, without the encrypted response. */
export interface SummaryRow {
  id: string;
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
  'id, kind, sanctioned, complete, total_matches, suppressed_matches, answered_by, engine_version, lists, asked_by, subject, created_at';

export function toSummary(keys: TenantKeys, tenantId: string, row: SummaryRow): ScreeningSummary {
  return {
    id: row.id,
    kind: row.kind,
    screenedName: keys.open<string>(sealingContext.sanctionsScreening.subject(tenantId, row.id), row.subject),
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
