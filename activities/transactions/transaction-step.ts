import type { OutboxEntry } from '../../db/outbox.ts';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import type { PairChange } from '../../domain/transactions/change.ts';
import type { FiatPrice } from '../../domain/transactions/fiat.ts';
import type { LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { ScreeningDeps } from '../../transaction-screening/gather-findings.ts';
import type { OutgoingHttp } from '../../outside/outgoing-http.ts';
import type { MessageNetworks } from '../network/network.ts';

/** What the steps of a transaction need. */
export interface StepDeps extends ScreeningDeps {
  networks: MessageNetworks;
  http: OutgoingHttp;
  /** Set if the beneficiary VASP of the message has just been called in vain. */
  isSendFailed?: boolean;
  priceOf: (asset: string) => FiatPrice | undefined;
  /** When the worker started. */
  startedAt: Date;
  /** Notifies the workflows of changed rows; the relay delivers what fails here. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
}

/**
 * The record after a step; READ_AGAIN where the step has not read it; or what the workflow has to wait for, where that
 * does not follow from the record.
 */
export type StepResult = { open: OpenTransaction } | { plan: LifecyclePlan } | 'READ_AGAIN';

/** Changes the record as `decide` says. */
export async function changeBy(
  deps: StepDeps,
  open: OpenTransaction,
  decide: (own: TransactionRecord, now: Date, counterpart: TransactionRecord | null) => PairChange,
): Promise<{ open: OpenTransaction }> {
  const now = deps.now();
  const { tenantId, id } = open.record;
  const written = await changeTransaction(deps.db, {
    tenantId,
    id,
    now,
    decide: (own, counterpart) => decide(own, now, counterpart),
  });
  return changed(deps, open, written);
}

/** The result of a step that has changed the record. */
export function changed(
  deps: StepDeps,
  open: OpenTransaction,
  { record, outbox }: { record: TransactionRecord; outbox: readonly OutboxEntry[] },
): { open: OpenTransaction } {
  deps.notifyWorkflows(outbox);
  return { open: { ...open, record } };
}

/** A new version of a list is loaded within a second or so. */
const LOADING_MS = 1_000;

/** The plan of a record whose screening could not be stored or made now, and soon can. */
export function screenSoon({ status, hold, deadlineAt }: TransactionRecord, now: Date): LifecyclePlan {
  const times = { untilMs: now.getTime() + LOADING_MS, deadlineMs: deadlineAt?.getTime() ?? null };
  return { step: 'WAIT', status, waitingFor: 'SCREENING', hold, ...times };
}
