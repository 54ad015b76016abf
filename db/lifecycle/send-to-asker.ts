import type pg from 'pg';
import {
  answeringTransfer,
  answerUnderWay,
  lookedForTransfer,
  requireAsked,
  requireInTime,
  sendToAsker,
  transferToSend,
  type MatchingTransfer,
  type NamedReceiver,
} from '../../domain/claims/answer-claim.ts';
import { answeredClaim } from '../../domain/claims/end-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import type { AnswerClaimBody } from '../../domain/claims/schema.ts';
import { nameOneVasp } from '../../domain/entities/vasp-names.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { SYSTEM, type Actor } from '../../domain/events/actor.ts';
import type { FiatPrice } from '../../domain/transactions/fiat.ts';
import { newTransaction } from '../../domain/transactions/new-transaction.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { changeClaimIn, writeDecided, type ChangedClaim } from '../claims/change-claim.ts';
import { lockClaim } from '../claims/find-claim.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import type { Queryable } from '../postgres.ts';
import { untilPaired, type ChangedTransaction } from '../transactions/change-transaction.ts';
import { insertTransactions, prepareCreate } from '../transactions/create-transactions.ts';
import { findTransactionIn } from '../transactions/find-transaction.ts';
import { findRecordsOfClaim } from './claimed-record.ts';
import { isOfAnother } from './is-of-another.ts';
import { changeAndRelateIn } from './relate-transfer.ts';
import { namedVasp } from './resolve-counterparty.ts';

interface AnswerAct {
  actor: Actor;
  now: Date;
}

/**
 * Sends the asked tenant's transaction of the transfer to the VASP that claims it, where that needs nobody's decision, and
 * notes on the claim that this was looked for. A second call changes nothing. Transactions that come later name the VASP
 * themselves, or a person answers with them.
 */
export async function sendMatching(db: Database, claim: ClaimRecord, now: Date): Promise<ChangedClaim> {
  const { tenantId, id } = claim;
  return await untilPaired(db, async (tx) => {
    const records = await findRecordsOfClaim(db, tx, claim, 'OUTGOING');
    const matching: MatchingTransfer[] = [];
    for (const record of records) matching.push({ record, named: await namedReceiver(tx, record, claim) });
    const isOfOther = await isOfAnother(tx, claim);
    const chosen = transferToSend(matching, claim, { isOfOther });
    const sending = chosen && (await send(db, tx, { claim, id: chosen.record.id }, { actor: SYSTEM, now }));
    if (chosen && !sending) return undefined;
    const noted = await changeClaimIn(db, tx, {
      tenantId,
      id,
      now,
      decide: (own) =>
        own.status === 'DELIVERED' && !own.lookedForTransfer
          ? lookedForTransfer(own, chosen?.record.id ?? null, now)
          : { own: null, counterpart: null },
    });
    return { ...noted, outbox: [...(sending?.outbox ?? []), ...noted.outbox] };
  });
}

/**
 * Answers a claim with a transaction of the asked tenant: one that was not sent goes to the VASP that claims it, one that
 * it has received ends the claim. Undefined when the transaction was delivered meanwhile: start again.
 */
export async function answerWithTransaction(
  db: Database,
  tx: pg.PoolClient,
  { claim, id }: ClaimedTransfer,
  act: AnswerAct,
): Promise<ChangedClaim | undefined> {
  requireAsked(claim);
  requireInTime(claim, act.now);
  const sent = await send(db, tx, { claim, id }, act);
  if (!sent) return undefined;
  const locked = await lockClaim(db, tx, claim.tenantId, claim.id);
  const { own, counterpart } = locked;
  // A hash that the transaction got here has made it the message of this transfer.
  if (own.record.status === 'ANSWERED') return { record: own.record, outbox: sent.outbox };
  requireAsked(own.record);
  requireInTime(own.record, act.now);
  const isReceived = sent.record.pairId !== null;
  if (isReceived && sent.counterpart?.tenantId !== counterpart?.record.tenantId) {
    const text = 'This transaction was delivered to another VASP than the one that claims it.';
    throw new DomainError('conflict', text, { members: { id } });
  }
  const decided = isReceived
    ? {
        own: answeredClaim(own.record, id, act.now),
        counterpart: counterpart && answeredClaim(counterpart.record, sent.counterpart?.id ?? null, act.now),
      }
    : answerUnderWay(own.record, id, act);
  const { record, outbox } = await writeDecided(db, tx, { locked, decided }, act.now);
  return { record, outbox: [...sent.outbox, ...outbox] };
}

interface ClaimedTransfer {
  claim: ClaimRecord;
  /** The asked tenant's transaction. */
  id: string;
}

async function send(
  db: Database,
  tx: pg.PoolClient,
  { claim, id }: ClaimedTransfer,
  act: AnswerAct,
): Promise<ChangedTransaction | undefined> {
  const { tenantId } = claim;
  const record = await findTransactionIn(db, tx, tenantId, id);
  if (!record) throw notFound('transaction');
  const named = await namedReceiver(tx, record, claim);
  const command = {
    tenantId,
    id,
    now: act.now,
    decide: (own: TransactionRecord) => sendToAsker(own, claim, named, act),
  };
  return await changeAndRelateIn(db, tx, command, undefined);
}

/** Whom the transaction names. The tenant's own name counts as none; one that leads nowhere may be meant for the asker. */
async function namedReceiver(
  tx: Queryable,
  { personal }: TransactionRecord,
  claim: ClaimRecord,
): Promise<NamedReceiver> {
  const name = personal.vaspInfo.beneficiaryVaspName;
  if (name === null) return 'NOBODY';
  const named = await namedVasp(tx, name);
  if (named?.tenantId === claim.tenantId) return 'NOBODY';
  if (named) return named.entityId === claim.beneficiaryVaspEntityId ? 'ASKER' : 'OTHER';
  return nameOneVasp(name, claim.personal.beneficiaryVaspName ?? '') ? 'NOBODY' : 'OTHER';
}

interface DataAnswer extends AnswerAct {
  claim: ClaimRecord;
  answer: AnswerClaimBody;
  tenant: { id: string; name: string; email: string | null };
  price: FiatPrice | undefined;
}

/**
 * Answers a claim with party data: a new transaction of the asked tenant has them and goes to the VASP that claims them,
 * screened and decided on like any other. Throws conflict while an earlier answer is on its way.
 */
export async function answerWithData(
  db: Database,
  tx: Queryable,
  { claim, answer, tenant, price, actor, now }: DataAnswer,
): Promise<ChangedClaim> {
  requireAsked(claim);
  requireInTime(claim, now);
  const body = answeringTransfer(claim, answer);
  const made = newTransaction(body, { id: newId(now), tenant, actor, now, price });
  const request = { ...made, idempotency: null, answer: () => undefined };
  const [created] = await insertTransactions(tx, [await prepareCreate(db, request)]);
  if (created?.kind !== 'CREATED') throw new Error('a transaction without a key cannot be repeated');
  const locked = await lockClaim(db, tx, claim.tenantId, claim.id);
  await refuseSecondAnswer(db, tx, locked.own.record);
  const decided = answerUnderWay(locked.own.record, made.record.id, { actor, now });
  const { record, outbox } = await writeDecided(db, tx, { locked, decided }, now);
  return { record, outbox: [...created.outbox, ...outbox] };
}

async function refuseSecondAnswer(
  db: Database,
  tx: Queryable,
  { tenantId, transactionId }: ClaimRecord,
): Promise<void> {
  if (transactionId === null) return;
  const earlier = await findTransactionIn(db, tx, tenantId, transactionId);
  if (earlier?.status !== 'PENDING' || earlier.blockedBy !== null) return;
  const text = 'An answer to this claim is on its way.';
  throw new DomainError('conflict', text, { members: { id: transactionId } });
}
