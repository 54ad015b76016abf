// Why: what is kept only for a time must be found quickly, and operators need figures that cost nothing to read.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table webhook_deliveries alter column body drop not null;
    create index webhook_deliveries_spent on webhook_deliveries (finished_at)
      where finished_at is not null and body is not null;
    create index webhook_attempts_age on webhook_attempts (started_at);
    alter table outbox add column created_at timestamptz(3) not null default now();
  `);
  await knex.raw(OUTCOMES);
  await knex.raw(NAMESPACES);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table temporal_namespaces, webhook_outcomes;
    alter table outbox drop column created_at;
    drop index webhook_attempts_age, webhook_deliveries_spent;
    update webhook_deliveries set body = '' where body is null;
    alter table webhook_deliveries alter column body set not null;
  `);
}

// A count in several rows, so that attempts that end at the same time do not wait for each other.
const OUTCOMES = `
  create table webhook_outcomes (
    slot smallint not null,
    outcome text not null check (outcome in ('delivered', 'failed', 'gave_up')),
    total bigint not null,
    primary key (slot, outcome)
  ) with (fillfactor = 50)`;

// Which Temporal holds the workflows of the rows: another id under the same name is a server that has lost its state.
const NAMESPACES = `
  create table temporal_namespaces (
    name text primary key,
    id text not null,
    rebuilt_at timestamptz(3) not null
  )`;
