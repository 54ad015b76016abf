import { SYSTEM } from '../../events/actor.ts';
import { changed, type VerificationChange } from '../change.ts';
import type { VerificationRecord } from '../record.ts';
import type { NearMiss } from '../near-miss.ts';
import type { WatchClaim } from './judge-transfers.ts';

/** A transfer found on the chain with enough confirmations. */
export interface FoundTransfer {
  verdict: WatchClaim;
  transactionHash: string;
}

/**
 * Accepts the expected transfer: VERIFIED, or ACTION_REQUIRED if it does not fully prove control of the address. Null
 * if the verification waits for no transfer. The deadline was already checked by the time of the block.
 */
export function acceptTransfer(
  record: VerificationRecord,
  { verdict, transactionHash }: FoundTransfer,
  now: Date,
): VerificationChange | null {
  if (record.status !== 'PENDING' || record.flow !== 'SATOSHI_TEST') return null;
  const found = { verifiedTransactionHash: transactionHash, wakeAt: null, updatedAt: now };
  const personal = { ...record.personal, signIn: null };
  const data = { flow: 'SATOSHI_TEST' };
  if (verdict === 'PROVEN') {
    return changed(
      record,
      { ...found, status: 'VERIFIED', verifiedAt: now, personal },
      {
        type: 'PROOF_ACCEPTED',
        message: 'The expected transfer came from the address.',
        actor: SYSTEM,
        data,
      },
    );
  }
  return changed(
    record,
    { ...found, status: 'ACTION_REQUIRED', warnings: withWarning(record, verdict), personal },
    {
      type: 'PROOF_UNCLEAR',
      message: 'The expected transfer came, but not from the address alone; a person must decide.',
      actor: SYSTEM,
      data: { ...data, warning: verdict },
    },
  );
}

/** Warns once of a transfer that was nearly the expected one; the test continues. */
export function warnOfNearMiss(
  record: VerificationRecord,
  warning: NearMiss,
  now: Date,
): VerificationChange | null {
  if (record.status !== 'PENDING' || record.warnings.includes(warning)) return null;
  return changed(
    record,
    { warnings: withWarning(record, warning), updatedAt: now },
    {
      type: 'NEAR_MISS',
      message: 'A transfer came that was nearly the expected one.',
      actor: SYSTEM,
      data: { warning },
    },
  );
}

/** Warns that a chain reorganisation removed the accepted transfer. The status stays, as people have relied on it. */
export function warnOfReorg(record: VerificationRecord, now: Date): VerificationChange | null {
  const isProof = record.flow === 'SATOSHI_TEST' && record.verifiedTransactionHash !== null;
  if (!isProof || record.warnings.includes('PROOF_REORGED')) return null;
  return changed(
    record,
    { warnings: withWarning(record, 'PROOF_REORGED'), updatedAt: now },
    {
      type: 'PROOF_REORGED',
      message: 'The chain has dropped the transfer that was accepted as proof.',
      actor: SYSTEM,
    },
  );
}

/** Fails a started test after the scanner has passed its deadline without a transfer in time. */
export function endSatoshiTest(record: VerificationRecord, now: Date): VerificationChange | null {
  if (record.status !== 'PENDING' || record.flow !== 'SATOSHI_TEST') return null;
  return changed(
    record,
    {
      status: 'FAILED',
      failureCode: 'EXPIRED',
      wakeAt: null,
      updatedAt: now,
      personal: { ...record.personal, statusReasoning: 'Expired', signIn: null },
    },
    {
      type: 'EXPIRED',
      message: 'The expected transfer did not come in time.',
      actor: SYSTEM,
      basis: { kind: 'EXPIRY' },
    },
  );
}

function withWarning({ warnings }: VerificationRecord, warning: VerificationRecord['warnings'][number]) {
  return warnings.includes(warning) ? warnings : [...warnings, warning];
}
