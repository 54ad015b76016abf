import type { OnlineIndex } from '../online-indexes.ts';
import type { Knex } from 'knex';
import * as createKeys from './20261121_0001_create_keys.ts';
import * as createCore from './20261121_0002_create_core.ts';
import * as keepHouse from './20261121_0003_keep_house.ts';
import * as addTestVasps from './20261121_0004_add_test_vasps.ts';
import * as rotateWebhookSecrets from './20261121_0005_rotate_webhook_secrets.ts';
import * as collectSearchTokens from './20261121_0006_collect_search_tokens.ts';
import * as listWallets from './20261121_0008_list_wallets.ts';
import * as importWallets from './20261121_0009_import_wallets.ts';
import * as createVerifications from './20261121_0010_create_verifications.ts';
import * as scanChains from './20261121_0011_scan_chains.ts';
import * as storeFiles from './20261121_0012_store_files.ts';
import * as reuseVerifications from './20261121_0013_reuse_verifications.ts';
import * as storeSanctionsLists from './20261121_0014_store_sanctions_lists.ts';
import * as keepScreenings from './20261121_0015_keep_screenings.ts';
import * as createDirectory from './20261121_0016_create_directory.ts';
import * as keepUsers from './20261122_0050_keep_users.ts';
import * as addSecondFactors from './20261122_0051_add_second_factors.ts';
import * as sendMails from './20261122_0052_send_mails.ts';
import * as labelWallets from './20261121_0017_label_wallets.ts';
import * as checkWalletsForAml from './20261121_0018_check_wallets_for_aml.ts';
import * as storeRules from './20261121_0019_store_rules.ts';
import * as screenTransactions from './20261121_0020_screen_transactions.ts';
import * as removeOldChecks from './20261121_0021_remove_old_checks.ts';
import * as guardRules from './20261121_0022_guard_rules.ts';
import * as usePlainWords from './20261122_0023_use_plain_words.ts';
import * as storeFacts from './20261122_0024_store_facts.ts';
import * as relateTransactions from './20261122_0025_relate_transactions.ts';
import * as announceVerdicts from './20261122_0026_announce_verdicts.ts';
import * as doubtAddresses from './20261122_0027_doubt_addresses.ts';
import * as leaseDeliveries from './20261122_0028_lease_deliveries.ts';
import * as announceImports from './20261122_0029_announce_imports.ts';
import * as valueTransactions from './20261122_0030_value_transactions.ts';
import * as spellWallets from './20261122_0031_spell_wallets.ts';
import * as showRecords from './20261122_0032_show_records.ts';
import * as dateEndpoints from './20261122_0033_date_endpoints.ts';
import * as anchorHeads from './20261122_0034_anchor_heads.ts';
import * as sealDays from './20261122_0035_seal_days.ts';
import * as keepFeedEpochs from './20261122_0036_keep_feed_epochs.ts';
import * as logWallets from './20261122_0037_log_wallets.ts';
import * as weighProofs from './20261122_0038_weigh_proofs.ts';
import * as sealScreenings from './20261122_0039_seal_screenings.ts';
import * as leaseEndpoints from './20261122_0040_lease_endpoints.ts';
import * as filterWorkQueues from './20261122_0041_filter_work_queues.ts';
import * as nameResourcesOfWebhooks from './20261122_0042_name_resources_of_webhooks.ts';
import * as dateRefusedFiles from './20261122_0043_date_refused_files.ts';
import * as wakeWaiting from './20261122_0044_wake_waiting.ts';
import * as spellSigners from './20261122_0045_spell_signers.ts';
import * as orderUploads from './20261122_0046_order_uploads.ts';
import * as waitOnEntities from './20261122_0047_wait_on_entities.ts';
import * as dateReplacedFiles from './20261122_0048_date_replaced_files.ts';
import * as spellIdentifiers from './20261122_0049_spell_identifiers.ts';
import * as rescreenHeld from './20261122_0055_rescreen_held.ts';
import * as findReceived from './20261122_0056_find_received.ts';

/** A migration; `online` are its indexes that are built before it, while api and worker go on. */
interface ListedMigration {
  name: string;
  migration: Knex.Migration & { online?: readonly OnlineIndex[] };
}

/** Every migration in order; names carry no file ending, so that source and build agree. */
export const migrations: ListedMigration[] = [
  { name: '20261121_0001_create_keys', migration: createKeys },
  { name: '20261121_0002_create_core', migration: createCore },
  { name: '20261121_0003_keep_house', migration: keepHouse },
  { name: '20261121_0004_add_test_vasps', migration: addTestVasps },
  { name: '20261121_0005_rotate_webhook_secrets', migration: rotateWebhookSecrets },
  { name: '20261121_0006_collect_search_tokens', migration: collectSearchTokens },
  { name: '20261121_0008_list_wallets', migration: listWallets },
  { name: '20261121_0009_import_wallets', migration: importWallets },
  { name: '20261121_0010_create_verifications', migration: createVerifications },
  { name: '20261121_0011_scan_chains', migration: scanChains },
  { name: '20261121_0012_store_files', migration: storeFiles },
  { name: '20261121_0013_reuse_verifications', migration: reuseVerifications },
  { name: '20261121_0014_store_sanctions_lists', migration: storeSanctionsLists },
  { name: '20261121_0015_keep_screenings', migration: keepScreenings },
  { name: '20261121_0016_create_directory', migration: createDirectory },
  { name: '20261121_0017_label_wallets', migration: labelWallets },
  { name: '20261121_0018_check_wallets_for_aml', migration: checkWalletsForAml },
  { name: '20261121_0019_store_rules', migration: storeRules },
  { name: '20261121_0020_screen_transactions', migration: screenTransactions },
  { name: '20261121_0021_remove_old_checks', migration: removeOldChecks },
  { name: '20261121_0022_guard_rules', migration: guardRules },
  { name: '20261122_0023_use_plain_words', migration: usePlainWords },
  { name: '20261122_0024_store_facts', migration: storeFacts },
  { name: '20261122_0025_relate_transactions', migration: relateTransactions },
  { name: '20261122_0026_announce_verdicts', migration: announceVerdicts },
  { name: '20261122_0027_doubt_addresses', migration: doubtAddresses },
  { name: '20261122_0028_lease_deliveries', migration: leaseDeliveries },
  { name: '20261122_0029_announce_imports', migration: announceImports },
  { name: '20261122_0030_value_transactions', migration: valueTransactions },
  { name: '20261122_0031_spell_wallets', migration: spellWallets },
  { name: '20261122_0032_show_records', migration: showRecords },
  { name: '20261122_0033_date_endpoints', migration: dateEndpoints },
  { name: '20261122_0034_anchor_heads', migration: anchorHeads },
  { name: '20261122_0035_seal_days', migration: sealDays },
  { name: '20261122_0036_keep_feed_epochs', migration: keepFeedEpochs },
  { name: '20261122_0037_log_wallets', migration: logWallets },
  { name: '20261122_0038_weigh_proofs', migration: weighProofs },
  { name: '20261122_0039_seal_screenings', migration: sealScreenings },
  { name: '20261122_0040_lease_endpoints', migration: leaseEndpoints },
  { name: '20261122_0041_filter_work_queues', migration: filterWorkQueues },
  { name: '20261122_0042_name_resources_of_webhooks', migration: nameResourcesOfWebhooks },
  { name: '20261122_0043_date_refused_files', migration: dateRefusedFiles },
  { name: '20261122_0044_wake_waiting', migration: wakeWaiting },
  { name: '20261122_0045_spell_signers', migration: spellSigners },
  { name: '20261122_0046_order_uploads', migration: orderUploads },
  { name: '20261122_0047_wait_on_entities', migration: waitOnEntities },
  { name: '20261122_0048_date_replaced_files', migration: dateReplacedFiles },
  { name: '20261122_0049_spell_identifiers', migration: spellIdentifiers },
  { name: '20261122_0050_keep_users', migration: keepUsers },
  { name: '20261122_0051_add_second_factors', migration: addSecondFactors },
  { name: '20261122_0052_send_mails', migration: sendMails },
  { name: '20261122_0055_rescreen_held', migration: rescreenHeld },
  { name: '20261122_0056_find_received', migration: findReceived },
];
