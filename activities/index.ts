import { scanActivities, type ScanDeps } from './blockchain/scan-activities.ts';
import { brakeActivities } from './brakes/brake-activities.ts';
import { claimActivities } from './claims/claim-activities.ts';
import type { ClaimDeps } from './claims/claim-deps.ts';
import { exportActivities } from './exports/export-activities.ts';
import { withFixedFailures, type ReportFailure } from './failures.ts';
import { housekeepingActivities } from './housekeeping/remove-expired.ts';
import { listActivities, type ListDeps } from './sanctions/list-activities.ts';
import { mailActivities, type MailDeps } from './mail/send-mail.ts';
import { reconciliationActivities } from './reconciliation/reconciliation-activities.ts';
import { reportActivities, type ReportDeps } from './reports/report-activities.ts';
import { rescreenActivities, type RescreenDeps } from './sanctions/rescreen-open.ts';
import { retentionActivities } from './retention/retention-activities.ts';
import { backtestActivities, type BacktestDeps } from './rules/run-backtest.ts';
import { tenantErasureActivities, type TenantErasureDeps } from './tenant-erasures/erasure-activities.ts';
import { trpActivities } from './network/trp-activities.ts';
import type { TrpDeps } from './network/send-inquiry.ts';
import { transactionActivities } from './transactions/transaction-activities.ts';
import type { StepDeps } from './transactions/transaction-step.ts';
import { selfieActivities, type SelfieDeps } from './verifications/analyse-selfie.ts';
import { verificationActivities } from './verifications/verification-activities.ts';
import { walletImportActivities } from './wallet-imports/import-wallets.ts';
import { releaseActivities } from './wallets/release-activities.ts';
import { deliveryActivities } from './webhooks/attempt-delivery.ts';
import { firstAttemptActivities, type FirstAttemptDeps } from './webhooks/attempt-first.ts';

export interface ActivityDeps
  extends
    StepDeps,
    ClaimDeps,
    FirstAttemptDeps,
    ScanDeps,
    SelfieDeps,
    ListDeps,
    BacktestDeps,
    MailDeps,
    ReportDeps,
    RescreenDeps,
    TenantErasureDeps,
    TrpDeps {
  /** Gets the real error of a failed step; histories only get a fixed text. */
  report: ReportFailure;
}

/** Everything that workflows may ask for, bound to what it needs. */
export function createActivities(deps: ActivityDeps) {
  return withFixedFailures(
    {
      ...transactionActivities(deps),
      ...trpActivities(deps),
      ...rescreenActivities(deps),
      ...walletImportActivities(deps),
      ...releaseActivities(deps),
      ...retentionActivities(deps),
      ...tenantErasureActivities(deps),
      ...brakeActivities(deps),
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
      ...exportActivities(deps),
      ...reconciliationActivities(deps),
      ...listActivities(deps),
    },
    deps.report,
  );
}

/** What workflows see of it: types only. */
export type Activities = ReturnType<typeof createActivities>;
