import { queryTerms } from '../../domain/fold.ts';
import { addressForms } from '../../domain/transactions/viewing/list.ts';
import type { Conditions } from '../conditions.ts';
import { idRange, prefixPattern } from '../search-patterns.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { VERIFICATION_SEARCH_FIELD } from './row.ts';

/** What `q` finds: metadata by whole words and prefixes, addresses and ids exactly or by prefix. */
export function verificationSearch(q: string, keys: TenantKeys, conditions: Conditions): string {
  const text = q.trim();
  const words = queryTerms(q);
  const arms: string[] = [];
  if (words.length > 0) {
    const tokens = conditions.value(`{${keys.tokens(VERIFICATION_SEARCH_FIELD, words).join(',')}}`);
    arms.push(`v.search_tokens @> ${tokens}::bigint[]`);
  }
  for (const address of new Set([text.toLowerCase(), ...addressForms(text)])) {
    arms.push(`v.address_normal like ${conditions.value(prefixPattern(address))}`);
  }
  const ids = idRange(text);
  if (ids) arms.push(`v.id between ${conditions.value(ids[0])}::uuid and ${conditions.value(ids[1])}::uuid`);
  return `(${arms.join(' or ')})`;
}
