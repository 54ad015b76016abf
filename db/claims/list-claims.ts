import type { Knex } from 'knex';
import { normalHash } from '../../domain/address.ts';
import type { ClaimList } from '../../domain/claims/list.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { queryTerms } from '../../domain/fold.ts';
import { addressForms } from '../../domain/transactions/viewing/list.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf, whereGiven, type SqlStatement } from '../query-builder.ts';
import type { RecordRow } from '../records/record-table.ts';
import { idRange, prefixPattern } from '../search-patterns.ts';
import { countRecords } from '../statistics/count-records.ts';
import { CLAIMS } from '../statistics/measures.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { openClaimRow } from './find-claim.ts';
import { CLAIM_SEARCH_FIELDS, READ_COLUMNS } from './row.ts';

const SORT_COLUMNS: Record<ClaimList['sort'], string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  deadlineAt: 'deadline_at',
  status: 'status',
  direction: 'direction',
  asset: 'asset',
};

/** One page of a tenant's claims, of both directions. `searchFields` are those in which `q` finds words. */
export async function listClaims(
  db: Database,
  tenantId: string,
  list: ClaimList,
  searchFields: readonly string[] = CLAIM_SEARCH_FIELDS,
): Promise<ListPage<ClaimRecord>> {
  const { sort, order } = list;
  const keys = await db.vault.tenantKeys(tenantId);
  const matching = statementOf(matchingClaims(tenantId, list, tokensIn(searchFields, keys)));
  const page = {
    matching,
    count: keptCount(tenantId, list, matching),
    orderBy: `${SORT_COLUMNS[sort]} ${order}, id ${order}`,
    rows: `select ${READ_COLUMNS} from page join claims c using (id)`,
    range: list,
  };
  return await readPage(
    db.pool,
    page,
    async (rows: RecordRow[]) =>
      await Promise.all(rows.map(async (row) => (await openClaimRow(db, row)).record)),
  );
}

/** The number from the statistics, for a list that is filtered by nothing but direction and status. */
function keptCount(
  tenantId: string,
  { filters, q }: ClaimList,
  matching: SqlStatement,
): SqlStatement | undefined {
  const { direction, status, ...others } = filters;
  if (isSearch(q) || Object.values(others).some((value) => value !== undefined)) return undefined;
  const choice = { tenantId, first: direction && [direction], second: status };
  return countRecords(CLAIMS, choice, matching);
}

function isSearch(q: string | undefined): q is string {
  return q !== undefined && q.trim() !== '';
}

/** The tokens of words in each of the searched fields. */
type SearchTokens = (words: readonly string[]) => bigint[][];

function tokensIn(fields: readonly string[], keys: TenantKeys): SearchTokens {
  return (words) => fields.map((field) => keys.tokens(field, words));
}

function matchingClaims(
  tenantId: string,
  { filters, q }: ClaimList,
  tokensOf: SearchTokens,
): Knex.QueryBuilder {
  const matching = sql('claims').select('id').where('tenant_id', tenantId).whereNull('erased_at');
  const { destination, transactionHash } = filters;
  whereGiven(matching, {
    'created_at >= ?': filters.from,
    'created_at <= ?': filters.to,
    'status = any(?::text[])': filters.status,
    'direction = ?': filters.direction,
    'hash_normal = ?': transactionHash === undefined ? undefined : normalHash(transactionHash),
    'destination_normal = any(?::text[])': destination === undefined ? undefined : addressForms(destination),
  });
  return isSearch(q) ? matching.where(claimSearch(q, tokensOf)) : matching;
}

/** What `q` finds: names by whole words and prefixes; hashes, addresses and ids exactly or by prefix. */
function claimSearch(q: string, tokensOf: SearchTokens) {
  const text = q.trim();
  const words = queryTerms(q);
  const ids = idRange(text);
  return (found: Knex.QueryBuilder): void => {
    if (words.length > 0)
      for (const tokens of tokensOf(words))
        found.orWhereRaw('search_tokens @> ?::bigint[]', [`{${tokens.join(',')}}`]);
    for (const address of new Set([text.toLowerCase(), ...addressForms(text)]))
      found.orWhereRaw('destination_normal like ?', [prefixPattern(address)]);
    for (const hash of new Set([normalHash(text), text.replace(/^0x/i, '').toLowerCase()]))
      found.orWhereRaw('hash_normal like ?', [prefixPattern(hash)]);
    if (ids) found.orWhereRaw('id between ?::uuid and ?::uuid', ids);
  };
}
