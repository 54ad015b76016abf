// The entry of the workflow bundle: every workflow by its type name.
export { blockchainScan } from './blockchain-scan.ts';
export { claimRequest } from './claim-request.ts';
export { housekeeping } from './housekeeping.ts';
export { mailDelivery } from './mail-delivery.ts';
export { monthlyReport } from './monthly-report.ts';
export { reportGeneration } from './report-generation.ts';
export { sanctionsListUpdate } from './sanctions-list-update.ts';
export { sanctionsRescreen } from './sanctions-rescreen.ts';
export { ruleBacktest } from './rule-backtest.ts';
export { selfieAnalysis } from './selfie-analysis.ts';
export { transactionLifecycle } from './transaction-lifecycle.ts';
export { walletCsvImport } from './wallet-csv-import.ts';
export { walletRelease } from './wallet-release.ts';
export { walletVerification } from './wallet-verification.ts';
export { webhookDelivery } from './webhook-delivery.ts';
