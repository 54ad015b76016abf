// Why: by default a table is vacuumed after a fifth of its rows has changed: at 100 million rows after 20 million dead ones, whose
// entries every index scan steps over meanwhile. The version before runs on this schema.
import type { Knex } from 'knex';

/** Rows change some times and stay. */
const CHANGED = ['transactions', 'claims', 'verifications', 'wallets', 'webhook_deliveries'];
const CHANGED_SETTINGS = 'autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02';

/** Rows are only added: a vacuum marks their pages as visible to all, so that index-only scans skip the table. */
const ADDED = [
  'events',
  'payload_versions',
  'rule_decisions',
  'screenings',
  'transaction_screenings',
  'webhook_attempts',
];
const ADDED_SETTINGS = 'autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02';

/** Rows come and go: what matters is the number of dead ones at the front, whatever the size. */
const PASSING = ['outbox', 'idempotency_keys', 'chain_observations', 'statistics_deltas'];
const PASSING_SETTINGS =
  'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0';

export async function up(knex: Knex): Promise<void> {
  await setAll(knex, CHANGED, `set (${CHANGED_SETTINGS})`);
  await setAll(knex, ADDED, `set (${ADDED_SETTINGS})`);
  await setAll(knex, PASSING, `set (${PASSING_SETTINGS})`);
}

export async function down(knex: Knex): Promise<void> {
  await setAll(knex, CHANGED, `reset (${namesOf(CHANGED_SETTINGS)})`);
  await setAll(knex, ADDED, `reset (${namesOf(ADDED_SETTINGS)})`);
  await setAll(knex, PASSING, `reset (${namesOf(PASSING_SETTINGS)})`);
}

async function setAll(knex: Knex, tables: readonly string[], action: string): Promise<void> {
  for (const table of tables) await knex.raw(`alter table ${table} ${action}`);
}

/** `a = 1, b = 2` as `a, b`. */
function namesOf(settings: string): string {
  return settings.replace(/ = [\d.]+/g, '');
}
