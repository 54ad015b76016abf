import { withFixedFailures, type Report } from './failures.ts';
import { transactionActivities, type TransactionDeps } from './transactions/transaction-activities.ts';

export interface ActivityDeps extends TransactionDeps {
  /** Gets the real error of a failed step; histories only get a fixed text. */
  report: Report;
}

/** Everything that workflows may ask for, bound to what it needs. */
export function createActivities(deps: ActivityDeps) {
  return withFixedFailures({ ...transactionActivities(deps) }, deps.report);
}

/** What workflows see of it: types only. */
export type Activities = ReturnType<typeof createActivities>;
