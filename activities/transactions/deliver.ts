import type { RoutedCounterparty } from '../../domain/transactions/lifecycle/route.ts';
import { findBrakeOnWay } from '../../db/brakes/find-brake.ts';
import { MessagePaused, pauseMessage } from '../../db/lifecycle/pause-message.ts';
import { noteBasis } from '../../db/lifecycle/noted-basis.ts';
import { settleScreening, type TransactionJudgement } from '../../db/lifecycle/settle-screening.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { markUnreachable } from '../../domain/transactions/lifecycle/routing-outcomes.ts';
import {
  holdForTravelAddress,
  isTravelAddressPassed,
} from '../../domain/transactions/lifecycle/travel-address-hold.ts';
import type { PairChange } from '../../domain/transactions/change.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { applyTrpAnswer } from '../../db/lifecycle/apply-trp-answer.ts';
import type { LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import { CounterpartyUnreachable, SendFirst } from '../network/network.ts';
import { answerAsTestVasp } from './answer-as-test-vasp.ts';
import { changeBy, changed, screenSoon, type StepDeps, type StepResult } from './transaction-step.ts';

interface DeliveryInput {
  counterparty: RoutedCounterparty;
  /** The sender's own screening, stored with the delivery. Left out for a record that was screened before. */
  screened?: TransactionJudgement;
}

/** Delivers a message over the network of its receiver; one by TRP is sent first, by an activity of its own. In a sandbox a test VASP responds at once. */
export async function deliver(
  deps: StepDeps,
  open: OpenTransaction,
  { counterparty, screened }: DeliveryInput,
): Promise<StepResult> {
  if (counterparty.leadsElsewhere && !isTravelAddressPassed(open.record))
    return await settleAnd(deps, open, { screened, decide: holdForTravelAddress });
  if (counterparty.network === 'EMAIL') {
    const brakeId = await brakeTowards(deps, open, counterparty);
    if (brakeId !== undefined) return await pauseAt(deps, open, brakeId, screened);
  }
  const now = screened?.now ?? deps.now();
  const isSendFailed = deps.isSendFailed ?? false;
  const message = { record: open.record, counterparty, ...(screened && { screened }), isSendFailed, now };
  try {
    const delivered = await deps.networks[counterparty.network].deliver(message);
    if (delivered === 'SCREEN_AGAIN') return { plan: screenSoon(open.record, deps.now()) };
    if (delivered === null) return 'READ_AGAIN';
    const result = changed(deps, open, delivered);
    if (counterparty.network === 'TRP') return await withAnswer(deps, open);
    if (counterparty.network !== 'NATIVE' || counterparty.testBehaviour === undefined) return result;
  } catch (error) {
    if (error instanceof MessagePaused) return await pauseAt(deps, open, error.brakeId, screened);
    if (!(error instanceof SendFirst || error instanceof CounterpartyUnreachable)) throw error;
    return await whileUnsent(deps, open, { counterparty, screened, isToBeSent: error instanceof SendFirst });
  }
  await answerAsTestVasp(deps, open.record.id);
  return 'READ_AGAIN';
}

interface UnsentMessage {
  counterparty: RoutedCounterparty;
  screened: TransactionJudgement | undefined;
  /** Whether the VASP is to be called; else it was, in vain. */
  isToBeSent: boolean;
}

/**
 * What another VASP has not taken yet: it is sent, or tried again later. A brake holds it back; one that the VASP of a travel address
 * has taken is delivered, whatever brake came since.
 */
async function whileUnsent(
  deps: StepDeps,
  open: OpenTransaction,
  { counterparty, screened, isToBeSent }: UnsentMessage,
): Promise<StepResult> {
  const brakeId = counterparty.network === 'TRP' ? await brakeTowards(deps, open, counterparty) : undefined;
  if (brakeId !== undefined) return await pauseAt(deps, open, brakeId, screened);
  if (isToBeSent) return { plan: sendFirst(open, screened) };
  return await settleAnd(deps, open, { screened, decide: markUnreachable });
}

/** The brake on what leaves this deployment. Within it the delivery itself looks. */
async function brakeTowards(
  { db }: StepDeps,
  { record }: OpenTransaction,
  counterparty: Extract<RoutedCounterparty, { network: 'EMAIL' | 'TRP' }>,
): Promise<string | undefined> {
  const way = { senderTenantId: record.tenantId, receiverEntityId: counterparty.entityId };
  return await findBrakeOnWay(db.pool, { ...way, receiverTenantId: null, senderEntityId: null });
}

/** Stores the screening of a message that a brake holds back, and lets it wait. */
async function pauseAt(
  deps: StepDeps,
  open: OpenTransaction,
  brakeId: string,
  screened: TransactionJudgement | undefined,
): Promise<StepResult> {
  const settled = screened && (await settleScreening(deps.db, screened));
  if (settled === 'STALE') return { plan: screenSoon(open.record, deps.now()) };
  if (settled) deps.notifyWorkflows(settled.outbox);
  return changed(deps, open, await pauseMessage(deps.db, open.record, brakeId, deps.now()));
}

/** The answer of a VASP that answers at once comes before the delivery. */
async function withAnswer(deps: StepDeps, { record }: OpenTransaction): Promise<StepResult> {
  deps.notifyWorkflows(await applyTrpAnswer(deps.db, record.id, deps.now()));
  return 'READ_AGAIN';
}

function sendFirst({ record }: OpenTransaction, screened: TransactionJudgement | undefined): LifecyclePlan {
  const { status, version } = record;
  return { step: 'SEND', status, version, basis: screened ? noteBasis(screened.basis, record) : null };
}

interface UndeliveredInput {
  screened: TransactionJudgement | undefined;
  decide: (own: TransactionRecord, now: Date) => PairChange;
}

/** Stores the screening of a message that is not delivered now, and then why it is not. */
async function settleAnd(
  deps: StepDeps,
  open: OpenTransaction,
  { screened, decide }: UndeliveredInput,
): Promise<StepResult> {
  const settled = screened && (await settleScreening(deps.db, screened));
  if (settled === 'STALE') return { plan: screenSoon(open.record, deps.now()) };
  if (settled) deps.notifyWorkflows(settled.outbox);
  return await changeBy(deps, open, decide);
}
