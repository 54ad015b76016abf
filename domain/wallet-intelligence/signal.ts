/** A signal. `value` (0 to 1) is its strength, `contribution` the log-odds that it added. */
export interface WalletSignal {
  code: string;
  weight: number;
  value: number;
  contribution: number;
  /** Hashes, addresses, ids of own records and published references; never data of another tenant. */
  evidence: string[];
}

/** A signal before its contribution is computed. */
export type NoticedSignal = Pick<WalletSignal, 'code' | 'weight'> &
  Partial<Pick<WalletSignal, 'value' | 'evidence'>>;

/** Maximum number of evidence items of one signal. */
const MAX_EVIDENCE = 5;

/** The signal with its contribution. `factor` reduces all contributions if there is little data. */
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

/** Rounds to three decimals. */
export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
