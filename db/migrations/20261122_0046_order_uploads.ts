// Why: an upload of a sanctions list that began before the contents that are in use is rejected as OUTDATED, so that an
// import that starts late, or is repeated, replaces nothing newer.
import type { Knex } from 'knex';

const BEFORE = `'EMPTY', 'SHRUNK', 'FAULTS', 'SENTINELS_MISSING'`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(reasons(`${BEFORE}, 'OUTDATED'`));
}

export async function down(knex: Knex): Promise<void> {
  // Versions that were rejected for the new reason stay as they are.
  await knex.raw(`${reasons(BEFORE)} not valid`);
}

const reasons = (allowed: string) => `
  alter table sanctions_versions drop constraint sanctions_versions_reject_reason_check,
    add constraint sanctions_versions_reject_reason_check check (reject_reason in (${allowed}))`;
