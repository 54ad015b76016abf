// Why: a transfer that a rule lets wait is decided again when its counterparty changes, also one that reaches it by the
// destination alone. So a decision to wait names the entity that it was made with. The version before runs on this schema.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table rule_decisions add column waits_on_entity_id uuid;
    create index rule_decisions_waiting on rule_decisions (waits_on_entity_id, wait_until)
      where waits_on_entity_id is not null`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table rule_decisions drop column waits_on_entity_id');
}
