// Why: a vacuum followed on every thousand added rows and a fiftieth of the table, so a young table of busy tenants was read and
// logged again each minute, beside the requests that filled it. What is added needs a vacuum only for index-only scans, and to be
// frozen: every 100,000 rows do. Rows that come and go are vacuumed for those that went.
import type { Knex } from 'knex';

const ADDED_TO = [
  'transactions',
  'claims',
  'verifications',
  'wallets',
  'webhook_deliveries',
  'events',
  'payload_versions',
  'rule_decisions',
  'screenings',
  'transaction_screenings',
];
const PASSING = ['outbox', 'idempotency_keys', 'chain_observations', 'statistics_deltas'];

export async function up(knex: Knex): Promise<void> {
  for (const table of ADDED_TO)
    await knex.raw(`alter table ${table} set (autovacuum_vacuum_insert_threshold = 100000)`);
  for (const table of PASSING)
    await knex.raw(`alter table ${table} set (autovacuum_vacuum_insert_threshold = -1)`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [...ADDED_TO, ...PASSING])
    await knex.raw(`alter table ${table} reset (autovacuum_vacuum_insert_threshold)`);
}
