import type { ScannedBlock, TransferEvidence, ChainTransfer } from '../../chain-scan/block.ts';
import { NATIVE } from '../../chain-scan/scan-chain.ts';
import type { NearMiss } from '../near-miss.ts';

/** Verdicts on a transfer for a verification. A claim completes the verification; a near miss only warns. */
const CLAIMS = ['PROVEN', 'MIXED_INPUTS', 'SPENDER_TRANSFER'] as const;
export type WatchClaim = (typeof CLAIMS)[number];
export type TransferVerdict = WatchClaim | NearMiss;

/** A verification that waits for a transfer. */
export interface SatoshiWatch {
  verificationId: string;
  tenantId: string;
  asset: string;
  sender: string;
  recipient: string;
  units: bigint;
  armedFrom: Date;
  deadline: Date;
  /** Only blocks above this height count. */
  aboveHeight: number;
}

/** A transfer with its evidence and the watches that it may belong to. */
export interface SatoshiCandidate {
  transfer: ChainTransfer;
  evidence: TransferEvidence;
  watches: readonly SatoshiWatch[];
}

export interface TransferObservation {
  verificationId: string;
  tenantId: string;
  transaction: number;
  position: number;
  verdict: TransferVerdict;
}

/** The facts of a block that decide whether its transfers are in time. */
type BlockPosition = Pick<ScannedBlock, 'height' | 'time'>;

/**
 * Assigns the transfers of a block to verifications, one to one for each tenant: full proofs before partial ones, the
 * oldest verification first. A transfer without a claim may be a near miss.
 */
export function judgeTransfers(
  candidates: readonly SatoshiCandidate[],
  block: BlockPosition,
): TransferObservation[] {
  const judged = candidates.flatMap((candidate) =>
    candidate.watches.flatMap((watch) => {
      const verdict = judgeTransfer(candidate, watch, block);
      return verdict ? [{ candidate, watch, verdict }] : [];
    }),
  );
  const claims = judged
    .filter(({ verdict }) => isClaim(verdict))
    .toSorted(
      (a, b) =>
        rankOf(a.verdict) - rankOf(b.verdict) || Number(a.watch.armedFrom) - Number(b.watch.armedFrom),
    );
  const takenTransfers = new Set<string>();
  const numbers = new Map(candidates.map((candidate, number) => [candidate, number]));
  const claimOf = (candidate: SatoshiCandidate, { tenantId }: SatoshiWatch) =>
    `${tenantId} ${numbers.get(candidate)}`;
  const takenWatches = new Set<string>();
  const observations: TransferObservation[] = [];
  for (const { candidate, watch, verdict } of claims) {
    if (takenTransfers.has(claimOf(candidate, watch)) || takenWatches.has(watch.verificationId)) continue;
    takenTransfers.add(claimOf(candidate, watch));
    takenWatches.add(watch.verificationId);
    observations.push(observed(candidate, watch, verdict));
  }
  for (const { candidate, watch, verdict } of judged) {
    const isTaken = takenTransfers.has(claimOf(candidate, watch)) || takenWatches.has(watch.verificationId);
    if (isClaim(verdict) || isTaken) continue;
    observations.push(observed(candidate, watch, verdict));
  }
  return observations;
}

/** Whether a verdict completes the verification, with or without a review. */
export function isClaim(verdict: TransferVerdict): verdict is WatchClaim {
  return (CLAIMS as readonly TransferVerdict[]).includes(verdict);
}

function rankOf(verdict: TransferVerdict): number {
  return verdict === 'PROVEN' ? 0 : 1;
}

function observed(
  { transfer, evidence }: SatoshiCandidate,
  watch: SatoshiWatch,
  verdict: TransferVerdict,
): TransferObservation {
  const { verificationId, tenantId } = watch;
  return {
    verificationId,
    tenantId,
    transaction: transfer.transaction,
    position: evidence.position,
    verdict,
  };
}

function judgeTransfer(
  { transfer, evidence }: SatoshiCandidate,
  watch: SatoshiWatch,
  block: BlockPosition,
): TransferVerdict | undefined {
  if (transfer.recipient !== watch.recipient) return undefined;
  if (block.height <= watch.aboveHeight) return undefined;
  if (block.time < watch.armedFrom || block.time > watch.deadline) return undefined;
  const { senders, signer } = evidence;
  const paid = senders.includes(watch.sender);
  const sameAsset = transfer.asset === watch.asset;
  if (!sameAsset || transfer.units !== watch.units) {
    if (!paid) return undefined;
    return sameAsset ? 'WRONG_AMOUNT' : 'WRONG_ASSET';
  }
  // A failed transaction has no senders, as it transferred nothing.
  if (!paid) return senders.length > 0 ? 'WRONG_SENDER' : undefined;
  if (senders.length > 1) return 'MIXED_INPUTS';
  const isSpender = transfer.asset !== NATIVE && signer !== null && signer !== watch.sender;
  return isSpender ? 'SPENDER_TRANSFER' : 'PROVEN';
}
