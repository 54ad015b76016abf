// Why: claims are erased as transactions and verifications are, once nobody has to keep them. The version before runs on this
// schema; it still lists a claim that was erased, without its data.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'claims_kept',
    definition: 'on claims (created_at, id) where erased_at is null',
    column: { table: 'claims', name: 'erased_at', type: 'timestamptz(3)' },
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table claims drop column erased_at');
}
