// Why: whoever has opened a message by e-mail and does not answer is reminded once, some working days after the last opening.
// The version before runs on this schema.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table portal_links add column last_opened_at timestamptz(3), add column answer_reminded_at timestamptz(3);
    update portal_links set last_opened_at = opened_at where opened_at is not null;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table portal_links drop column last_opened_at, drop column answer_reminded_at');
}
