// Why: what was found of a transfer's parties stood in the history under the tenant's key, without the transfer: it
// outlived its deletion. And `q` found whole names only.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(SCREENINGS);
  await knex.raw(SUPPRESSIONS);
}

// The version before cannot open what the key of a transfer seals.
export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from screenings where transaction_id is not null;
    alter table screenings drop column transaction_id, drop column search_tokens;
    alter table screening_suppressions drop column search_tokens;
  `);
}

// Of the earlier screenings of transfers nobody can say whose they are. They are no loss: each stands in the file of its
// transfer as well (transaction_screenings). Only these were made without a caller.
const SCREENINGS = `
  delete from screenings where asked_by->>'kind' = 'SYSTEM';
  alter table screenings
    add column transaction_id uuid,
    add column search_tokens bigint[] not null default '{}';
  create index screenings_transaction on screenings (transaction_id) where transaction_id is not null;
  create index screenings_search on screenings using gin (search_tokens) with (gin_pending_list_limit = 256)
    where search_tokens <> '{}';
`;

const SUPPRESSIONS = `
  alter table screening_suppressions add column search_tokens bigint[] not null default '{}';
  create index screening_suppressions_search on screening_suppressions using gin (search_tokens)
    with (gin_pending_list_limit = 256) where search_tokens <> '{}';
`;
