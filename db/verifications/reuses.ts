import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { Queryable } from '../postgres.ts';
import { type OutboxEntry, insertOutboxEntries } from '../outbox.ts';
import { insertCounted } from '../statistics/deltas.ts';
import { REUSES } from '../statistics/measures.ts';
import type { ReuseSource } from './find-reuse-source.ts';
import { verificationEntry } from './verification-entry.ts';

/**
 * Stores which proof a verification reuses; nobody is shown it. Call it after storing the verification, in the same
 * transaction.
 */
export async function noteReuse(
  tx: Queryable,
  { id, tenantId }: Pick<VerificationRecord, 'id' | 'tenantId'>,
  source: ReuseSource,
  now: Date,
): Promise<void> {
  await tx.query(NOTE, [
    id,
    tenantId,
    source.id,
    source.tenantId,
    source.flow,
    source.provenAt,
    source.level,
    now,
  ]);
}

const NOTE = insertCounted(
  REUSES,
  `insert into verification_reuses (verification_id, tenant_id, source_id, source_tenant_id, source_flow,
     source_verified_at, match_level, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

interface DependentRow {
  id: string;
  tenant_id: string;
  asset: string;
  blockchain_key: string;
}

// A verification that reuses a proof is never a source itself, so a lock of one never waits for its source.
const WITHDRAW = `
  with ended as (
    update verification_reuses set withdrawn_at = $2
    where source_id = any($1::uuid[]) and withdrawn_at is null returning verification_id
  )
  update verifications v set wake_at = $2 from ended
  where v.id = ended.verification_id and v.status = 'VERIFIED' and v.deleted_at is null
  returning v.id, v.tenant_id, v.asset, v.blockchain_key`;

/**
 * Wakes the verifications of all tenants that reuse these proofs, since they are withdrawn; each is warned by its own
 * workflow. Runs in the transaction that withdraws the proofs. The caller gets outbox entries only, no data of those
 * verifications.
 */
export async function withdrawSources(
  tx: Queryable,
  sourceIds: readonly string[],
  now: Date,
): Promise<OutboxEntry[]> {
  if (sourceIds.length === 0) return [];
  const { rows } = await tx.query<DependentRow>({
    name: 'withdraw-reuse-sources',
    text: WITHDRAW,
    values: [sourceIds, now],
  });
  const outbox = rows.map(({ id, tenant_id: tenantId, asset, blockchain_key: blockchainKey }) =>
    verificationEntry({ id, tenantId, asset, blockchainKey }),
  );
  return await insertOutboxEntries(tx, outbox, now);
}

/** Whether the proof that a verification reuses was withdrawn. */
export async function isSourceWithdrawn(db: Queryable, verificationId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select 1 from verification_reuses where verification_id = $1 and withdrawn_at is not null',
    [verificationId],
  );
  return rowCount === 1;
}
