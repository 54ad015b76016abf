import { queryTerms } from '../../domain/fold.ts';
import { addressForms } from '../../domain/transactions/viewing/list.ts';
import type { Conditions } from '../conditions.ts';
import { prefixPattern } from '../search-patterns.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { WALLET_SEARCH_FIELD } from './wallet-row.ts';

/**
 * What `q` finds: addresses and assets exactly or by prefix, whatever their case; metadata by whole words and prefixes,
 * all words of the query. Each arm has an index of its own and names the tenant again: bare arms on one column would be
 * joined by PostgreSQL 18 and searched by the tenant alone. `tenant` is the tenant's placeholder.
 */
export function walletSearchCondition(
  q: string,
  keys: TenantKeys,
  tenant: string,
  conditions: Conditions,
): string {
  const begins = (column: string, start: string) =>
    `(tenant_id = ${tenant} and ${column} collate "C" like ${conditions.value(prefixPattern(start))})`;
  const text = q.trim();
  const forms = [...new Set([text.toLowerCase(), ...addressForms(text)])];
  const arms = forms.map((form) => begins('address_normal', form));
  arms.push(begins('upper(asset)', text.toUpperCase()));
  const words = queryTerms(q);
  if (words.length > 0) {
    const tokens = conditions.value(`{${keys.tokens(WALLET_SEARCH_FIELD, words).join(',')}}`);
    arms.push(`(search_tokens <> '{}' and search_tokens @> ${tokens}::bigint[])`);
  }
  return `(${arms.join(' or ')})`;
}
