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
    return await Promise.race([judgeTransaction(deps, open, undefined), late]);
  } catch (error) {
    deps.report('judgeInTime', error);
    return null;
  } finally {
    clearTimeout(timer);
  }
}
