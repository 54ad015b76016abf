import type { InTurn } from '../db/fair-turns.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { readForRelease, releaseRecords, type JudgedRelease } from '../db/lifecycle/release-records.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import type { OpenTransaction } from '../db/transactions/row.ts';
import { endReleaseIfDone, type WalletRelease } from '../db/wallets/open-release.ts';
import { releasedRecord } from '../domain/transactions/lifecycle/release.ts';
import { needsScreening } from '../domain/transactions/screening-due.ts';
import { judgeInTime, type JudgingDeps } from './judge-in-time.ts';

export interface ReleaseDeps extends JudgingDeps {
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  /** Gives the writes of requests their connections in turn; those of workflows have the connections of a worker. */
  writeInTurn?: InTurn;
}

/** The progress of a release; `total` counts all its records. */
export interface ReleaseStep {
  finished: number;
  total: number;
  isDone: boolean;
}

/** More changes of lists, rules or records than that in a row: then the records are screened after their release. */
const MAX_JUDGEMENTS = 3;
/** A new version of a list is loaded within a second or so. */
const PAUSE_MS = 700;
/** Longer than any verdict without a provider takes, also while many are made. */
const JUDGE_LIMIT_MS = 10_000;
/** Verdicts that are made at the same time; each takes a few reads. */
const JUDGED_AT_ONCE = 4;

/**
 * Releases the next records whose wallet was confirmed, at most `limit`, each with its verdict. A repeat continues after
 * the last released record, and several callers at once release each record once.
 */
export async function releaseNext(
  deps: ReleaseDeps,
  release: WalletRelease,
  limit: number,
): Promise<ReleaseStep> {
  const finished = await releaseBatch(deps, release, await readForRelease(deps.db, release, { limit }));
  const isDone = await endReleaseIfDone(deps.db.pool, release, deps.now());
  return { finished, total: release.total, isDone };
}

/** Releases one record of a release that others are still waiting for. */
export async function releaseOne(
  deps: ReleaseDeps,
  release: Pick<WalletRelease, 'id' | 'tenantId'>,
  id: string,
): Promise<void> {
  await releaseBatch(deps, release, await readForRelease(deps.db, release, { limit: 1, only: [id] }));
}

/** Releases these records; where no verdict can be made or kept, without one. Returns their number. */
async function releaseBatch(
  deps: ReleaseDeps,
  release: Pick<WalletRelease, 'id' | 'tenantId'>,
  batch: readonly OpenTransaction[],
): Promise<number> {
  let waiting = batch;
  let finished = 0;
  for (let tries = 1; waiting.length > 0; tries += 1) {
    const judged = tries > MAX_JUDGEMENTS ? waiting.map(withoutVerdict) : await judgeAll(deps, waiting);
    const write = async () => await releaseRecords(deps.db, release, judged, deps.now());
    const released = await (deps.writeInTurn?.(release.tenantId, write) ?? write());
    const done = new Set(released === 'STALE' ? [] : released.releasedIds);
    if (released !== 'STALE') deps.notifyWorkflows(released.outbox);
    finished += done.size;
    const left = waiting.map(({ record }) => record.id).filter((id) => !done.has(id));
    if (left.length === 0) break;
    await delay(PAUSE_MS);
    waiting = await readForRelease(deps.db, release, { limit: left.length, only: left });
  }
  return finished;
}

function withoutVerdict(open: OpenTransaction): JudgedRelease {
  return { open, settlement: null };
}

/** The records with their verdicts, without those whose verdict needs a list that is just being loaded. */
async function judgeAll(deps: ReleaseDeps, waiting: readonly OpenTransaction[]): Promise<JudgedRelease[]> {
  const judged: JudgedRelease[] = [];
  const queue = [...waiting];
  const work = async () => {
    for (let open = queue.shift(); open; open = queue.shift()) {
      const item = await judgeRelease(deps, open);
      if (item) judged.push(item);
    }
  };
  await Promise.all(Array.from({ length: JUDGED_AT_ONCE }, work));
  return judged;
}

/** Judges a record as its tenant sees it once it is released; null while a list is being loaded. */
async function judgeRelease(deps: ReleaseDeps, open: OpenTransaction): Promise<JudgedRelease | null> {
  const released = releasedRecord(open.record, deps.now());
  if (!needsScreening(released)) return withoutVerdict(open);
  // The version that is stored with the release.
  const version = open.record.version + 1;
  const judged = await judgeInTime(deps, { ...open, record: { ...released, version } }, JUDGE_LIMIT_MS);
  if (judged?.kind === 'LISTS_LOADING') return null;
  return { open, settlement: judged?.kind === 'JUDGED' ? judged.settlement : null };
}
