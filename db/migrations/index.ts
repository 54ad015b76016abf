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
import * as labelWallets from './20261121_0017_label_wallets.ts';
import * as checkWalletsForAml from './20261121_0018_check_wallets_for_aml.ts';
import * as storeRules from './20261121_0019_store_rules.ts';
import * as screenTransactions from './20261121_0020_screen_transactions.ts';
import * as removeOldChecks from './20261121_0021_remove_old_checks.ts';
import * as guardRules from './20261121_0022_guard_rules.ts';
import * as usePlainWords from './20261122_0023_use_plain_words.ts';
import * as storeFacts from './20261122_0024_store_facts.ts';
import * as leaseDeliveries from './20261122_0028_lease_deliveries.ts';

/** Every migration in order; names carry no file ending, so that source and build agree. */
export const migrations: { name: string; migration: Knex.Migration }[] = [
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
  { name: '20261122_0028_lease_deliveries', migration: leaseDeliveries },
];
