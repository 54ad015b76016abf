// Why: an account that a tenant registered with tags routes to nobody who registered it without. This index finds out whether
// other tenants have the account with a tag, however many tags one of them has. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'wallets_tagged',
    definition: `on wallets (address_normal, tenant_id)
      where coalesce(tag, '') <> '' and status = 'CONFIRMED' and source <> 'DETECTED'`,
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(indexesSql(online));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index wallets_tagged');
}
