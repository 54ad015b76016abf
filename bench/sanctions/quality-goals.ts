/** The goal of a set: at least so many listed names found, or at most so many clean names hit, in per cent. */
export interface QualityGoal {
  bound: 'AT_LEAST' | 'AT_MOST';
  percent: number;
  at: 'review' | 'match';
}

/** Shares of a set in per cent, at either threshold; NaN for a set without names. */
export interface MeasuredShares {
  review: number;
  match: number;
}

/** Compares what was measured with its goals, and remembers what misses them. */
export interface GoalCheck {
  check: (set: string, shares: MeasuredShares, goal: QualityGoal) => void;
  /** One line for every set that missed its goal, in the order in which they were checked. */
  missed: () => readonly string[];
}

export function goalCheck(): GoalCheck {
  const missed: string[] = [];
  return {
    check: (set, shares, goal) => {
      const share = shares[goal.at];
      const isMissed = goal.bound === 'AT_LEAST' ? share < goal.percent : share > goal.percent;
      if (isMissed) missed.push(`${set}: ${share.toFixed(2)} % at ${goal.at}, goal ${goalText(goal)}`);
    },
    missed: () => missed,
  };
}

/** A goal as the tables show it, such as "at least 95 at review". */
export function goalText({ bound, percent, at }: QualityGoal): string {
  return `${bound === 'AT_LEAST' ? 'at least' : 'at most'} ${percent} at ${at}`;
}
