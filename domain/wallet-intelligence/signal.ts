/** One thing that was noticed. `value` 0..1 says how strongly, `contribution` what it added to the log-odds. */
export interface WalletSignal {
  code: string;
  weight: number;
  value: number;
  contribution: number;
  /** Hashes, addresses, ids of own records and published places; never another tenant's. */
  evidence: string[];
}

/** A signal before it is known how much of it counts. */
export type NoticedSignal = Pick<WalletSignal, 'code' | 'weight'> &
  Partial<Pick<WalletSignal, 'value' | 'evidence'>>;

/** What is told of one signal at most. */
const MAX_EVIDENCE = 5;

/** `factor` lowers what everything counts where there is little to go by. */
export function toSignal(
  { code, weight, value = 1, evidence = [] }: NoticedSignal,
  factor = 1,
): WalletSignal {
  return {
    code,
    weight,
    value: rounded(value),
    contribution: rounded(weight * value * factor),
    evidence: evidence.slice(0, MAX_EVIDENCE),
  };
}

/** The probability of log-odds. */
export function probability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
