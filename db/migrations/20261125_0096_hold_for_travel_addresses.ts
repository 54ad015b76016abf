// Why: a message whose travel address is not known to be of the VASP that it names is held for a review, as one to a strange
// mailbox is. The rows that are there hold shorter lists already, so they are not read. The version before runs on this schema.
import type { Knex } from 'knex';

const HOLDS = ['RULE', 'SANCTIONS', 'UNSCREENED', 'COUNTERPARTY', 'INCOMPLETE_PARTY', 'MAILBOX'];

const check = (column: string, words: readonly string[]) => `
  drop constraint transactions_${column}_check,
  add constraint transactions_${column}_check check (${column} in (${words.map((word) => `'${word}'`).join(', ')})) not valid`;

export async function up(knex: Knex): Promise<void> {
  const holds = [...HOLDS, 'TRAVEL_ADDRESS'];
  await knex.raw(`alter table transactions ${check('hold', holds)}, ${check('blocked_hold', holds)}`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update transactions set hold = 'COUNTERPARTY' where hold = 'TRAVEL_ADDRESS';
    update transactions set blocked_hold = 'COUNTERPARTY' where blocked_hold = 'TRAVEL_ADDRESS';
    alter table transactions ${check('hold', HOLDS)}, ${check('blocked_hold', HOLDS)}`);
}
