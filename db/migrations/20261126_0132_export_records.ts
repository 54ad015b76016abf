// Why: a tenant takes copies of its records away as files, which are made in the background and kept for a week. The version
// before runs on this schema.
import type { Knex } from 'knex';

// purpose is sealed with the keys of the tenant. rows grows while the file is made. Each attempt writes an object of its own,
// sealed by a key of its own.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table exports (
      id uuid primary key,
      tenant_id uuid not null references tenants,
      resource text not null check (resource in ('transactions')),
      format text not null check (format in ('CSV', 'JSON', 'IVMS101')),
      filter jsonb not null,
      purpose bytea not null,
      requested_by_kind text not null check (requested_by_kind in ('API_KEY', 'USER')),
      requested_by uuid not null,
      state text not null check (state in ('MAKING', 'READY', 'FAILED', 'REMOVING')),
      rows int not null default 0,
      size_bytes bigint,
      sha256 text,
      object_key text,
      record_key bytea,
      created_at timestamptz(3) not null,
      finished_at timestamptz(3),
      expires_at timestamptz(3),
      wake_at timestamptz(3)
    );
    create index exports_newest on exports (tenant_id, created_at desc, id desc);
    create index exports_wake on exports (wake_at) where wake_at is not null;
    create index exports_expiring on exports (expires_at) where expires_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table exports');
}
