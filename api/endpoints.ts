import type { Settings } from '../process/settings.ts';
import { analyseTransactionEndpoint } from './aml/analyse-transaction.ts';
import { analyseWalletEndpoint } from './aml/analyse-wallet.ts';
import { listAmlHistoryEndpoint } from './aml/list-aml-history.ts';
import { listReceiversEndpoint } from './aml/list-receivers.ts';
import { listWalletTransactionsEndpoint } from './aml/list-wallet-transactions.ts';
import { recheckAmlEndpoint } from './aml/recheck-aml.ts';
import { searchAmlEndpoint } from './aml/search-aml.ts';
import { brakeEndpoints } from './brakes/brake-endpoints.ts';
import { listBlockchainsEndpoint } from './blockchains/list-blockchains.ts';
import type { Endpoint } from './endpoint.ts';
import { claimEndpoints } from './claims/claim-endpoints.ts';
import { counterpartyEndpoints } from './counterparties/counterparty-endpoints.ts';
import { getEntityEndpoint } from './entities/get-entity.ts';
import { listEntitiesEndpoint } from './entities/list-entities.ts';
import { lookupEntityEndpoint } from './entities/lookup-entity.ts';
import { listChangesEndpoint } from './events/list-changes.ts';
import { exportEndpoints } from './exports/export-endpoints.ts';
import { getLiveEndpoint } from './health/get-live.ts';
import { getMetricsEndpoint } from './health/get-metrics.ts';
import { getReadyEndpoint } from './health/get-ready.ts';
import { getHostedPictureEndpoint } from './hosted/get-hosted-picture.ts';
import { getHostedVerificationEndpoint } from './hosted/get-hosted-verification.ts';
import { makeHostedMessageEndpoint } from './hosted/make-hosted-message.ts';
import { submitHostedProofEndpoint } from './hosted/submit-hosted-proof.ts';
import { submitHostedStepEndpoint } from './hosted/submit-hosted-step.ts';
import { portalEndpoints } from './portal/portal-endpoints.ts';
import { administrationEndpoints } from './operator/administration-endpoints.ts';
import { attestAddressEndpoint } from './operator/attest-address.ts';
import { createApiKeyAsOperatorEndpoint } from './operator/create-api-key.ts';
import { createEntityEndpoint } from './operator/create-entity.ts';
import { deleteAttestedAddressEndpoint } from './operator/delete-attested-address.ts';
import { listAttestedAddressesEndpoint } from './operator/list-attested-addresses.ts';
import { trpEndpoints } from './trp/trp-endpoints.ts';
import { userEndpoints } from './users/user-endpoints.ts';
import { proposalEndpoints } from './proposals/proposal-endpoints.ts';
import { checkWalletEndpoint } from './wallet-intelligence/check-wallet.ts';
import { getWalletCheckEndpoint } from './wallet-intelligence/get-wallet-check.ts';
import { listWalletChecksEndpoint } from './wallet-intelligence/list-wallet-checks.ts';
import { deleteLabelSourceEndpoint } from './labels/delete-label-source.ts';
import { importLabelsEndpoint } from './labels/import-labels.ts';
import { listLabelSourcesEndpoint } from './labels/list-label-sources.ts';
import { createTenantEndpoint } from './operator/create-tenant.ts';
import { listOperatorAuditLogEndpoint } from './operator/list-audit-log.ts';
import { listListVersionsEndpoint } from './operator/list-list-versions.ts';
import { listListsEndpoint } from './operator/list-lists.ts';
import { listTenantsEndpoint } from './operator/list-tenants.ts';
import { listVersionChangesEndpoint } from './operator/list-version-changes.ts';
import { deleteEntityEndpoint } from './operator/delete-entity.ts';
import { getEntityAsOperatorEndpoint } from './operator/get-entity.ts';
import { importEntitiesEndpoint } from './operator/import-entities.ts';
import { listEntitiesAsOperatorEndpoint } from './operator/list-entities.ts';
import { listTransactionEventsAsOperatorEndpoint } from './operator/list-transaction-events.ts';
import { mergeEntityEndpoint } from './operator/merge-entity.ts';
import { patchEntityEndpoint } from './operator/patch-entity.ts';
import { patchTenantAsOperatorEndpoint } from './operator/patch-tenant.ts';
import { releaseEmailAddressEndpoint } from './operator/release-email-address.ts';
import { rollBackListEndpoint } from './operator/roll-back-list.ts';
import { uploadListEndpoint } from './operator/upload-list.ts';
import { sandboxEndpoints } from './sandbox/sandbox-endpoints.ts';
import { createSuppressionEndpoint } from './sanctions/create-suppression.ts';
import { deleteSuppressionEndpoint } from './sanctions/delete-suppression.ts';
import { getScreeningEndpoint } from './sanctions/get-screening.ts';
import { listScreeningsEndpoint } from './sanctions/list-screenings.ts';
import { listSuppressionsEndpoint } from './sanctions/list-suppressions.ts';
import { screenAddressEndpoint } from './sanctions/screen-address.ts';
import { searchSanctionsEndpoint } from './sanctions/search-sanctions.ts';
import { partnerEndpoints } from './partners/partner-endpoints.ts';
import { reportEndpoints } from './reports/report-endpoints.ts';
import { cancelBacktestEndpoint } from './rules/cancel-backtest.ts';
import { deleteBacktestEndpoint } from './rules/delete-backtest.ts';
import { getBacktestEndpoint } from './rules/get-backtest.ts';
import { getConfigurationEndpoint } from './rules/get-configuration.ts';
import { getVersionEndpoint } from './rules/get-version.ts';
import { listBacktestsEndpoint } from './rules/list-backtests.ts';
import { listConfigurationsEndpoint } from './rules/list-configurations.ts';
import { listFieldsEndpoint } from './rules/list-fields.ts';
import { listStarterSetsEndpoint } from './rules/list-starter-sets.ts';
import { listTransactionDecisionsEndpoint } from './rules/list-transaction-decisions.ts';
import { listVersionsEndpoint } from './rules/list-versions.ts';
import { loadStarterSetEndpoint } from './rules/load-starter-set.ts';
import { patchDraftEndpoint } from './rules/patch-draft.ts';
import { publishRulesEndpoint } from './rules/publish-rules.ts';
import { replayDecisionEndpoint } from './rules/replay-decision.ts';
import { restoreVersionEndpoint } from './rules/restore-version.ts';
import { simulateRulesEndpoint } from './rules/simulate-rules.ts';
import { startBacktestEndpoint } from './rules/start-backtest.ts';
import { createApiKeyEndpoint } from './tenant/create-api-key.ts';
import { deleteServiceKeyEndpoint } from './tenant/delete-service-key.ts';
import { getSettingsEndpoint } from './tenant/get-settings.ts';
import { getStatisticsEndpoint } from './tenant/get-statistics.ts';
import { getTenantEndpoint } from './tenant/get-tenant.ts';
import { listApiKeysEndpoint } from './tenant/list-api-keys.ts';
import { listAuditLogEndpoint } from './tenant/list-audit-log.ts';
import { listSealsEndpoint } from './tenant/list-seals.ts';
import { listServiceKeysEndpoint } from './tenant/list-service-keys.ts';
import { patchApiKeyEndpoint } from './tenant/patch-api-key.ts';
import { patchSettingsEndpoint } from './tenant/patch-settings.ts';
import { patchTenantEndpoint } from './tenant/patch-tenant.ts';
import { putServiceKeyEndpoint } from './tenant/put-service-key.ts';
import { readArchiveEndpoint } from './tenant/read-archive.ts';
import { revokeApiKeyEndpoint } from './tenant/revoke-api-key.ts';
import { uploadIconEndpoint } from './tenant/upload-icon.ts';
import { uploadLogoEndpoint } from './tenant/upload-logo.ts';
import { erasureEndpoints } from './tenant-erasures/erasure-endpoints.ts';
import { transactionEndpoints } from './transactions/transaction-endpoints.ts';
import { createVerificationEndpoint } from './verifications/create-verification.ts';
import { deleteVerificationEndpoint } from './verifications/delete-verification.ts';
import { getDocumentUrlEndpoint } from './verifications/get-document-url.ts';
import { getFileEndpoint } from './verifications/get-file.ts';
import { getFileUrlEndpoint } from './verifications/get-file-url.ts';
import { getVerificationEndpoint } from './verifications/get-verification.ts';
import { listFilesEndpoint } from './verifications/list-files.ts';
import { listVerificationEventsEndpoint } from './verifications/list-verification-events.ts';
import { listVerificationsEndpoint } from './verifications/list-verifications.ts';
import { patchStepEndpoint } from './verifications/patch-step.ts';
import { patchVerificationEndpoint } from './verifications/patch-verification.ts';
import { revokeVerificationEndpoint } from './verifications/revoke-verification.ts';
import { submitStepEndpoint } from './verifications/submit-step.ts';
import { submitVerificationEndpoint } from './verifications/submit-verification.ts';
import { getWebhookDeliveryEndpoint } from './webhooks/get-webhook-delivery.ts';
import { listWebhookDeliveriesEndpoint } from './webhooks/list-webhook-deliveries.ts';
import { redeliverRangeEndpoint } from './webhooks/redeliver-range.ts';
import { redeliverWebhookEndpoint } from './webhooks/redeliver-webhook.ts';
import { resendWebhooksEndpoint } from './webhooks/resend-webhooks.ts';
import { rotateWebhookSecretEndpoint } from './webhooks/rotate-webhook-secret.ts';
import { testWebhookEndpoint } from './webhooks/test-webhook.ts';
import { confirmWalletsEndpoint } from './wallets/confirm-wallets.ts';
import { createWalletEndpoint } from './wallets/create-wallet.ts';
import { deleteWalletEndpoint } from './wallets/delete-wallet.ts';
import { deleteWalletsEndpoint } from './wallets/delete-wallets.ts';
import { getWalletEndpoint } from './wallets/get-wallet.ts';
import { getTravelAddressEndpoint } from './wallets/get-travel-address.ts';
import { getWalletImportEndpoint } from './wallets/get-wallet-import.ts';
import { listWalletsEndpoint } from './wallets/list-wallets.ts';
import { patchWalletEndpoint } from './wallets/patch-wallet.ts';
import { uploadCsvEndpoint } from './wallets/upload-csv.ts';

/**
 * All production endpoints. The router, the OpenAPI document and the response check read this list. The document keeps
 * its order; the router sorts by path.
 */
export const endpoints: readonly Endpoint[] = [
  ...transactionEndpoints,
  ...claimEndpoints,
  listBlockchainsEndpoint,
  createWalletEndpoint,
  listWalletsEndpoint,
  confirmWalletsEndpoint,
  deleteWalletsEndpoint,
  uploadCsvEndpoint,
  getWalletImportEndpoint,
  getWalletEndpoint,
  getTravelAddressEndpoint,
  patchWalletEndpoint,
  deleteWalletEndpoint,
  createVerificationEndpoint,
  listVerificationsEndpoint,
  getVerificationEndpoint,
  patchVerificationEndpoint,
  deleteVerificationEndpoint,
  submitVerificationEndpoint,
  revokeVerificationEndpoint,
  listVerificationEventsEndpoint,
  listFilesEndpoint,
  getFileUrlEndpoint,
  getFileEndpoint,
  submitStepEndpoint,
  patchStepEndpoint,
  getDocumentUrlEndpoint,
  getHostedVerificationEndpoint,
  getHostedPictureEndpoint,
  makeHostedMessageEndpoint,
  submitHostedProofEndpoint,
  submitHostedStepEndpoint,
  ...portalEndpoints,
  ...userEndpoints,
  ...proposalEndpoints,
  searchSanctionsEndpoint,
  screenAddressEndpoint,
  listScreeningsEndpoint,
  getScreeningEndpoint,
  createSuppressionEndpoint,
  listSuppressionsEndpoint,
  deleteSuppressionEndpoint,
  listConfigurationsEndpoint,
  listFieldsEndpoint,
  listStarterSetsEndpoint,
  getConfigurationEndpoint,
  patchDraftEndpoint,
  simulateRulesEndpoint,
  publishRulesEndpoint,
  listVersionsEndpoint,
  getVersionEndpoint,
  restoreVersionEndpoint,
  listEntitiesEndpoint,
  lookupEntityEndpoint,
  getEntityEndpoint,
  ...counterpartyEndpoints,
  listWalletChecksEndpoint,
  getWalletCheckEndpoint,
  checkWalletEndpoint,
  loadStarterSetEndpoint,
  replayDecisionEndpoint,
  startBacktestEndpoint,
  listBacktestsEndpoint,
  getBacktestEndpoint,
  cancelBacktestEndpoint,
  deleteBacktestEndpoint,
  listTransactionDecisionsEndpoint,
  listChangesEndpoint,
  getTenantEndpoint,
  patchTenantEndpoint,
  readArchiveEndpoint,
  getSettingsEndpoint,
  getStatisticsEndpoint,
  patchSettingsEndpoint,
  listApiKeysEndpoint,
  createApiKeyEndpoint,
  revokeApiKeyEndpoint,
  patchApiKeyEndpoint,
  uploadLogoEndpoint,
  uploadIconEndpoint,
  putServiceKeyEndpoint,
  listServiceKeysEndpoint,
  deleteServiceKeyEndpoint,
  searchAmlEndpoint,
  listAmlHistoryEndpoint,
  recheckAmlEndpoint,
  analyseWalletEndpoint,
  analyseTransactionEndpoint,
  listReceiversEndpoint,
  listWalletTransactionsEndpoint,
  listSealsEndpoint,
  ...reportEndpoints,
  ...exportEndpoints,
  ...partnerEndpoints,
  ...trpEndpoints,
  listAuditLogEndpoint,
  ...brakeEndpoints,
  listWebhookDeliveriesEndpoint,
  getWebhookDeliveryEndpoint,
  redeliverWebhookEndpoint,
  redeliverRangeEndpoint,
  resendWebhooksEndpoint,
  rotateWebhookSecretEndpoint,
  testWebhookEndpoint,
  createTenantEndpoint,
  createApiKeyAsOperatorEndpoint,
  listTransactionEventsAsOperatorEndpoint,
  listOperatorAuditLogEndpoint,
  listTenantsEndpoint,
  patchTenantAsOperatorEndpoint,
  releaseEmailAddressEndpoint,
  ...administrationEndpoints,
  ...erasureEndpoints,
  attestAddressEndpoint,
  listAttestedAddressesEndpoint,
  deleteAttestedAddressEndpoint,
  listListsEndpoint,
  listListVersionsEndpoint,
  uploadListEndpoint,
  rollBackListEndpoint,
  listVersionChangesEndpoint,
  listEntitiesAsOperatorEndpoint,
  createEntityEndpoint,
  importEntitiesEndpoint,
  getEntityAsOperatorEndpoint,
  patchEntityEndpoint,
  deleteEntityEndpoint,
  mergeEntityEndpoint,
  importLabelsEndpoint,
  listLabelSourcesEndpoint,
  deleteLabelSourceEndpoint,
  getLiveEndpoint,
  getReadyEndpoint,
  getMetricsEndpoint,
];

/** All endpoints that a deployment serves and documents. */
export function endpointsOf(environment: Settings['ENVIRONMENT']): readonly Endpoint[] {
  return environment === 'sandbox' ? [...endpoints, ...sandboxEndpoints] : endpoints;
}
