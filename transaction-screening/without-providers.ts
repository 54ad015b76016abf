import type { TransactionJudgement } from '../db/lifecycle/settle-screening.ts';
import { verdictWithoutProviders } from '../domain/transactions/deciding/delay-screening.ts';

/**
 * The judgement on a transfer that was compared with the lists while no provider answered: what they have is held for them, and the
 * reviewer of all else sees that it is not the lists that are missing.
 */
export function withoutProviders(settlement: TransactionJudgement): TransactionJudgement {
  const { open, screening } = settlement;
  const verdict = verdictWithoutProviders(open.record, settlement.verdict, screening);
  return { ...settlement, verdict, decision: null, guardCount: null, stands: false };
}
