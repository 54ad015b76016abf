import { setTimeout as delay } from 'node:timers/promises';
import { settleScreening, type Settlement } from '../db/lifecycle/settle-screening.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import { queueLifecycle } from '../db/transactions/lifecycle-entry.ts';
import { findOpenTransaction } from '../db/transactions/find-transaction.ts';
import type { TransactionRecord } from '../domain/transactions/record.ts';
import { planOf } from '../domain/transactions/lifecycle/next-step.ts';
import { awaitsScreening } from '../domain/transactions/screening-due.ts';
import { keepMatches } from './compare-with-lists.ts';
import { queryProviders, type ProviderChecks, type ScreeningDeps } from './gather-findings.ts';
import { judgeTransaction } from './judge-transaction.ts';

/** How long a request waits for lists and providers. */
const REQUEST_LIMIT_MS = 2_000;
/** A new version of a list is loaded within a second or so. */
const LOADING_MS = 100;

/**
 * Screens a transaction whose confirmation is asked for while its screening is due. True when that has held it or lets
 * it wait: nobody has seen these findings yet.
 */
export type ScreenInRequest = (ref: { tenantId: string; id: string }) => Promise<boolean>;

interface RequestScreeningDeps extends ScreeningDeps {
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
}

/**
 * Screens a received transaction that its tenant wants to confirm, and decides on it as its workflow would. After two
 * seconds without a list or a provider it gives up: the screening stays due, and the confirmation is refused with
 * screening_pending. A workflow that screens the same record at the same time does no harm: the first result counts.
 */
export function requestScreener(deps: RequestScreeningDeps): ScreenInRequest {
  return async (ref) => {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), REQUEST_LIMIT_MS);
    try {
      return await Promise.race([screenUntil(deps, ref, giveUp.signal), aborted(giveUp.signal)]);
    } finally {
      clearTimeout(timer);
      giveUp.abort();
    }
  };
}

async function screenUntil(
  deps: RequestScreeningDeps,
  { tenantId, id }: { tenantId: string; id: string },
  signal: AbortSignal,
): Promise<boolean> {
  let checks: ProviderChecks | null = null;
  let settled: TransactionRecord | null;
  while (!signal.aborted) {
    const open = await findOpenTransaction(deps.db, tenantId, id);
    if (!open || open.record.sealed || !awaitsScreening(open.record)) return false;
    const judged = await judgeTransaction(deps, open, checks ?? undefined);
    switch (judged.kind) {
      case 'JUDGED':
        await keepMatches(deps.sanctions, judged.compared, open.record);
        settled = await settle(deps, judged.settlement);
        if (settled && !awaitsScreening(settled)) return isStopped(settled);
        await delay(LOADING_MS);
        break;
      case 'NEEDS_PROVIDERS':
        checks = await queryProviders(deps, open.record);
        if (checks === null) return false;
        break;
      case 'LISTS_LOADING':
        await delay(LOADING_MS);
        break;
      case 'LISTS_MISSING':
        return false;
    }
  }
  return false;
}

/** The record with its verdict; null when lists, rules or settings have changed since: it has to be judged again. */
async function settle(deps: RequestScreeningDeps, settlement: Settlement): Promise<TransactionRecord | null> {
  const settled = await settleScreening(deps.db, settlement);
  if (settled === 'STALE') return null;
  const { record, outbox } = settled;
  // What still has to happen to the record, such as the end of a rule's wait, is for its workflow.
  const isOver = planOf(record, deps.now()).step === 'DONE';
  const toContinue = isOver ? [] : await queueLifecycle(deps.db.pool, record, deps.now());
  deps.notifyWorkflows([...outbox, ...toContinue]);
  return record;
}

function isStopped({ hold, ruleWaitUntil }: TransactionRecord): boolean {
  return hold !== null || ruleWaitUntil !== null;
}

async function aborted(signal: AbortSignal): Promise<false> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  return false;
}
