// Why: a message is announced with its verdict, and one whose verdict takes too long without it at announce_at. While the
// data of a message is hidden, nothing may depend on it: sealed messages are screened when they are released, also those
// that were screened before. Stop api and worker for the upgrade: the version before would screen them again.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table transactions add column announce_at timestamptz(3);
    update transactions set screening_state = 'DUE', is_screening_delayed = false, rule_wait_until = null, wake_at = null
      where sealed and screening_state is not null and status = 'DELIVERED' and deleted_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  // The version before screens what is due once it is woken.
  await knex.raw(`
    update transactions set wake_at = coalesce(screening_due_since, updated_at)
      where sealed and screening_state = 'DUE' and status = 'DELIVERED' and deleted_at is null;
    alter table transactions drop column announce_at;
  `);
}
