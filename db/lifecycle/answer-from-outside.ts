import type pg from 'pg';
import { answeringTransfer, requireAsked, requireInTime } from '../../domain/claims/answer-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import type { ClaimedDataBody } from '../../domain/claims/schema.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { DomainError } from '../../domain/errors.ts';
import { counterpartyMessage } from '../../domain/transactions/exchanging/counterparty-message.ts';
import type { FiatPrice } from '../../domain/transactions/fiat.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { ChangedClaim } from '../claims/change-claim.ts';
import { findClaimOfWorkflow, getClaim, lockClaim } from '../claims/find-claim.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { findTransaction } from '../transactions/find-transaction.ts';
import { judgeMessage, type JudgeArrival } from './deliver-native.ts';
import { deliverNewMessage } from './deliver-new-message.ts';

interface OutsideAnswer {
  /** The gateway's record of the claim. */
  claim: ClaimRecord;
  answer: ClaimedDataBody;
  /** The mailbox from which the answer comes; null for that of a partner. */
  mailbox: string | null;
  price: FiatPrice | undefined;
  now: Date;
}

type PreparedAnswer = Parameters<typeof deliverNewMessage>[2] & Pick<OutsideAnswer, 'claim'>;

/**
 * Makes the message of an answer by a VASP outside of this deployment, and the verdict of the asking tenant on it, before the
 * database transaction that delivers it. Throws invalid_transition, validation_failed; conflict where the asking tenant was erased.
 */
export async function prepareAnswer(
  db: Database,
  judge: JudgeArrival,
  given: OutsideAnswer,
): Promise<PreparedAnswer> {
  const { claim, now } = given;
  requireAsked(claim);
  requireInTime(claim, now);
  const { tenantId, counterpartId, originatorVaspEntityId: entityId } = claim;
  const asking = counterpartId === null ? undefined : await findClaimOfWorkflow(db, counterpartId);
  if (!asking) throw new DomainError('conflict', 'The VASP that has asked is gone: nobody gets an answer.');
  const receiverTenantId = asking.tenantId;
  // The keys are loaded before the database transaction, to keep it short.
  await Promise.all([tenantId, receiverTenantId].map(async (id) => await db.vault.tenantKeys(id)));
  const message = messageOf(given);
  const answers = { claim: asking, entityId };
  const judged = await judgeMessage(db, { sent: message.record, receiverTenantId, answers, now }, judge);
  return { ...message, receiverTenantId, answers, judged, claim, now };
}

function messageOf({ claim, answer, mailbox, price, now }: OutsideAnswer) {
  const { tenantId, personal } = claim;
  return counterpartyMessage(answeringTransfer(claim, answer), {
    id: newId(now),
    sender: { id: tenantId, name: personal.originatorVaspName, email: mailbox },
    receiver: { name: personal.beneficiaryVaspName ?? '' },
    now,
    price,
  });
}

/**
 * Delivers a prepared answer: the message of the transfer, which completes the asking tenant's record, and the end of the claim
 * on both sides. Of several answers the first one counts: throws invalid_transition for a claim that has ended meanwhile.
 */
export async function deliverAnswer(
  db: Database,
  tx: pg.PoolClient,
  { claim: { tenantId, id }, ...message }: PreparedAnswer,
): Promise<ChangedClaim> {
  const { record: sent, outbox } = await deliverNewMessage(db, tx, message);
  const { own } = await lockClaim(db, tx, tenantId, id);
  if (own.record.transactionId === sent.id) return { record: own.record, outbox };
  requireAsked(own.record);
  throw new DomainError('conflict', 'The transfer of this claim has changed meanwhile.');
}

/**
 * Runs an answer; where the claim was answered with just this before, or is at the same moment, the repeat is that answer and
 * changes nothing. `repeated` gets the claim as it is then.
 */
export async function unlessRepeated<T>(
  db: Database,
  given: OutsideAnswer,
  { answer, repeated }: { answer: () => Promise<T>; repeated: (claim: ClaimRecord) => Promise<T> },
): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    const isRefused =
      error instanceof DomainError && (error.code === 'invalid_transition' || error.code === 'conflict');
    const claim = isRefused ? await findSameAnswer(db, given) : undefined;
    if (!claim) throw error;
    return await repeated(claim);
  }
}

/** The claim that has this answer already; undefined where it has none, or another. */
async function findSameAnswer(db: Database, given: OutsideAnswer): Promise<ClaimRecord | undefined> {
  const { tenantId, id } = given.claim;
  const claim = await getClaim(db, tenantId, id);
  if (claim.status !== 'ANSWERED' || claim.transactionId === null) return undefined;
  const sent = await findTransaction(db, tenantId, claim.transactionId);
  return sent && saidIn(sent) === saidIn(messageOf(given).record) ? claim : undefined;
}

/** What an answer says, in a form that can be compared. */
function saidIn({ amount, personal }: TransactionRecord): string {
  const { originator, beneficiary, additionalOriginators } = personal;
  return canonicalJson([amount, originator, beneficiary, additionalOriginators]);
}
