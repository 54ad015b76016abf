import type { Knex } from 'knex';
import * as createKeys from './20261121_0001_create_keys.ts';
import * as createCore from './20261121_0002_create_core.ts';

/** Every migration in order; names carry no file ending, so that source and build agree. */
export const migrations: { name: string; migration: Knex.Migration }[] = [
  { name: '20261121_0001_create_keys', migration: createKeys },
  { name: '20261121_0002_create_core', migration: createCore },
];
