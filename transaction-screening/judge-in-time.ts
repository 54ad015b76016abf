import { isConnectionGone } from '../db/postgres.ts';
import type { OpenTransaction } from '../db/transactions/row.ts';
import type { ScreeningDeps } from './gather-findings.ts';
import { judgeTransaction, type JudgementOutcome } from './judge-transaction.ts';

export interface JudgingDeps extends ScreeningDeps {
  /** Gets the error of a verdict that failed. */
  report: (step: string, error: unknown) => void;
}

/**
 * The verdict on a record that is stored with it. Null where the verdict fails or takes longer than `limitMs`: that must
 * not keep a message from its receiver. The record's own workflow screens it then.
 */
export async function judgeInTime(
  deps: JudgingDeps,
  open: OpenTransaction,
  limitMs: number,
): Promise<JudgementOutcome | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs);
  });
  try {
    return await Promise.race([judge(deps, open), late]);
  } catch (error) {
    deps.report('judgeInTime', error);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** A verdict that has lost its database connection is made once more, over another one. */
async function judge(deps: JudgingDeps, open: OpenTransaction): Promise<JudgementOutcome> {
  try {
    return await judgeTransaction(deps, open, undefined);
  } catch (error) {
    if (!isConnectionGone(error)) throw error;
    return await judgeTransaction(deps, open, undefined);
  }
}
