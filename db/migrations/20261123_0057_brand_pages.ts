// Why: a tenant has pages of its own look, with its logo and icon, and keys that count from its own addresses only. The
// version before runs on this schema; it does not refuse a key at other addresses.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // A row is made before its object and removed after it, so that no object is ever without one. What is known of the file in
  // use stands in the settings of its tenant.
  await knex.raw(`
    alter table api_keys
      add column allowed_ips text[],
      add constraint api_keys_allowed_ips check (cardinality(allowed_ips) > 0);

    create table branding_files (
      id uuid primary key,
      tenant_id uuid not null references tenants,
      kind text not null check (kind in ('logo', 'icon')),
      state text not null check (state in ('ARRIVING', 'STORED', 'REMOVING')),
      object_key text not null,
      created_at timestamptz(3) not null
    );
    create unique index branding_files_stored on branding_files (tenant_id, kind) where state = 'STORED';
    create index branding_files_state on branding_files (state, created_at) where state <> 'STORED';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table branding_files; alter table api_keys drop column allowed_ips;');
}
