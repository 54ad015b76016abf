// Why: a block asked every tenant that watches an address for each transfer to it. Asset and amount, or the sender, now come before the
// tenant in the indexes, so that only those are asked that expect them. The version before runs on this schema.
import type { Knex } from 'knex';
import { indexesSql, type OnlineIndex } from '../online-indexes.ts';

export const online: readonly OnlineIndex[] = [
  {
    name: 'satoshi_watches_of_amount',
    definition: `on satoshi_watches (chain, recipient, asset, units, tenant_id, sender, armed_from) where state = 'OPEN'`,
  },
  {
    name: 'satoshi_watches_of_sender',
    definition: `on satoshi_watches (chain, recipient, sender, tenant_id) where state = 'OPEN'`,
  },
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`${indexesSql(online)} drop index satoshi_watches_amount, satoshi_watches_sender;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index satoshi_watches_of_amount, satoshi_watches_of_sender;
    create index satoshi_watches_amount on satoshi_watches (chain, recipient, tenant_id, asset, units, sender, armed_from)
      where state = 'OPEN';
    create index satoshi_watches_sender on satoshi_watches (chain, recipient, tenant_id, sender) where state = 'OPEN';
  `);
}
