// Why: statistics of a month are read from counts, not from the records, of which there may be millions. Every change of a
// record adds rows that say how the counts change; the worker folds these into the counts. Nobody updates a row that others
// wait for. The records of existing tenants are counted by the worker afterwards (`statistics_due`).
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table statistics_deltas (
      tenant_id uuid not null,
      quarter timestamptz(0) not null,
      measure text collate "C" not null,
      key text collate "C" not null,
      count bigint not null,
      unvalued bigint not null default 0,
      usd numeric not null default 0,
      eur numeric not null default 0
    );
    create index statistics_deltas_tenant on statistics_deltas (tenant_id, quarter);

    create table statistics_counts (
      tenant_id uuid not null,
      span text collate "C" not null check (span in ('QUARTER', 'MONTH')),
      starts_at timestamptz(0) not null,
      measure text collate "C" not null,
      key text collate "C" not null,
      count bigint not null,
      unvalued bigint not null,
      usd numeric not null,
      eur numeric not null,
      primary key (tenant_id, span, starts_at, measure, key)
    );

    alter table tenants add column statistics_due boolean not null default false;
    update tenants set statistics_due = true;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenants drop column statistics_due;
    drop table statistics_counts, statistics_deltas;
  `);
}
