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
import { CHANGES_KEPT, count, type Tally } from '../../domain/rules/backtest.ts';
import { evaluate } from '../../domain/rules/evaluate.ts';
import { whileHeartbeating } from '../heartbeat.ts';

export interface BacktestDeps {
  db: Database;
  now: () => Date;
  /** Decisions read at a time: with their facts some 500 KB. */
  backtestPage?: number;
}

/** What a back-test has come to: DONE also when it was ended from outside, BUSY while another tenant's has its turn. */
export interface BacktestStep {
  processed: number;
  total: number;
  state: 'DONE' | 'MORE' | 'BUSY';
}

const PAGE = 500;
/** Live work comes first: of its time a back-test leaves that much to the rest of the machine. */
const REST_SHARE = 0.2;
const HEARTBEAT_MS = 1_000;
/** How long one step works: then other tenants have their turn. */
const STEP_MS = 10_000;

/** The steps of `ruleBacktest`. Every page is kept with its counts, so that whoever comes next goes on behind it. */
export function backtestActivities({ db, now, backtestPage = PAGE }: BacktestDeps) {
  // One at a time in this process. The others come again instead of waiting here: that would take slots from live work.
  let isBusy = false;
  return {
    /** Tries the next transactions of a back-test, page by page, for some seconds. */
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
    /** Gives up after failures without end; what was counted stays. */
    async giveBacktestUp({ id }: { id: string }): Promise<void> {
      const running = await findRunningBacktest(db, id);
      if (running) await endBacktest(db.pool, running.tenantId, id, 'FAILED');
    },
  };
}

interface Run {
  db: Database;
  now: () => Date;
  limit: number;
}

async function runPages(run: Run, running: RunningBacktest): Promise<BacktestStep> {
  const total = running.total ?? (await countDecided(run.db.pool, running));
  const until = performance.now() + STEP_MS;
  let backtest = running;
  while (performance.now() < until) {
    const begun = performance.now();
    const next = await runPage(run, backtest);
    const { processed } = next?.tally ?? backtest.tally;
    // Without a next it was ended meanwhile, or a step that was taken for lost has worked on it: the row is asked again.
    if (!next) return { processed, total, state: 'MORE' };
    if (next.isLast) return { processed, total, state: 'DONE' };
    backtest = next;
    await delay((performance.now() - begun) * REST_SHARE);
  }
  return { processed: backtest.tally.processed, total, state: 'MORE' };
}

/** The back-test behind the next page; undefined when it was no longer ours to go on with. */
async function runPage(
  { db, now, limit }: Run,
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

/** Counts every decision of a page; gives the changed ones that are to be kept. */
async function tryPage(
  { ruleSet, contentHash }: RunningBacktest,
  page: readonly StoredDecision[],
  tally: Tally,
): Promise<KeptChange[]> {
  const compiled = compiledOf(ruleSet, contentHash);
  const changes: KeptChange[] = [];
  for (const stored of page) {
    const { facts, spent, evaluatedAt, decision } = stored;
    const evaluation = await evaluate(compiled, facts, { spent, now: evaluatedAt.toISOString() });
    const isChanged = count(tally, decision, evaluation);
    if (isChanged && tally.changed <= CHANGES_KEPT)
      changes.push({ stored, evaluation, place: tally.changed });
    // Promises alone would keep everything else waiting until the page is done.
    await nextTurn();
  }
  return changes;
}
