import { setTimeout as delay } from 'node:timers/promises';
import type { InTurn } from '../db/fair-turns.ts';
import { readScreeningContext } from '../db/lifecycle/read-screening-context.ts';
import { counterpartyOf } from '../db/lifecycle/resolve-counterparty.ts';
import type { OpenTransaction } from '../db/transactions/row.ts';
import { settleScreening, type TransactionJudgement } from '../db/lifecycle/settle-screening.ts';
import {
  describeVasp,
  isBehindScreening,
  wakeAnew,
  type DescribedVasp,
} from '../db/lifecycle/new-counterparty.ts';
import { isBehindLists } from '../db/transactions/compared-lists.ts';
import { wakeForRescreening } from '../db/transactions/wake-for-rescreening.ts';
import { queueLifecycle } from '../db/transactions/lifecycle-entry.ts';
import { findOpenTransaction } from '../db/transactions/find-transaction.ts';
import type { TransactionRecord } from '../domain/transactions/record.ts';
import { planOf } from '../domain/transactions/lifecycle/next-step.ts';
import {
  awaitsScreening,
  isHeldUncompared,
  isStopped,
  needsScreening,
  type LookedAt,
} from '../domain/transactions/screening-due.ts';
import { compareCompletely, doListsNotLoad } from './compare-completely.ts';
import {
  queryProviders,
  unansweredChecks,
  type ProviderChecks,
  type ScreeningDeps,
} from './gather-findings.ts';
import { judgeTransaction } from './judge-transaction.ts';
import { releaseOne, type ReleaseDeps } from './release-records.ts';
import { withoutProviders } from './without-providers.ts';

/**
 * A verdict on a transaction as a request would leave it. `preview` gives that record with its next version, or null where
 * there is nothing to screen. Null without a verdict within its limit.
 */
export type JudgeInRequest = (
  ref: { tenantId: string; id: string },
  preview: (own: TransactionRecord) => TransactionRecord | null,
) => Promise<TransactionJudgement | null>;

/** A new version of a list is loaded within a second or so. */
const LOADING_MS = 100;

interface ScreenedInRequest extends LookedAt {
  /** The other VASP as the directory had it before; null where there is no such transaction. */
  vasp: DescribedVasp | null;
  /** The version of the transaction when the request came; null where there is no such transaction. */
  versionBefore: number | null;
}

/** What a request screens with. Its writes take turns for connections, as other writes of tenants do. */
export interface RequestScreeningDeps extends ReleaseDeps {
  writeInTurn: InTurn;
}

/** Screens a transaction whose confirmation is asked for while its screening is due. */
export type ScreenInRequest = (ref: { tenantId: string; id: string }) => Promise<ScreenedInRequest>;

/**
 * Screens a received transaction that its tenant wants to confirm, and decides on it as its workflow would. After
 * `limitMs` without a list or a provider it gives up: the screening stays due, and the confirmation is refused with
 * screening_pending. A workflow that screens the same record at the same time does no harm: the first result counts. A
 * record whose wallet is confirmed but that still waits for its release is released first.
 */
export function requestScreener(deps: RequestScreeningDeps, limitMs: number): ScreenInRequest {
  return async (ref) => {
    const { vasp, version } = await wakeIfBehind(deps, ref);
    const limits = { providersMs: limitMs / 2, version };
    const screened = withinLimit(
      limitMs,
      async (signal) => await screenUntil(deps, ref, { ...limits, signal }),
      { isUnseen: false, version },
    );
    return { ...(await screened), vasp, versionBefore: version };
  };
}

/** What a request finds before anything is screened, null where there is no such transaction. */
interface FoundBefore {
  vasp: DescribedVasp | null;
  version: number | null;
}

/**
 * Makes a record due where a list has a new version, or the directory another VASP or name for it, that nobody has looked for in it
 * yet, and one that was held without lists that can be searched again; returns what it was before. An unsent message with another
 * VASP is decided like a new one: rules and policy have not seen that either.
 */
async function wakeIfBehind(
  deps: RequestScreeningDeps,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<FoundBefore> {
  const { db, now, writeInTurn } = deps;
  const open = await findOpenTransaction(db, tenantId, id);
  if (!open) return { vasp: null, version: null };
  const vasp = await describeVasp(db, db.pool, open.record);
  const behind = await isBehindScreening(db, db.pool, open);
  if (behind === 'ANEW') await writeInTurn(tenantId, async () => await wakeAnew(db.pool, open.record, now()));
  if (behind !== null || (await isBehindLists(db.pool, { tenantId, id })) || (await areListsBack(deps, open)))
    await writeInTurn(tenantId, async () => await wakeForRescreening(db.pool, [id], now()));
  return { vasp, version: open.record.version };
}

/**
 * Whether a record is held since no list could be searched, and all can be searched by now, or in a moment. It is not made due before:
 * while one is away its reviewer decides without lists.
 */
async function areListsBack(deps: RequestScreeningDeps, open: OpenTransaction): Promise<boolean> {
  const { record } = open;
  if (!isHeldUncompared(record) || needsScreening(record)) return false;
  const { entityId } = await counterpartyOf(deps.db.pool, record, deps.db);
  const context = await readScreeningContext(deps.db, record, entityId, deps.now());
  const compared = await compareCompletely(deps.sanctions, open, context);
  // A process that has just begun, or lists that have just come, are no reason to decide without them.
  if (!Array.isArray(compared)) return compared.kind === 'LISTS_LOADING' && !doListsNotLoad(deps.sanctions);
  return true;
}

/** Judges what a request would confirm before it is stored; gives up after `limitMs`. */
export function requestJudge(deps: ScreeningDeps, limitMs: number): JudgeInRequest {
  return async (ref, preview) =>
    await withinLimit(limitMs, async (signal) => await judgeUntil(deps, ref, { preview, signal }), null);
}

async function withinLimit<T>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  otherwise: T,
): Promise<T> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), limitMs);
  try {
    return await Promise.race([work(giveUp.signal), aborted(giveUp.signal, otherwise)]);
  } finally {
    clearTimeout(timer);
    giveUp.abort();
  }
}

interface PreviewedJudgement {
  preview: Parameters<JudgeInRequest>[1];
  signal: AbortSignal;
}

async function judgeUntil(
  deps: ScreeningDeps,
  { tenantId, id }: { tenantId: string; id: string },
  { preview, signal }: PreviewedJudgement,
): Promise<TransactionJudgement | null> {
  let checks: ProviderChecks | null = null;
  while (!signal.aborted) {
    const open = await findOpenTransaction(deps.db, tenantId, id);
    const record = open && preview(open.record);
    if (!record) return null;
    const judged = await judgeTransaction(deps, { ...open, record }, checks ?? undefined);
    if (judged.kind === 'JUDGED') return judged.settlement;
    if (judged.kind === 'LISTS_MISSING') return null;
    if (judged.kind === 'LISTS_LOADING') await delay(LOADING_MS);
    else checks = await queryProviders(deps, record);
    if (judged.kind === 'NEEDS_PROVIDERS' && checks === null) return null;
  }
  return null;
}

interface RequestLimits {
  signal: AbortSignal;
  providersMs: number;
  /** The version of the record when the request began: what somebody else has screened since was not seen by who sent it. */
  version: number | null;
}

async function screenUntil(
  deps: RequestScreeningDeps,
  { tenantId, id }: { tenantId: string; id: string },
  { signal, providersMs, version }: RequestLimits,
): Promise<LookedAt> {
  let checks: ProviderChecks | null = null;
  let settled: TransactionRecord | null;
  let wasReleased = false;
  while (!signal.aborted) {
    const open = await findOpenTransaction(deps.db, tenantId, id);
    if (!open) return { isUnseen: false, version: null };
    const asItWas = { isUnseen: false, version: open.record.version };
    const { releaseId } = open.record;
    if (releaseId !== null) {
      await releaseOne(deps, { id: releaseId, tenantId }, id);
      wasReleased = true;
      continue;
    }
    if (!awaitsScreening(open.record)) {
      const isNew = wasReleased || open.record.version !== version;
      return { ...asItWas, isUnseen: isNew && isStopped(open.record) };
    }
    const judged = await judgeTransaction(deps, open, checks ?? undefined);
    switch (judged.kind) {
      case 'JUDGED':
        settled = await settle(
          deps,
          checks?.isUnanswered ? withoutProviders(judged.settlement) : judged.settlement,
        );
        if (settled && !awaitsScreening(settled))
          return { isUnseen: isStopped(settled), version: settled.version };
        await delay(LOADING_MS);
        break;
      case 'NEEDS_PROVIDERS':
        checks = await checksInTime(deps, open.record, providersMs);
        if (checks === null) return asItWas;
        break;
      case 'LISTS_LOADING':
        await delay(LOADING_MS);
        break;
      case 'LISTS_MISSING':
        return asItWas;
    }
  }
  return { isUnseen: false, version };
}

/**
 * What the providers say, null where they do not answer. What is held waits for a reviewer: once they have had `providersMs` it is compared
 * with the lists alone, so that its reviewer decides now and not after another wait.
 */
async function checksInTime(
  deps: RequestScreeningDeps,
  record: TransactionRecord,
  providersMs: number,
): Promise<ProviderChecks | null> {
  if (record.hold === null) return await queryProviders(deps, record);
  const late = delay(providersMs, null, { ref: false });
  return (await Promise.race([queryProviders(deps, record), late])) ?? unansweredChecks(record);
}

/** The record with its verdict; null when lists, rules or settings have changed since: it has to be judged again. */
async function settle(
  deps: RequestScreeningDeps,
  settlement: TransactionJudgement,
): Promise<TransactionRecord | null> {
  const { tenantId } = settlement.open.record;
  const settled = await deps.writeInTurn(tenantId, async () => await settleScreening(deps.db, settlement));
  if (settled === 'STALE') return null;
  const { record, outbox } = settled;
  // What still has to happen to the record, such as the end of a rule's wait, is for its workflow.
  const isOver = planOf(record, deps.now()).step === 'DONE';
  const toContinue = isOver ? [] : await queueLifecycle(deps.db.pool, record, deps.now());
  deps.notifyWorkflows([...outbox, ...toContinue]);
  return record;
}

async function aborted<T>(signal: AbortSignal, otherwise: T): Promise<T> {
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  return otherwise;
}
