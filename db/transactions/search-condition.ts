import type { Knex } from 'knex';
import { normalHash } from '../../domain/address.ts';
import { queryTerms } from '../../domain/fold.ts';
import { addressForms } from '../../domain/transactions/viewing/list.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { idRange, prefixPattern } from '../search-patterns.ts';
import { SEARCH_FIELDS } from './search-tokens.ts';

/**
 * What `q` finds: names and metadata by whole words and prefixes, all words within one party; addresses, hashes,
 * references and ids exactly or by prefix. Each arm has an index of its own.
 */
export function searchCondition(q: string, tenantId: string, keys: TenantKeys) {
  return (found: Knex.QueryBuilder): void => {
    orWords(found, q, keys);
    orPrefixes(found, q.trim(), tenantId);
  };
}

function orWords(found: Knex.QueryBuilder, q: string, keys: TenantKeys): void {
  const words = queryTerms(q);
  if (words.length === 0) return;
  for (const field of SEARCH_FIELDS) {
    found.orWhereRaw('search_tokens @> ?::bigint[]', [`{${keys.tokens(field, words).join(',')}}`]);
  }
}

/**
 * Each arm names the tenant again. PostgreSQL 18 joins bare arms that compare one column, and then searches its index
 * by the tenant alone: for two spellings of an address that is all that the tenant has.
 */
function orPrefixes(found: Knex.QueryBuilder, text: string, tenantId: string): void {
  const orBegins = (column: string, start: string) =>
    found.orWhereRaw(`(tenant_id = ? and ${column} like ?)`, [tenantId, prefixPattern(start)]);
  for (const address of new Set([text.toLowerCase(), ...addressForms(text)])) {
    orBegins('destination_normal', address);
    orBegins('origin_normal', address);
  }
  for (const hash of new Set([normalHash(text), hashPrefix(text)])) orBegins('hash_normal', hash);
  orBegins('reference', text);
  const ids = idRange(text);
  if (ids) found.orWhereRaw('id between ?::uuid and ?::uuid', ids);
}

/** Hashes are kept in lower case without 0x. */
function hashPrefix(text: string): string {
  return /^(0x)?[0-9a-f]+$/i.test(text) ? text.replace(/^0x/i, '').toLowerCase() : text;
}
