import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { needsScreening } from '../screening-due.ts';
import type { TransactionRecord } from '../record.ts';
import {
  decideSelfHosted,
  isForPerson,
  type SelfHostedDecision,
  type SelfHostedRules,
  type SelfHostedTransfer,
} from './self-hosted-decision.ts';
import { isSelfHosted, waitsForOwner } from '../self-hosted-wallet.ts';
import type { WalletProof } from '../../verifications/wallet-proof.ts';
import { DAY_MS, addMs } from '../../durations.ts';

/**
 * Confirms a transfer to or from a self-hosted wallet by a proof of its owner or by the tenant's setting; otherwise the
 * transfer waits for a proof without limit, unless its tenant ends it. `proofs` are of this wallet, newest first.
 */
export function confirmSelfHosted(
  record: TransactionRecord,
  proofs: readonly WalletProof[],
  rules: SelfHostedRules,
  now: Date,
): PairChange {
  // Whatever screening and rules say takes precedence over any proof.
  const isHeldBack = needsScreening(record) || record.hold !== null;
  if (record.status !== 'PENDING' || !isSelfHosted(record) || isHeldBack) return NO_CHANGE;
  const decision = decisionOnWallet(record, proofs, rules, now);
  if (decision.kind === 'CONFIRM') return confirmed(record, decision, now);
  if (!waitsForOwner(record) || isUntouched(record)) return startWaiting(record, decision, rules, now);
  return noteNewProof(record, proofs[0], decision, now);
}

/** The decision on a transfer to or from a self-hosted wallet by the proofs of that wallet, newest first. */
export function decisionOnWallet(
  record: TransactionRecord,
  proofs: readonly WalletProof[],
  rules: SelfHostedRules,
  now: Date,
): SelfHostedDecision {
  return decideSelfHosted(transferOf(record), proofs, rules, now);
}

/** The tenant's own customer has to own the wallet; if only the other party has a customer number, that party. */
function transferOf({ direction, amountEur, personal }: TransactionRecord): SelfHostedTransfer {
  const { originator, beneficiary } = personal;
  const [own, other] = direction === 'OUTGOING' ? [originator, beneficiary] : [beneficiary, originator];
  const customerIdentification = own?.customerIdentification ?? other?.customerIdentification ?? null;
  return { amountEur, customerIdentification };
}

function confirmed(
  record: TransactionRecord,
  { basis }: Extract<SelfHostedDecision, { kind: 'CONFIRM' }>,
  now: Date,
): PairChange {
  const isProven = basis.kind === 'VERIFICATION';
  const isDestination = isProven && record.direction === 'OUTGOING';
  return systemChange(
    {
      ...record,
      status: 'CONFIRMED',
      awaitsProof: false,
      isProofDoubted: false,
      isDestinationConfirmed: isDestination ? true : record.isDestinationConfirmed,
      deadlineAt: null,
      wakeAt: null,
      updatedAt: now,
    },
    {
      type: 'STATUS_CHANGED',
      message: isProven
        ? 'Confirmed: the owner of the self-hosted wallet has proven that it is theirs.'
        : 'Confirmed: transfers to and from self-hosted wallets need no proof here.',
      actor: SYSTEM,
      previousStatus: record.status,
      newStatus: 'CONFIRMED',
      basis,
    },
  );
}

/** Whether this is the first check of a deposit after screening. It has waited since its creation; this logs why. */
function isUntouched({ direction, version }: TransactionRecord): boolean {
  return direction === 'INCOMING' && version <= 2;
}

type OwnerWaitFacts = Extract<SelfHostedDecision, { kind: 'WAIT' }>;

function startWaiting(
  record: TransactionRecord,
  { need, lack }: OwnerWaitFacts,
  rules: SelfHostedRules,
  now: Date,
): PairChange {
  return systemChange(
    {
      ...record,
      awaitsProof: true,
      isProofDoubted: isForPerson(lack),
      deadlineAt: null,
      wakeAt: nextProofCheck({ ...record, updatedAt: now }, rules, now),
      updatedAt: now,
    },
    {
      type: 'OWNERSHIP_UNCONFIRMED',
      message: 'The owner of the self-hosted wallet has not proven that it is theirs.',
      actor: SYSTEM,
      previousStatus: record.status,
      newStatus: record.status,
      data: { need, lack },
    },
  );
}

/** Logs a new proof that is not accepted, once, with the reason. The tenant learns where it is for a person to decide. */
function noteNewProof(
  record: TransactionRecord,
  newest: WalletProof | undefined,
  { need, lack }: OwnerWaitFacts,
  now: Date,
): PairChange {
  const isProofDoubted = isForPerson(lack);
  const isOther = isProofDoubted !== record.isProofDoubted;
  if (!newest || (newest.verifiedAt <= record.updatedAt && !isOther)) return NO_CHANGE;
  const event: EventDraft = {
    type: 'PROOF_NOT_ACCEPTED',
    message: 'A proof of the self-hosted wallet is not enough for this transfer.',
    actor: SYSTEM,
    data: { need, lack, verificationId: newest.verificationId },
  };
  const after = { ...record, isProofDoubted, updatedAt: now };
  const own = { after, events: [event], notify: isOther, wakesWorkflow: false };
  return { own, counterpart: null, forwarded: null };
}

/** Longer than any database transaction may take. */
const SETTLED_MS = 60_000;
const SOON_MS = 5 * 60_000;

/**
 * The time of the next check of a waiting transfer. One minute after a change, because a proof accepted at the same
 * moment may have missed it. While its value is unknown: after five minutes, then each time its age has doubled, at
 * least daily. Otherwise null: a proof wakes it.
 */
export function nextProofCheck(
  { amountEur, createdAt, updatedAt }: Pick<TransactionRecord, 'amountEur' | 'createdAt' | 'updatedAt'>,
  { thresholdEur }: Pick<SelfHostedRules, 'thresholdEur'>,
  now: Date,
): Date | null {
  const settledAt = addMs(updatedAt, SETTLED_MS);
  if (settledAt > now) return settledAt;
  if (amountEur !== null || thresholdEur === null) return null;
  const ageMs = now.getTime() - createdAt.getTime();
  return addMs(now, Math.min(DAY_MS, Math.max(SOON_MS, ageMs)));
}

/** The change of one record. A new deposit sends no webhook: its tenant knows from its own request that it waits. */
function systemChange(after: TransactionRecord, event: EventDraft): PairChange {
  const notify = !(isUntouched(after) && waitsForOwner(after));
  return {
    own: { after, events: [event], notify, wakesWorkflow: false },
    counterpart: null,
    forwarded: null,
  };
}
