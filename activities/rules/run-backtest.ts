import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import {
  countDecided,
  findRunningBacktest,
  readDecidedPage,
  writePage,
  type KeptChange,
  type RunningBacktest,
  type StoredDecision,
} from '../../db/rules/backtest-pages.ts';
import { compiledOf } from '../../db/rules/compiled-rules.ts';
import { endBacktest } from '../../db/rules/end-backtest.ts';
import { CHANGES_KEPT, count, type BacktestTally } from '../../domain/rules/backtest.ts';
import { evaluate } from '../../domain/rules/evaluate.ts';
import { whileHeartbeating } from '../heartbeat.ts';

export interface BacktestDeps {
  db: Database;
  now: () => Date;
  /** Decisions per page; 500 with their facts are some 500 KB. */
  backtestPage?: number;
}

/**
 * The progress of a back-test: DONE also when it was ended by a user, BUSY while another back-test runs in this
 * process.
 */
export interface BacktestStep {
  processed: number;
  total: number;
  state: 'DONE' | 'MORE' | 'BUSY';
}

const PAGE = 500;
/** Share of its working time for which a back-test pauses, so that live work comes first. */
const REST_SHARE = 0.2;
const HEARTBEAT_MS = 1_000;
/** Duration of one step; then other tenants have their turn. */
const STEP_MS = 10_000;

/**
 * The activities of `ruleBacktest`. Every page is stored with its counts, so that the next step continues after it.
 */
export function backtestActivities({ db, now, backtestPage = PAGE }: BacktestDeps) {
  // One back-test at a time in this process. The others return BUSY instead of waiting here, where they would take
  // slots from live work.
  let isBusy = false;
  return {
    /** Replays the next decisions of a back-test, page by page, for some seconds. */
    async tryNextTransactions({ id }: { id: string }): Promise<BacktestStep> {
      if (isBusy) return { processed: 0, total: 0, state: 'BUSY' };
      isBusy = true;
      try {
        return await whileHeartbeating(HEARTBEAT_MS, async () => {
          const running = await findRunningBacktest(db, id);
          if (!running) return { processed: 0, total: 0, state: 'DONE' };
          return await runPages({ db, now, limit: backtestPage }, running);
        });
      } finally {
        isBusy = false;
      }
    },
    /** Marks a back-test as failed after its retries; the counts so far stay. */
    async giveBacktestUp({ id }: { id: string }): Promise<void> {
      const running = await findRunningBacktest(db, id);
      if (running) await endBacktest(db.pool, running.tenantId, id, 'FAILED');
    },
  };
}

interface BacktestRun {
  db: Database;
  now: () => Date;
  limit: number;
}

async function runPages(run: BacktestRun, running: RunningBacktest): Promise<BacktestStep> {
  const total = running.total ?? (await countDecided(run.db.pool, running));
  const until = performance.now() + STEP_MS;
  let backtest = running;
  while (performance.now() < until) {
    const begun = performance.now();
    const next = await runPage(run, backtest);
    const { processed } = next?.tally ?? backtest.tally;
    // Undefined when the back-test was ended meanwhile, or another worker has advanced it: the workflow reads the row
    // again.
    if (!next) return { processed, total, state: 'MORE' };
    if (next.isLast) return { processed, total, state: 'DONE' };
    backtest = next;
    await delay((performance.now() - begun) * REST_SHARE);
  }
  return { processed: backtest.tally.processed, total, state: 'MORE' };
}

/** Replays one page. Returns the back-test after it; undefined when it was ended or advanced by another worker. */
async function runPage(
  { db, now, limit }: BacktestRun,
  backtest: RunningBacktest,
): Promise<(RunningBacktest & { isLast: boolean }) | undefined> {
  const page = await readDecidedPage(db, backtest, limit);
  const tally = structuredClone(backtest.tally);
  const changes = await tryPage(backtest, page, tally);
  const last = page.at(-1);
  const cursor = last ? { at: last.evaluatedAt, id: last.id } : backtest.cursor;
  const isLast = page.length < limit;
  const isWritten = await writePage(db, { backtest, tally, cursor, changes, isLast }, now());
  return isWritten ? { ...backtest, tally, cursor, isLast } : undefined;
}

/**
 * Evaluates the rules for every decision of a page and counts the results. Returns the changed decisions to store.
 */
async function tryPage(
  { ruleSet, contentHash }: RunningBacktest,
  page: readonly StoredDecision[],
  tally: BacktestTally,
): Promise<KeptChange[]> {
  const compiled = compiledOf(ruleSet, contentHash);
  const changes: KeptChange[] = [];
  for (const stored of page) {
    const { facts, spent, evaluatedAt, decision } = stored;
    const evaluation = await evaluate(compiled, facts, { spent, now: evaluatedAt.toISOString() });
    const isChanged = count(tally, decision, evaluation);
    if (isChanged && tally.changed <= CHANGES_KEPT)
      changes.push({ stored, evaluation, place: tally.changed });
    // Promises alone would block the event loop until the page is done.
    await nextTurn();
  }
  return changes;
}
