// Why: the relay takes the oldest entries of every tenant, however many one of them has. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  { name: 'outbox_of_tenant', definition: 'on outbox (tenant_id, due_at)' },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index outbox_of_tenant');
}
