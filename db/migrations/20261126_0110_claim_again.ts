// Why: a claim whose answer has ended in vain waits for a person again, and one that has reached nobody is made anew once a
// route appears. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'claims_answering',
    definition: `on claims (tenant_id, created_at)
      where direction = 'INCOMING' and status = 'DELIVERED' and transaction_id is not null`,
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
  await knex.raw('alter table claims add column route_found_at timestamptz(3)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table claims drop column route_found_at; drop index claims_answering');
}
