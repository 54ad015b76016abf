// Why: a tenant may have two records of one transfer, its own and that of a message. And a message that its sender has
// taken back leaves the tenant's own record free for another message. The version before runs on this schema.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table transactions add column related_transaction_id uuid;
    alter table message_pairs add column closed_at timestamptz(3);
    alter table message_pairs drop constraint exchanges_incoming_id_key;
    create unique index message_pairs_incoming on message_pairs (incoming_id) where closed_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from message_pairs where closed_at is not null;
    drop index message_pairs_incoming;
    alter table message_pairs add constraint exchanges_incoming_id_key unique (incoming_id);
    alter table message_pairs drop column closed_at;
    alter table transactions drop column related_transaction_id;
  `);
}
