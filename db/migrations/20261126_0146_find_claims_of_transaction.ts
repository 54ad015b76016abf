// Why: a dossier and evidence ask for the claims of one transaction after the other. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'claims_of_transaction',
    definition: 'on claims (tenant_id, transaction_id) where transaction_id is not null',
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index claims_of_transaction');
}
