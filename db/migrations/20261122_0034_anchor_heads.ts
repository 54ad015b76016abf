// Why: who may write to the database could cut a chain and set its head anew; the anchor needs a key that is not in it.
// Heads of before have none: the worker makes them once, since migrations know no key. The version before would move
// heads without their anchors, so it must not run on this schema.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table transactions add column head_mac bytea;
    alter table verifications add column head_mac bytea;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table transactions drop column head_mac;
    alter table verifications drop column head_mac;
  `);
}
