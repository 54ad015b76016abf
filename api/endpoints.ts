import type { Settings } from '../process/settings.ts';
import { analyseTransaction } from './aml/analyse-transaction.ts';
import { analyseWallet } from './aml/analyse-wallet.ts';
import { listAmlHistory } from './aml/list-aml-history.ts';
import { listReceivers } from './aml/list-receivers.ts';
import { listWalletTransactions } from './aml/list-wallet-transactions.ts';
import { recheckAml } from './aml/recheck-aml.ts';
import { searchAml } from './aml/search-aml.ts';
import { listBlockchains } from './blockchains/list-blockchains.ts';
import type { Endpoint } from './endpoint.ts';
import { getCounterparty } from './counterparties/get-counterparty.ts';
import { listCounterparties } from './counterparties/list-counterparties.ts';
import { patchCounterparty } from './counterparties/patch-counterparty.ts';
import { getEntity } from './entities/get-entity.ts';
import { listEntities } from './entities/list-entities.ts';
import { lookupEntity } from './entities/lookup-entity.ts';
import { listChanges } from './events/list-changes.ts';
import { getLive } from './health/get-live.ts';
import { getMetrics } from './health/get-metrics.ts';
import { getReady } from './health/get-ready.ts';
import { getHostedVerification } from './hosted/get-hosted-verification.ts';
import { makeHostedMessage } from './hosted/make-hosted-message.ts';
import { submitHostedProof } from './hosted/submit-hosted-proof.ts';
import { submitHostedStep } from './hosted/submit-hosted-step.ts';
import { createEntity } from './operator/create-entity.ts';
import { checkWallet } from './wallet-intelligence/check-wallet.ts';
import { getWalletCheck } from './wallet-intelligence/get-wallet-check.ts';
import { listWalletChecks } from './wallet-intelligence/list-wallet-checks.ts';
import { deleteLabelSource } from './labels/delete-label-source.ts';
import { importLabels } from './labels/import-labels.ts';
import { listLabelSources } from './labels/list-label-sources.ts';
import { createTenant } from './operator/create-tenant.ts';
import { listListVersions } from './operator/list-list-versions.ts';
import { listLists } from './operator/list-lists.ts';
import { listTenants } from './operator/list-tenants.ts';
import { listVersionChanges } from './operator/list-version-changes.ts';
import { deleteEntity } from './operator/delete-entity.ts';
import { getEntityAsOperator } from './operator/get-entity.ts';
import { importEntities } from './operator/import-entities.ts';
import { listEntitiesAsOperator } from './operator/list-entities.ts';
import { mergeEntity } from './operator/merge-entity.ts';
import { patchEntity } from './operator/patch-entity.ts';
import { patchTenantAsItsOperator } from './operator/patch-tenant.ts';
import { rollBackList } from './operator/roll-back-list.ts';
import { uploadList } from './operator/upload-list.ts';
import { fireTransactionTimer } from './sandbox/fire-transaction-timer.ts';
import { fireVerificationTimer } from './sandbox/fire-verification-timer.ts';
import { receiveFromTestVasp } from './sandbox/receive-from-test-vasp.ts';
import { createSuppression } from './sanctions/create-suppression.ts';
import { deleteSuppression } from './sanctions/delete-suppression.ts';
import { getScreening } from './sanctions/get-screening.ts';
import { listScreenings } from './sanctions/list-screenings.ts';
import { listSuppressions } from './sanctions/list-suppressions.ts';
import { screenAddress } from './sanctions/screen-address.ts';
import { searchSanctions } from './sanctions/search-sanctions.ts';
import { cancelBacktest } from './rules/cancel-backtest.ts';
import { deleteBacktest } from './rules/delete-backtest.ts';
import { getBacktest } from './rules/get-backtest.ts';
import { getConfiguration } from './rules/get-configuration.ts';
import { getVersion } from './rules/get-version.ts';
import { listBacktests } from './rules/list-backtests.ts';
import { listConfigurations } from './rules/list-configurations.ts';
import { listFields } from './rules/list-fields.ts';
import { listStarterSets } from './rules/list-starter-sets.ts';
import { listTransactionDecisions } from './rules/list-transaction-decisions.ts';
import { listVersions } from './rules/list-versions.ts';
import { loadStarterSet } from './rules/load-starter-set.ts';
import { patchDraft } from './rules/patch-draft.ts';
import { publishRules } from './rules/publish-rules.ts';
import { replayDecision } from './rules/replay-decision.ts';
import { restoreVersion } from './rules/restore-version.ts';
import { simulateRules } from './rules/simulate-rules.ts';
import { startBacktest } from './rules/start-backtest.ts';
import { createApiKey } from './tenant/create-api-key.ts';
import { deleteServiceKey } from './tenant/delete-service-key.ts';
import { getSettings } from './tenant/get-settings.ts';
import { getTenant } from './tenant/get-tenant.ts';
import { listApiKeys } from './tenant/list-api-keys.ts';
import { listServiceKeys } from './tenant/list-service-keys.ts';
import { patchSettings } from './tenant/patch-settings.ts';
import { patchTenant } from './tenant/patch-tenant.ts';
import { putServiceKey } from './tenant/put-service-key.ts';
import { readArchive } from './tenant/read-archive.ts';
import { revokeApiKey } from './tenant/revoke-api-key.ts';
import { createTransaction } from './transactions/create-transaction.ts';
import { deleteTransaction } from './transactions/delete-transaction.ts';
import { getTransactionScreening } from './transactions/get-transaction-screening.ts';
import { getTransaction } from './transactions/get-transaction.ts';
import { listTransactionEvents } from './transactions/list-transaction-events.ts';
import { listTransactions } from './transactions/list-transactions.ts';
import { patchTransaction } from './transactions/patch-transaction.ts';
import { resubmitTransaction } from './transactions/resubmit-transaction.ts';
import { retryTransaction } from './transactions/retry-transaction.ts';
import { reviewTransaction } from './transactions/review-transaction.ts';
import { createVerification } from './verifications/create-verification.ts';
import { deleteVerification } from './verifications/delete-verification.ts';
import { getDocumentUrl } from './verifications/get-document-url.ts';
import { getFile } from './verifications/get-file.ts';
import { getFileUrl } from './verifications/get-file-url.ts';
import { getVerification } from './verifications/get-verification.ts';
import { listFiles } from './verifications/list-files.ts';
import { listVerificationEvents } from './verifications/list-verification-events.ts';
import { listVerifications } from './verifications/list-verifications.ts';
import { patchStep } from './verifications/patch-step.ts';
import { patchVerification } from './verifications/patch-verification.ts';
import { revokeVerification } from './verifications/revoke-verification.ts';
import { submitStep } from './verifications/submit-step.ts';
import { submitVerification } from './verifications/submit-verification.ts';
import { getWebhookDelivery } from './webhooks/get-webhook-delivery.ts';
import { listWebhookDeliveries } from './webhooks/list-webhook-deliveries.ts';
import { redeliverRange } from './webhooks/redeliver-range.ts';
import { redeliverWebhook } from './webhooks/redeliver-webhook.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { testWebhook } from './webhooks/test-webhook.ts';
import { confirmWallets } from './wallets/confirm-wallets.ts';
import { createWallet } from './wallets/create-wallet.ts';
import { deleteWallet } from './wallets/delete-wallet.ts';
import { deleteWallets } from './wallets/delete-wallets.ts';
import { getWallet } from './wallets/get-wallet.ts';
import { getWalletImport } from './wallets/get-wallet-import.ts';
import { listWallets } from './wallets/list-wallets.ts';
import { patchWallet } from './wallets/patch-wallet.ts';
import { uploadCsv } from './wallets/upload-csv.ts';

/** Every endpoint of production: router, OpenAPI document and response check all read this list. */
export const endpoints: readonly Endpoint[] = [
  createTransaction,
  listTransactions,
  getTransaction,
  getTransactionScreening,
  patchTransaction,
  deleteTransaction,
  resubmitTransaction,
  retryTransaction,
  reviewTransaction,
  listTransactionEvents,
  listBlockchains,
  createWallet,
  listWallets,
  confirmWallets,
  deleteWallets,
  uploadCsv,
  getWalletImport,
  getWallet,
  patchWallet,
  deleteWallet,
  createVerification,
  listVerifications,
  getVerification,
  patchVerification,
  deleteVerification,
  submitVerification,
  revokeVerification,
  listVerificationEvents,
  listFiles,
  getFileUrl,
  getFile,
  submitStep,
  patchStep,
  getDocumentUrl,
  getHostedVerification,
  makeHostedMessage,
  submitHostedProof,
  submitHostedStep,
  searchSanctions,
  screenAddress,
  listScreenings,
  getScreening,
  createSuppression,
  listSuppressions,
  deleteSuppression,
  listConfigurations,
  listFields,
  listStarterSets,
  getConfiguration,
  patchDraft,
  simulateRules,
  publishRules,
  listVersions,
  getVersion,
  restoreVersion,
  listEntities,
  lookupEntity,
  getEntity,
  listCounterparties,
  getCounterparty,
  patchCounterparty,
  // Before the paths of two free words.
  listWalletChecks,
  getWalletCheck,
  checkWallet,
  loadStarterSet,
  replayDecision,
  startBacktest,
  listBacktests,
  getBacktest,
  cancelBacktest,
  deleteBacktest,
  listTransactionDecisions,
  listChanges,
  getTenant,
  patchTenant,
  readArchive,
  getSettings,
  patchSettings,
  listApiKeys,
  createApiKey,
  revokeApiKey,
  putServiceKey,
  listServiceKeys,
  deleteServiceKey,
  searchAml,
  listAmlHistory,
  recheckAml,
  analyseWallet,
  analyseTransaction,
  listReceivers,
  listWalletTransactions,
  listWebhookDeliveries,
  getWebhookDelivery,
  redeliverWebhook,
  redeliverRange,
  rotateWebhookSecret,
  testWebhook,
  createTenant,
  listTenants,
  patchTenantAsItsOperator,
  listLists,
  listListVersions,
  uploadList,
  rollBackList,
  listVersionChanges,
  listEntitiesAsOperator,
  createEntity,
  importEntities,
  getEntityAsOperator,
  patchEntity,
  deleteEntity,
  mergeEntity,
  importLabels,
  listLabelSources,
  deleteLabelSource,
  getLive,
  getReady,
  getMetrics,
];

/** What only a sandbox has, for trying things out; whatever waits for a deadline brings its own `fire-timer`. */
export const sandboxEndpoints: readonly Endpoint[] = [
  receiveFromTestVasp,
  fireTransactionTimer,
  fireVerificationTimer,
];

/** Every endpoint that a deployment serves and documents. */
export function endpointsOf(environment: Settings['ENVIRONMENT']): readonly Endpoint[] {
  return environment === 'sandbox' ? [...endpoints, ...sandboxEndpoints] : endpoints;
}
