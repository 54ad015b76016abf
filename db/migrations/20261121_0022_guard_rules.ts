// Why: a new version of rules that blocks far too much is held back until somebody has looked at it.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(GUARD);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table rule_configurations drop column guard_version, drop column guard_tripped_at, drop column guard_blocked,
      drop column guard_decisions;
  `);
}

// guard_version: the last version whose blocks became reviews; it counts while that version is the published one.
const GUARD = `
  alter table rule_configurations
    add column guard_version int,
    add column guard_tripped_at timestamptz(3),
    add column guard_blocked int,
    add column guard_decisions int;
  create index rule_configurations_guarded on rule_configurations (id) where guard_version = published_version;
`;
