// Why: a transfer that a rule lets wait is decided again when its counterparty changes, also one that reaches it by the
// destination alone. So a decision to wait names the entity that it was made with. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'rule_decisions_waiting',
    definition: 'on rule_decisions (waits_on_entity_id, wait_until) where waits_on_entity_id is not null',
    column: { table: 'rule_decisions', name: 'waits_on_entity_id', type: 'uuid' },
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table rule_decisions drop column waits_on_entity_id');
}
