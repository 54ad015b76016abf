import { DomainError, invalidField } from '../errors.ts';
import { SYSTEM, type Actor } from '../events/actor.ts';
import { basisOfActor } from '../events/event.ts';
import { foldName } from '../fold.ts';
import { NO_CHANGE, type PairChange } from '../transactions/change.ts';
import { retryTransaction } from '../transactions/lifecycle/restart-routing.ts';
import type { NewTransactionBody } from '../transactions/new-transaction.ts';
import { patchTransaction } from '../transactions/changing/patch-transaction.ts';
import type { TransactionRecord } from '../transactions/record.ts';
import { claimChanged, type ClaimPairChange } from './change.ts';
import type { ClaimRecord } from './record.ts';
import type { AnswerClaimBody } from './schema.ts';

interface AnswerAct {
  actor: Actor;
  now: Date;
}

/** Throws invalid_transition unless the claim was asked of the tenant and is open. */
export function requireAsked(claim: ClaimRecord): void {
  if (claim.direction === 'INCOMING' && claim.status === 'DELIVERED') return;
  const text =
    claim.direction === 'INCOMING'
      ? `A claim that is ${claim.status} takes no answer.`
      : 'Only the originator VASP, of which the data is claimed, answers.';
  throw new DomainError('invalid_transition', text, { members: { allowed: [] } });
}

/** Throws invalid_transition for a claim whose time is over, even if its workflow has not ended it yet. */
export function requireInTime({ deadlineAt }: ClaimRecord, now: Date): void {
  if (deadlineAt > now) return;
  throw new DomainError('invalid_transition', 'The time for an answer is over.', {
    members: { allowed: [] },
  });
}

/** Whom an outgoing transaction names as its beneficiary VASP, seen from a claim. */
export type NamedReceiver = 'ASKER' | 'OTHER' | 'NOBODY';

/**
 * The change by which a transaction of the asked tenant goes to the VASP that claims its data: it gets its name, its hash
 * where it has none, and is tried again if it has failed. Throws for a transaction that is of another transfer, or cannot be
 * sent any more. Nothing is changed where it was delivered.
 */
export function sendToAsker(
  own: TransactionRecord,
  claim: ClaimRecord,
  named: NamedReceiver,
  { actor, now }: AnswerAct,
): PairChange {
  if (!isOfTransfer(own, claim)) {
    const text = 'This is no OUTGOING transaction of the blockchain, hash and destination of the claim.';
    throw invalidField('/transactionId', 'other_transfer', text);
  }
  if (own.pairId !== null) return NO_CHANGE;
  if (!isUnsent(own)) {
    const text = `A transaction that is ${own.blockedBy === null ? own.status : 'blocked'} is sent to nobody.`;
    throw new DomainError('conflict', text, { members: { id: own.id } });
  }
  const { beneficiaryVaspName } = claim.personal;
  const isRenamed = named !== 'ASKER' && beneficiaryVaspName !== null;
  const patch = {
    ...(isRenamed && { vaspInfo: { beneficiaryVaspName } }),
    ...(own.hashNormal === null && { transactionHash: claim.transactionHash }),
  };
  const patched = patchTransaction(own, null, patch, { actor, now });
  const after = patched.own?.after ?? own;
  if (after.status !== 'FAILED') return patched;
  return retryTransaction(after, { actor, now });
}

/** Whether the transaction was not sent and can be. */
function isUnsent({ status, pairId, blockedBy }: TransactionRecord): boolean {
  return pairId === null && blockedBy === null && (status === 'PENDING' || status === 'FAILED');
}

/** Whether an outgoing transaction is of the transfer of a claim. A hash, chain or tag that it does not have fits any. */
function isOfTransfer(own: TransactionRecord, claim: ClaimRecord): boolean {
  const fits = (one: string | null, other: string | null) => one === null || other === null || one === other;
  return (
    own.direction === 'OUTGOING' &&
    own.destinationType === 'CUSTODIAL' &&
    own.destinationNormal === claim.destinationNormal &&
    fits(own.hashNormal, claim.hashNormal) &&
    fits(own.blockchainKey, claim.blockchainKey) &&
    fits(own.destinationTag, claim.destinationTag)
  );
}

/** A transaction of the asked tenant of the claim's chain, hash and destination. */
export interface MatchingTransfer {
  record: TransactionRecord;
  named: NamedReceiver;
}

/**
 * The transaction that is sent without asking anybody: it names the VASP that claims it, or it names nobody, and the claim
 * knows its beneficiary. Hash and destination are public, so that anybody could ask and guess names: it counts only where
 * nothing gives the destination to another VASP than the one that asks (`isOfOther`). Undefined where a person has to decide.
 */
export function transferToSend(
  matching: readonly MatchingTransfer[],
  claim: ClaimRecord,
  { isOfOther }: { isOfOther: boolean },
): MatchingTransfer | undefined {
  const unsent = matching.filter(({ record }) => isUnsent(record) && isOfTransfer(record, claim));
  return (
    unsent.find(({ named }) => named === 'ASKER') ??
    unsent.find(({ named, record }) => !isOfOther && named === 'NOBODY' && isBeneficiary(record, claim))
  );
}

function isBeneficiary({ personal }: TransactionRecord, claim: ClaimRecord): boolean {
  const { beneficiaryName } = claim.personal;
  if (beneficiaryName === null || !personal.beneficiary) return false;
  const { name, firstName, lastName } = personal.beneficiary;
  const split = firstName && lastName ? [`${firstName} ${lastName}`, `${lastName} ${firstName}`] : [];
  const wanted = foldName(beneficiaryName);
  return wanted !== '' && [...(name ? [name] : []), ...split].some((each) => foldName(each) === wanted);
}

/** The asked tenant's own transactions were looked through: one is on its way, or its people have to decide. */
export function lookedForTransfer(
  own: ClaimRecord,
  transactionId: string | null,
  now: Date,
): ClaimPairChange {
  const change = claimChanged(
    own,
    {
      lookedForTransfer: true,
      transactionId: transactionId ?? own.transactionId,
      wakeAt: own.remindAt ?? own.deadlineAt,
      updatedAt: now,
    },
    transactionId === null
      ? { type: 'DECISION_NEEDED', message: 'No transaction answers by itself.', actor: SYSTEM }
      : {
          type: 'ANSWER_SENT',
          message: 'A transaction of this transfer is sent to the VASP that claims it.',
          actor: SYSTEM,
          data: { transactionId },
        },
    { notify: transactionId !== null },
  );
  return { own: change, counterpart: null };
}

/** The asked tenant answers with a transaction, which is on its way: the claim ends when its message arrives. */
export function answerUnderWay(
  own: ClaimRecord,
  transactionId: string,
  { actor, now }: AnswerAct,
): ClaimPairChange {
  requireAsked(own);
  requireInTime(own, now);
  const change = claimChanged(
    own,
    {
      lookedForTransfer: true,
      transactionId,
      wakeAt: own.remindAt ?? own.deadlineAt,
      updatedAt: now,
    },
    {
      type: 'ANSWER_SENT',
      message: 'A transaction of this transfer is sent to the VASP that claims it.',
      actor,
      data: { transactionId },
      basis: basisOfActor(actor),
    },
  );
  return { own: change, counterpart: null };
}

/** The transaction that is made of the party data of an answer. */
export function answeringTransfer(
  claim: ClaimRecord,
  answer: Omit<AnswerClaimBody, 'transactionId'>,
): NewTransactionBody {
  const { originator, beneficiary, additionalOriginators, amount = null } = answer;
  const { beneficiaryVaspName } = claim.personal;
  return {
    direction: 'OUTGOING',
    asset: claim.asset,
    amount,
    blockchainInfo: {
      blockchain: claim.blockchain,
      transactionHash: claim.transactionHash,
      ...(claim.origin !== null && { origin: claim.origin }),
      ...(claim.originTag !== null && { originTag: claim.originTag }),
      originType: 'CUSTODIAL',
      destination: claim.destination,
      ...(claim.destinationTag !== null && { destinationTag: claim.destinationTag }),
      destinationType: 'CUSTODIAL',
    },
    ...(beneficiaryVaspName !== null && { vaspInfo: { beneficiaryVaspName } }),
    ...(originator && { originator }),
    ...(beneficiary && { beneficiary }),
    ...(additionalOriginators && { additionalOriginators }),
  };
}
