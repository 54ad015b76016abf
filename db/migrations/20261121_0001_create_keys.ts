// Data at rest is sealed by keys that live beside it, each wrapped by the master key, which is never stored.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table vault_keys (
      owner uuid not null,
      purpose text not null check (purpose in ('RECORDS', 'TOKENS', 'API_KEYS', 'CHECK')),
      version integer not null check (version > 0),
      master_key_id text not null,
      wrapped bytea not null,
      created_at timestamptz(3) not null default now(),
      primary key (owner, purpose, version)
    )`);
  await knex.raw(`
    create table deployment (
      only_row boolean primary key default true check (only_row),
      environment text not null check (environment in ('sandbox', 'production')),
      created_at timestamptz(3) not null default now()
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table deployment');
  await knex.raw('drop table vault_keys');
}
