// Why: cursors of the change feed had the number of the change among those of all tenants, by which a sender could count the
// entries of the receiver's log, and so learn of a hold. Readable ones go on counting for the changes of before. The version
// before runs on this schema, but reads no sealed cursors.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'alter table deployment add column feed_cursors_sealed_at timestamptz(3) not null default now()',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table deployment drop column feed_cursors_sealed_at');
}
