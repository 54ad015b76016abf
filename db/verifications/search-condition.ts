import type { Knex } from 'knex';
import { queryTerms } from '../../domain/fold.ts';
import { addressForms } from '../../domain/transactions/viewing/list.ts';
import { idRange, prefixPattern } from '../search-patterns.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { VERIFICATION_SEARCH_FIELD } from './row.ts';

/** What `q` finds: metadata by whole words and prefixes, addresses and ids exactly or by prefix. */
export function verificationSearch(q: string, keys: TenantKeys) {
  const text = q.trim();
  const words = queryTerms(q);
  const ids = idRange(text);
  return (found: Knex.QueryBuilder): void => {
    if (words.length > 0) {
      const tokens = keys.tokens(VERIFICATION_SEARCH_FIELD, words);
      found.orWhereRaw('search_tokens @> ?::bigint[]', [`{${tokens.join(',')}}`]);
    }
    for (const address of new Set([text.toLowerCase(), ...addressForms(text)])) {
      found.orWhereRaw('address_normal like ?', [prefixPattern(address)]);
    }
    if (ids) found.orWhereRaw('id between ?::uuid and ?::uuid', ids);
  };
}
