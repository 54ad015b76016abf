import type { TransferVerdict } from '../../domain/verifications/satoshi/judge-transfers.ts';
import type { Queryable } from '../postgres.ts';

export interface DueObservation {
  verificationId: string;
  tenantId: string;
  transactionHash: string;
  position: number;
  verdict: TransferVerdict;
}

interface ObservationRow {
  verification_id: string;
  tenant_id: string;
  transaction_hash: string;
  position: number;
  verdict: TransferVerdict;
}

const COLUMNS = 'o.verification_id, o.tenant_id, o.transaction_hash, o.position, o.verdict';

/**
 * Observations at this height or below that can be applied now. A claim waits until the wallet owner has said that
 * the transfer is on its way, or until its verification is closed.
 */
export async function findDueObservations(
  db: Queryable,
  chain: string,
  upToHeight: number,
  limit: number,
): Promise<DueObservation[]> {
  const { rows } = await db.query<ObservationRow>(
    `select ${COLUMNS} from chain_observations o join satoshi_watches w using (verification_id)
     where o.chain = $1 and o.state = 'SEEN' and o.height <= $2
       and (not o.is_claim or w.submitted_at is not null or w.state = 'DONE')
     order by o.height limit $3`,
    [chain, upToHeight, limit],
  );
  return rows.map(toDue);
}

/** Accepted transfers that a fork dropped and that did not return, although the chain is deep enough again. */
export async function findDropped(
  db: Queryable,
  chain: string,
  upToHeight: number,
  limit: number,
): Promise<DueObservation[]> {
  const { rows } = await db.query<ObservationRow>(
    `select ${COLUMNS} from chain_observations o
     where o.chain = $1 and o.state = 'ORPHANED' and o.height <= $2 order by o.height limit $3`,
    [chain, upToHeight, limit],
  );
  return rows.map(toDue);
}

/** Sets the state of an observation: APPLIED can still be dropped by a fork, SETTLED cannot. */
export async function markObservation(
  tx: Queryable,
  { verificationId, transactionHash, position }: DueObservation,
  state: 'APPLIED' | 'SETTLED',
): Promise<void> {
  await tx.query(
    `update chain_observations set state = $4
     where verification_id = $1 and transaction_hash = $2 and position = $3`,
    [verificationId, transactionHash, position, state],
  );
}

/** Settles applied transfers that are too deep for any fork. */
export async function settleDeep(db: Queryable, chain: string, upToHeight: number): Promise<void> {
  await db.query(
    `update chain_observations set state = 'SETTLED' where chain = $1 and state = 'APPLIED' and height <= $2`,
    [chain, upToHeight],
  );
}

/** Hashes of accepted transactions that a fork has dropped. */
export async function findOrphanedHashes(db: Queryable, chain: string): Promise<Set<string>> {
  const { rows } = await db.query<{ transaction_hash: string }>(
    `select transaction_hash from chain_observations where chain = $1 and state = 'ORPHANED'`,
    [chain],
  );
  return new Set(rows.map((row) => row.transaction_hash));
}

export interface OverdueWatch {
  verificationId: string;
  tenantId: string;
  isSubmitted: boolean;
}

/**
 * Open watches whose deadline lies before the block of this height, which is deep enough: no later block can contain
 * their transfer in time.
 */
export async function findOverdueWatches(
  db: Queryable,
  chain: string,
  height: number,
  limit: number,
): Promise<OverdueWatch[]> {
  const { rows } = await db.query<{ verification_id: string; tenant_id: string; is_submitted: boolean }>(
    `select w.verification_id, w.tenant_id, w.submitted_at is not null as is_submitted from satoshi_watches w
     where w.chain = $1 and w.state = 'OPEN'
       and w.deadline < (select block_time from chain_blocks where chain = $1 and height = $2)
     order by w.deadline limit $3`,
    [chain, height, limit],
  );
  return rows.map((row) => ({
    verificationId: row.verification_id,
    tenantId: row.tenant_id,
    isSubmitted: row.is_submitted,
  }));
}

function toDue(row: ObservationRow): DueObservation {
  return {
    verificationId: row.verification_id,
    tenantId: row.tenant_id,
    transactionHash: row.transaction_hash,
    position: row.position,
    verdict: row.verdict,
  };
}
