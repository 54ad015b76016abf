import { setTimeout as delay } from 'node:timers/promises';
import { settleScreening, type Settlement } from '../db/lifecycle/settle-screening.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import { queueLifecycle } from '../db/transactions/lifecycle-entry.ts';
import { findOpenTransaction } from '../db/transactions/find-transaction.ts';
import { planOf } from '../domain/transactions/lifecycle/next-step.ts';
import { awaitsScreening } from '../domain/transactions/screening-due.ts';
import { queryProviders, type ProviderChecks, type ScreeningDeps } from './gather-findings.ts';
import { judgeTransaction } from './judge-transaction.ts';

/** How long a request waits for lists and providers. */
const REQUEST_LIMIT_MS = 2_000;
/** A new version of a list is loaded within a second or so. */
const LOADING_MS = 100;

/** Screens transactions whose confirmation is asked for while their screening is due. */
export type ScreenInRequest = (ref: { tenantId: string; id: string }) => Promise<void>;

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
      await Promise.race([screenUntil(deps, ref, giveUp.signal), aborted(giveUp.signal)]);
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
): Promise<void> {
  let checks: ProviderChecks | null = null;
  while (!signal.aborted) {
    const open = await findOpenTransaction(deps.db, tenantId, id);
    if (!open || open.record.sealed || !awaitsScreening(open.record, deps.now())) return;
    const judged = await judgeTransaction(deps, open, checks ?? undefined);
    switch (judged.kind) {
      case 'JUDGED':
        if (!(await settle(deps, judged.settlement))) await delay(LOADING_MS);
        break;
      case 'NEEDS_PROVIDERS':
        checks = await queryProviders(deps, open.record);
        if (checks === null) return;
        break;
      case 'LISTS_LOADING':
        await delay(LOADING_MS);
        break;
      case 'LISTS_MISSING':
        return;
    }
  }
}

/** False when lists, rules or settings have changed since: it has to be judged again. */
async function settle(deps: RequestScreeningDeps, settlement: Settlement): Promise<boolean> {
  const settled = await settleScreening(deps.db, settlement);
  if (settled === 'STALE') return false;
  const { record, outbox } = settled;
  // What still has to happen to the record, such as the end of a rule's wait, is for its workflow.
  const isOver = planOf(record, deps.now()).step === 'DONE';
  const toContinue = isOver ? [] : await queueLifecycle(deps.db.pool, record, deps.now());
  deps.notifyWorkflows([...outbox, ...toContinue]);
  return true;
}

async function aborted(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
