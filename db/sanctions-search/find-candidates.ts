import { nameKey } from '../../domain/sanctions/name-key.ts';
import { identifierKey, typesFor } from '../../domain/sanctions/sanctions-index.ts';
import type { SanctionsQuery } from '../../domain/sanctions/search.ts';
import { walletKey } from '../../domain/sanctions/wallet-key.ts';
import type { Queryable } from '../database.ts';
import type { StoredEntry, VersionPlace } from '../sanctions-lists/stream-entries.ts';

/** An entry and the version of its list that was asked. */
export interface CandidateEntry extends StoredEntry {
  version: number;
}

/** As many names as the engine itself scores. */
const NAMES_PER_QUERY_NAME = 60;

/** SQL: entry e as it stands in the versions asked for, $1 and $2. */
const AT_VERSIONS = `unnest($1::text[], $2::int[]) as a(code, version)
  on e.code = a.code and e.version_added <= a.version
    and (e.version_removed is null or e.version_removed > a.version)`;

/** The order of the index, so that equal matches come in the same order. */
const AS_INDEXED = 'order by e.code, e.source_id';

/**
 * The entries that a query may mean: by trigrams of their names (similarity 0.3, PostgreSQL's own threshold), or by an
 * identifier. In the order of the lists.
 */
export async function findCandidates(
  db: Queryable,
  query: SanctionsQuery,
  versions: readonly VersionPlace[],
): Promise<CandidateEntry[]> {
  const { rows } = await db.query<CandidateEntry>(CANDIDATES, candidateValues(query, versions));
  return rows;
}

export function candidateValues(query: SanctionsQuery, versions: readonly VersionPlace[]): unknown[] {
  const types = query.type ? typesFor(query.type) : [...typesFor('NATURAL'), ...typesFor('LEGAL')];
  const keys = new Set(query.names.map(nameKey).filter((key) => key !== ''));
  return [...placesOf(versions), [...keys], types, (query.identifiers ?? []).map(identifierKey)];
}

export const CANDIDATES = `
  with found as (
    select n.entry_id from unnest($3::text[]) as q(key) cross join lateral (
      select n.entry_id from sanctions_names n
      join sanctions_entries e on e.id = n.entry_id
      join ${AT_VERSIONS}
      where n.key % q.key and e.entry ->> 'type' = any($4::text[])
      order by similarity(n.key, q.key) desc, n.entry_id limit ${NAMES_PER_QUERY_NAME}
    ) n
    union
    select entry_id from sanctions_identifiers where key = any($5::text[])
  )
  select e.entry, e.row_hash as "rowHash", a.version
  from found join sanctions_entries e on e.id = found.entry_id join ${AT_VERSIONS} ${AS_INDEXED}`;

/** The entries that list this address, whatever the chain and the case. */
export async function findWalletEntries(
  db: Queryable,
  address: string,
  versions: readonly VersionPlace[],
): Promise<CandidateEntry[]> {
  const { rows } = await db.query<CandidateEntry>(
    `select e.entry, e.row_hash as "rowHash", a.version from sanctions_entries e join ${AT_VERSIONS}
     where e.id in (select entry_id from sanctions_wallets where address_key = $3) ${AS_INDEXED}`,
    [...placesOf(versions), walletKey(address)],
  );
  return rows;
}

function placesOf(versions: readonly VersionPlace[]): [codes: string[], numbers: number[]] {
  return [versions.map(({ code }) => code), versions.map(({ version }) => version)];
}
