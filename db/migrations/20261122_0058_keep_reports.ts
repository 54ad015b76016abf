// Why: tenants get a monthly report of their transactions; the file lies in the storage, and here is what it holds.
import type { Knex } from 'knex';

// A row is made before its object and removed after it, so that no object is ever without one. MAKING has a workflow; its
// object_key is that of the latest attempt. REPLACED keeps its file for links and downloads that are under way.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table monthly_reports (
      id uuid primary key,
      tenant_id uuid not null references tenants,
      month text not null check (month ~ '^\\d{4}-(0[1-9]|1[0-2])$'),
      state text not null check (state in ('MAKING', 'STORED', 'REPLACED', 'REMOVING')),
      created_at timestamptz(3) not null,
      wake_at timestamptz(3),
      object_key text,
      record_key bytea,
      time_zone text not null,
      rows bigint,
      totals jsonb,
      size_bytes bigint,
      sha256 text,
      generated_at timestamptz(3),
      replaced_at timestamptz(3),
      check ((state = 'MAKING') = (wake_at is not null)),
      check (state not in ('STORED', 'REPLACED') or num_nulls(
        object_key, record_key, rows, totals, size_bytes, sha256, generated_at) = 0),
      check (state <> 'REPLACED' or replaced_at is not null)
    );
    create unique index monthly_reports_stored on monthly_reports (tenant_id, month) where state = 'STORED';
    create unique index monthly_reports_making on monthly_reports (tenant_id, month) where state = 'MAKING';
    create index monthly_reports_month on monthly_reports (month) where state = 'STORED';
    create index monthly_reports_removed on monthly_reports (id) where state in ('REPLACED', 'REMOVING');
    create index monthly_reports_wake on monthly_reports (wake_at, id) where wake_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table monthly_reports');
}
