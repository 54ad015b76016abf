import type { JudgeArrival } from '../db/lifecycle/deliver-native.ts';
import { judgeInTime, type JudgingDeps } from './judge-in-time.ts';

/** Longer than any verdict without a provider takes; the sender's message waits for it. */
const ARRIVAL_LIMIT_MS = 2_000;

/** Makes the receiver's verdict on a message before it is delivered; null where the verdict has to wait. */
export function arrivalJudge(deps: JudgingDeps, limitMs = ARRIVAL_LIMIT_MS): JudgeArrival {
  return async (arriving) => {
    const judged = await judgeInTime(deps, arriving, limitMs);
    return judged?.kind === 'JUDGED' ? judged.settlement : null;
  };
}
