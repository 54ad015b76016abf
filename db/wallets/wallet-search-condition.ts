import type { Knex } from 'knex';
import { queryTerms } from '../../domain/fold.ts';
import { addressForms } from '../../domain/transactions/viewing/list.ts';
import { prefixPattern } from '../search-patterns.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { WALLET_SEARCH_FIELD } from './wallet-row.ts';

/**
 * What `q` finds: addresses and assets exactly or by prefix, whatever their case; metadata by whole words and prefixes,
 * all words of the query. Each arm has an index of its own and names the tenant again: bare arms on one column would be
 * joined by PostgreSQL 18 and searched by the tenant alone.
 */
export function walletSearchCondition(q: string, tenantId: string, keys: TenantKeys) {
  const text = q.trim();
  const words = queryTerms(q);
  return (found: Knex.QueryBuilder): void => {
    const orBegins = (column: string, start: string) =>
      found.orWhereRaw(`(tenant_id = ? and ${column} collate "C" like ?)`, [tenantId, prefixPattern(start)]);
    for (const form of new Set([text.toLowerCase(), ...addressForms(text)])) orBegins('address_normal', form);
    orBegins('upper(asset)', text.toUpperCase());
    if (words.length > 0) {
      const tokens = keys.tokens(WALLET_SEARCH_FIELD, words);
      found.orWhereRaw(`(search_tokens <> '{}' and search_tokens @> ?::bigint[])`, [`{${tokens.join(',')}}`]);
    }
  };
}
