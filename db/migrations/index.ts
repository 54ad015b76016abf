import type { Knex } from 'knex';
import * as createKeys from './20261121_0001_create_keys.ts';
import * as createCore from './20261121_0002_create_core.ts';
import * as keepHouse from './20261121_0003_keep_house.ts';
import * as addTestVasps from './20261121_0004_add_test_vasps.ts';
import * as rotateWebhookSecrets from './20261121_0005_rotate_webhook_secrets.ts';

/** Every migration in order; names carry no file ending, so that source and build agree. */
export const migrations: { name: string; migration: Knex.Migration }[] = [
  { name: '20261121_0001_create_keys', migration: createKeys },
  { name: '20261121_0002_create_core', migration: createCore },
  { name: '20261121_0003_keep_house', migration: keepHouse },
  { name: '20261121_0004_add_test_vasps', migration: addTestVasps },
  { name: '20261121_0005_rotate_webhook_secrets', migration: rotateWebhookSecrets },
];
