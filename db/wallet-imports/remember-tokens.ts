import type { TenantKeys } from '../vault/tenant-keys.ts';

/** The functions of TenantKeys that encrypt metadata and make it searchable. */
export type MetadataKeys = Pick<TenantKeys, 'seal' | 'tokens'>;

/** Enough for the words that rows have in common; words of one row are not worth caching. */
const REMEMBERED = 50_000;

/** Wraps the keys for one import and caches the tokens of words that many rows share. */
export function rememberTokens(keys: TenantKeys): MetadataKeys {
  const known = new Map<string, bigint>();
  const tokenOf = (field: string, term: string) => {
    const cacheKey = `${field}\0${term}`;
    const token = known.get(cacheKey) ?? keys.token(field, term);
    if (known.size < REMEMBERED) known.set(cacheKey, token);
    return token;
  };
  return {
    seal: (context, value) => keys.seal(context, value),
    tokens: (field, terms) => terms.map((term) => tokenOf(field, term)),
  };
}
