import type pg from 'pg';
import { nameKey } from '../../domain/sanctions/name-key.ts';
import { identifierKey, isDistinctive } from '../../domain/sanctions/equal-identifier.ts';
import { typesFor } from '../../domain/sanctions/sanctions-index.ts';
import type { SanctionsQuery } from '../../domain/sanctions/sanctions-query.ts';
import { MAX_PERSONS, MAX_QUERY_NAMES, MAX_SEGMENTS } from '../../domain/sanctions/search.ts';
import { walletKeys } from '../../domain/sanctions/wallet-key.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import type { StoredEntry, VersionRef } from '../sanctions-lists/stream-entries.ts';

/** An entry and the searched version of its list. */
export interface CandidateEntry extends StoredEntry {
  version: number;
}

/** As many names as the engine itself scores; a query with many names gets fewer for each. */
const MAX_CANDIDATES = 60;
const MIN_CANDIDATES_PER_NAME = 8;

/** SQL: joins the entries `e` of the searched versions, $1 and $2. */
const AT_VERSIONS = `unnest($1::text[], $2::int[]) as a(code, version)
  on e.code = a.code and e.version_added <= a.version
    and (e.version_removed is null or e.version_removed > a.version)`;

/** In index order, so that equal matches always come in the same order. */
const AS_INDEXED = 'order by e.code, e.source_id';

/**
 * The candidate entries of a query, by trigram similarity of their names (0.3, PostgreSQL's default threshold) or by
 * an identifier, in the order of the lists.
 */
export async function findCandidates(
  pool: pg.Pool,
  query: SanctionsQuery,
  versions: readonly VersionRef[],
): Promise<CandidateEntry[]> {
  const { text, values } = candidatesStatement(query, versions);
  return await inTransaction(pool, async (tx) => {
    await tx.query(BY_TRIGRAMS);
    return (await tx.query<CandidateEntry>(text, values)).rows;
  });
}

/** The planner underestimates the cost of comparing names and would compare all of them. */
export const BY_TRIGRAMS = 'set local enable_seqscan = off';

interface CandidateStatement {
  text: string;
  values: unknown[];
}

/** The statement of findCandidates. */
export function candidatesStatement(
  query: SanctionsQuery,
  versions: readonly VersionRef[],
): CandidateStatement {
  const types = query.type ? typesFor(query.type) : [...typesFor('NATURAL'), ...typesFor('LEGAL')];
  const segments = query.segments?.slice(0, MAX_SEGMENTS) ?? [];
  const persons = query.persons?.slice(0, MAX_PERSONS) ?? [];
  const names = [...query.names.slice(0, MAX_QUERY_NAMES), ...segments, ...persons];
  const keys = [...new Set(names.map(nameKey).filter((key) => key !== ''))];
  const limit = Math.max(MIN_CANDIDATES_PER_NAME, Math.ceil(MAX_CANDIDATES / keys.length));
  const identifiers = (query.identifiers ?? []).map(({ value }) => value).filter(isDistinctive);
  const fixed = [...versionArrays(versions), types, identifiers.map(identifierKey)];
  const byName = keys.map((_, place) => candidatesOf(`$${fixed.length + 1 + place}`, limit));
  return {
    text: `
      with found as (
        select entry_id from sanctions_identifiers where key = any($4::text[])
        ${byName.map((sql) => `union ${sql}`).join('\n')}
      )
      select e.entry, e.row_hash as "rowHash", a.version
      from found join sanctions_entries e on e.id = found.entry_id join ${AT_VERSIONS} ${AS_INDEXED}`,
    values: [...fixed, ...keys],
  };
}

/**
 * SQL: matches names first, in a materialized query, whatever statistics the planner has of a newly imported list;
 * then joins the entries, since few names match.
 */
function candidatesOf(key: string, limit: number): string {
  return `(
    with n as materialized (
      select entry_id, similarity(key, ${key}) as likeness from sanctions_names where key % ${key}
    )
    select n.entry_id from n
    join sanctions_entries e on e.id = n.entry_id
    join ${AT_VERSIONS}
    where e.entry ->> 'type' = any($3::text[])
    order by n.likeness desc, n.entry_id limit ${limit}
  )`;
}

/** The entries that list this address, on any blockchain and in any spelling. */
export async function findWalletEntries(
  db: Queryable,
  address: string,
  versions: readonly VersionRef[],
): Promise<CandidateEntry[]> {
  const { rows } = await db.query<CandidateEntry>(
    `select e.entry, e.row_hash as "rowHash", a.version from sanctions_entries e join ${AT_VERSIONS}
     where e.id in (select entry_id from sanctions_wallets where address_key = any($3::text[])) ${AS_INDEXED}`,
    [...versionArrays(versions), walletKeys(address)],
  );
  return rows;
}

function versionArrays(versions: readonly VersionRef[]): [codes: string[], numbers: number[]] {
  return [versions.map(({ code }) => code), versions.map(({ version }) => version)];
}
