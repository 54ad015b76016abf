// Why: who changes the tenant's e-mail address takes all later mails away from it, so the address before is told. The version
// before runs on this schema.
import type { Knex } from 'knex';

const BEFORE = [
  'INVITATION',
  'PASSWORD_RESET',
  'WEBHOOK_DISABLED',
  'WEBHOOK_URL_CHANGED',
  'KEY_ENDING',
  'SIGN_IN_FROM_NEW_ADDRESS',
];

export async function up(knex: Knex): Promise<void> {
  await knex.raw(allowKinds([...BEFORE, 'EMAIL_CHANGED']));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`delete from mails where kind = 'EMAIL_CHANGED'; ${allowKinds(BEFORE)}`);
}

function allowKinds(kinds: readonly string[]): string {
  const list = kinds.map((kind) => `'${kind}'`).join(', ');
  return `alter table mails drop constraint mails_kind_check, add constraint mails_kind_check check (kind in (${list}))`;
}
