import type { CompiledRules } from './compile.ts';
import type { Facts } from './facts.ts';
import type { Evaluation } from './schema.ts';

export interface Circumstances {
  /** Ids of WAIT rules that have run their time for this transfer. */
  spent?: readonly string[];
  /** The time of the evaluation, ISO 8601: what is snoozed by then sleeps. */
  now: string;
}

export declare function evaluate(
  compiled: CompiledRules,
  facts: Facts,
  circumstances: Circumstances,
): Promise<Evaluation>;
