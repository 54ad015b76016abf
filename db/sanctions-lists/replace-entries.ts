import type { Queryable } from '../postgres.ts';

interface EntryReplacement {
  runId: string;
  code: string;
  version: number;
}

/**
 * Ends the active entries that are not staged with the same content, and adds the staged entries that are not active.
 */
export async function replaceEntries(tx: Queryable, replacement: EntryReplacement): Promise<void> {
  const { runId, code, version } = replacement;
  await tx.query(
    `update sanctions_entries e set version_removed = $3
     where e.code = $2 and e.version_removed is null and not exists (
       select 1 from sanctions_staging s
       where s.run_id = $1 and s.source_id = e.source_id and s.row_hash = e.row_hash)`,
    [runId, code, version],
  );
  await tx.query(INSERT_STAGED, [runId, code, version]);
  // Without new statistics the planner reads these rows in the worst order.
  await tx.query('analyze sanctions_entries, sanctions_names, sanctions_wallets, sanctions_identifiers');
}

// Entries that are still active are staged with the same content, so the others are new or changed. Ordered by source
// id, so that a list is stored contiguously.
const INSERT_STAGED = `
  with added as (
    insert into sanctions_entries (code, source_id, row_hash, entry, version_added)
    select $2, s.source_id, s.row_hash, s.entry, $3
    from sanctions_staging s
    where s.run_id = $1 and not exists (
      select 1 from sanctions_entries e
      where e.code = $2 and e.source_id = s.source_id and e.version_removed is null)
    order by s.source_id
    returning id, source_id
  ), keyed as (
    select a.id, s.keys from added a join sanctions_staging s on s.run_id = $1 and s.source_id = a.source_id
  ), names as (
    insert into sanctions_names (entry_id, key)
    select id, jsonb_array_elements_text(keys -> 'names') from keyed
  ), wallets as (
    insert into sanctions_wallets (entry_id, asset, address, address_key)
    select k.id, w ->> 0, w ->> 1, w ->> 2 from keyed k cross join jsonb_array_elements(k.keys -> 'wallets') w
  )
  insert into sanctions_identifiers (entry_id, key)
  select id, jsonb_array_elements_text(keys -> 'identifiers') from keyed`;
