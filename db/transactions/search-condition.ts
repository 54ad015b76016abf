import { normalHash } from '../../domain/address.ts';
import { queryTerms } from '../../domain/fold.ts';
import { addressForms } from '../../domain/transactions/viewing/list.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { idRange, prefixPattern } from '../search-patterns.ts';

/**
 * What `q` finds: names and metadata by whole words and prefixes, all words within one party; addresses, hashes,
 * references and ids exactly or by prefix. Each arm has an index of its own. `fields` are those searched by words; `tenant`
 * is the tenant's placeholder; `bind` adds a value to the statement and returns its placeholder.
 */
export function searchCondition(
  { q, fields }: Search,
  keys: TenantKeys,
  tenant: string,
  bind: (value: string) => string,
): string {
  const arms = [...wordArms({ q, fields }, keys, bind), ...prefixArms(q, tenant, bind)];
  return `(${arms.join(' or ')})`;
}

interface Search {
  q: string;
  fields: readonly string[];
}

function wordArms({ q, fields }: Search, keys: TenantKeys, bind: (value: string) => string): string[] {
  const words = queryTerms(q);
  if (words.length === 0) return [];
  return fields.map((field) => {
    const tokens = bind(`{${keys.tokens(field, words).join(',')}}`);
    return `search_tokens @> ${tokens}::bigint[]`;
  });
}

/**
 * Each arm names the tenant again. PostgreSQL 18 joins bare arms that compare one column, and then searches its index
 * by the tenant alone: for two spellings of an address that is all that the tenant has.
 */
function prefixArms(q: string, tenant: string, bind: (value: string) => string): string[] {
  const text = q.trim();
  const begins = (column: string, start: string) =>
    `(tenant_id = ${tenant} and ${column} like ${bind(prefixPattern(start))})`;
  const addresses = new Set([text.toLowerCase(), ...addressForms(text)]);
  const arms = [...addresses].flatMap((address) => [
    begins('destination_normal', address),
    begins('origin_normal', address),
  ]);
  for (const hash of new Set([normalHash(text), hashPrefix(text)])) arms.push(begins('hash_normal', hash));
  arms.push(begins('reference', text));
  const ids = idRange(text);
  if (ids) arms.push(`id between ${bind(ids[0])}::uuid and ${bind(ids[1])}::uuid`);
  return arms;
}

/** Hashes are kept in lower case without 0x. */
function hashPrefix(text: string): string {
  return /^(0x)?[0-9a-f]+$/i.test(text) ? text.replace(/^0x/i, '').toLowerCase() : text;
}
