// Why: whoever filled the list of new entries of a search index moved it into the index, some 30 ms, several times a second under
// load, and all who shared its statement waited. Now a process of the product has it moved beside its requests, and the list only
// has to be bounded for those that do not.
import type { Knex } from 'knex';

const INDEXES = ['transactions_search', 'screenings_search'];

/** In kB. Each arm of a search reads the whole list: with this much a search takes some 60 ms longer. */
const BOUND = 1_024;
const BOUND_BEFORE = 256;

export async function up(knex: Knex): Promise<void> {
  for (const index of INDEXES) await knex.raw(`alter index ${index} set (gin_pending_list_limit = ${BOUND})`);
  await knex.raw(FLUSH);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function flush_pending_search()');
  for (const index of INDEXES)
    await knex.raw(`alter index ${index} set (gin_pending_list_limit = ${BOUND_BEFORE})`);
}

// With the rights of the owner, since only an owner may do it; nothing of a caller goes into it. One at a time: others would wait
// for the same list.
const FLUSH = `
  create function flush_pending_search() returns bigint language plpgsql security definer
  set search_path = pg_catalog, pg_temp as $$
  begin
    if not pg_try_advisory_xact_lock(727276) then return null; end if;
    return ${INDEXES.map((index) => `gin_clean_pending_list('public.${index}')`).join(' + ')};
  end $$;
`;
