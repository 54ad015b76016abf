import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { RecordKey } from '../vault/record-key.ts';
import type { IdempotentCall } from './idempotent-call.ts';

/**
 * What an answer shows. Its kept copy is sealed by the key of a transaction, verification or claim, so that erasing the record
 * erases the copy; once a record of any kind is deleted, the copy is no longer given.
 */
export interface ShownRecord {
  kind: keyof typeof RECORD_KEYS | 'WALLET' | 'SUPPRESSION';
  id: string;
}

/** Whose key seals the kept copy of an answer: erasing the record erases the copy. */
export type SealedBy = keyof typeof RECORD_KEYS | 'TENANT';

/** The kept copy of an answer. */
export interface SealedCopy {
  body: Buffer;
  sealedBy: SealedBy;
  sealedById: string;
  /** The wallet or suppression that the answer shows, which has no key of its own. */
  shown: ShownRecord | null;
}

/** SQL: whether the wallet or suppression that a kept answer `i` shows still stands. */
export const STILL_STANDS = `case i.shown_kind
  when 'WALLET' then exists (
    select 1 from wallets w where w.tenant_id = i.tenant_id and w.id = i.shown_id::bigint)
  when 'SUPPRESSION' then exists (
    select 1 from screening_suppressions s where s.tenant_id = i.tenant_id and s.id = i.shown_id::uuid)
  else true end`;

/**
 * The kept copy of an answer that shows a record or nothing of the kind. Null if the record was deleted meanwhile: then
 * nothing may be kept.
 */
export async function sealAnswer(
  { vault }: Database,
  db: Queryable,
  call: IdempotentCall,
  { body, shows }: { body: unknown; shows?: ShownRecord | undefined },
): Promise<SealedCopy | null> {
  const { tenantId, key } = call;
  if (shows && shows.kind !== 'WALLET' && shows.kind !== 'SUPPRESSION') {
    const record = { tenantId, id: shows.id };
    const recordKey = await findRecordKey({ vault }, db, shows.kind, record);
    const sealed = recordKey?.seal(sealingContext.transaction.answer(record, key), body);
    return sealed ? { sealedBy: shows.kind, sealedById: shows.id, body: sealed, shown: null } : null;
  }
  const sealed = (await vault.tenantKeys(tenantId)).seal(sealingContext.keptAnswer.body(tenantId, key), body);
  return { sealedBy: 'TENANT', sealedById: tenantId, body: sealed, shown: shows ?? null };
}

const IS_LIVING = 'deleted_at is null';
/** The records whose own keys seal answers that show them. */
export const RECORD_KEYS = {
  TRANSACTION: { table: 'transactions', condition: IS_LIVING, context: sealingContext.transaction.key },
  VERIFICATION: { table: 'verifications', condition: IS_LIVING, context: sealingContext.verification.key },
  CLAIM: { table: 'claims', condition: 'erased_at is null', context: sealingContext.claim.key },
};

async function findRecordKey(
  { vault }: Pick<Database, 'vault'>,
  db: Queryable,
  kind: keyof typeof RECORD_KEYS,
  record: { tenantId: string; id: string },
): Promise<RecordKey | null> {
  const { table, condition, context } = RECORD_KEYS[kind];
  const { rows } = await db.query<{ record_key: Buffer | null }>(
    `select record_key from ${table} where tenant_id = $1 and id = $2 and ${condition}`,
    [record.tenantId, record.id],
  );
  const wrapped = rows[0]?.record_key;
  if (!wrapped) return null;
  return (await vault.tenantKeys(record.tenantId, [wrapped])).openRecordKey(wrapped, context(record));
}
