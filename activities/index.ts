import { scanActivities, type ScanDeps } from './blockchain/scan-activities.ts';
import { claimActivities } from './claims/claim-activities.ts';
import { withFixedFailures, type ReportFailure } from './failures.ts';
import { housekeepingActivities } from './housekeeping/remove-expired.ts';
import { listActivities, type ListDeps } from './sanctions/list-activities.ts';
import { mailActivities, type MailDeps } from './mail/send-mail.ts';
import { reportActivities, type ReportDeps } from './reports/report-activities.ts';
import { rescreenActivities } from './sanctions/rescreen-open.ts';
import { backtestActivities, type BacktestDeps } from './rules/run-backtest.ts';
import { transactionActivities } from './transactions/transaction-activities.ts';
import type { StepDeps } from './transactions/transaction-step.ts';
import { selfieActivities, type SelfieDeps } from './verifications/analyse-selfie.ts';
import { verificationActivities } from './verifications/verification-activities.ts';
import { walletImportActivities } from './wallet-imports/import-wallets.ts';
import { releaseActivities } from './wallets/release-activities.ts';
import { deliveryActivities } from './webhooks/attempt-delivery.ts';
import { firstAttemptActivities, type FirstAttemptDeps } from './webhooks/attempt-first.ts';

export interface ActivityDeps
  extends StepDeps, FirstAttemptDeps, ScanDeps, SelfieDeps, ListDeps, BacktestDeps, MailDeps, ReportDeps {
  /** Gets the real error of a failed step; histories only get a fixed text. */
  report: ReportFailure;
}

/** Everything that workflows may ask for, bound to what it needs. */
export function createActivities(deps: ActivityDeps) {
  return withFixedFailures(
    {
      ...transactionActivities(deps),
      ...rescreenActivities(deps),
      ...walletImportActivities(deps),
      ...releaseActivities(deps),
      ...verificationActivities(deps),
      ...selfieActivities(deps),
      ...claimActivities(deps),
      ...scanActivities(deps),
      ...backtestActivities(deps),
      ...deliveryActivities(deps),
      ...firstAttemptActivities(deps),
      ...housekeepingActivities(deps),
      ...mailActivities(deps),
      ...reportActivities(deps),
      ...listActivities(deps),
    },
    deps.report,
  );
}

/** What workflows see of it: types only. */
export type Activities = ReturnType<typeof createActivities>;
