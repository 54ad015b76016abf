// Why: a block asked every tenant that watches an address for each transfer to it. Asset and amount, or the sender, now come before the
// tenant in the indexes, so that only those are asked that expect them. The version before runs on this schema.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index satoshi_watches_amount, satoshi_watches_sender;
    create index satoshi_watches_amount on satoshi_watches (chain, recipient, asset, units, tenant_id, sender, armed_from)
      where state = 'OPEN';
    create index satoshi_watches_sender on satoshi_watches (chain, recipient, sender, tenant_id) where state = 'OPEN';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index satoshi_watches_amount, satoshi_watches_sender;
    create index satoshi_watches_amount on satoshi_watches (chain, recipient, tenant_id, asset, units, sender, armed_from)
      where state = 'OPEN';
    create index satoshi_watches_sender on satoshi_watches (chain, recipient, tenant_id, sender) where state = 'OPEN';
  `);
}
