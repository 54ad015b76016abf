// Why: where a tenant is asked whether an address is its own takes two people, as its address for webhooks does: whoever answers
// there leads messages to the tenant. The version before runs on this schema.
import type { Knex } from 'knex';

const KINDS = ['REVIEW', 'RULES', 'SUPPRESSION', 'WEBHOOK_URL', 'FOUR_EYES'];

const check = (kinds: readonly string[]) => `
  alter table proposals drop constraint proposals_kind_check,
    add constraint proposals_kind_check check (kind in (${kinds.map((kind) => `'${kind}'`).join(', ')}))`;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(check([...KINDS, 'ADDRESS_QUESTION_URL']));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from proposals where kind = 'ADDRESS_QUESTION_URL'; ${check(KINDS)}`);
}
