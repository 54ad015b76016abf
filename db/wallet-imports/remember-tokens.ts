import type { TenantKeys } from '../vault/tenant-keys.ts';

/** What metadata is sealed and found by. */
export type MetadataKeys = Pick<TenantKeys, 'seal' | 'tokens'>;

/** Enough for the words that rows have in common; those of one row alone are not worth keeping. */
const REMEMBERED = 50_000;

/** The keys of one import, which computes the token of a word that many rows share only once. */
export function rememberTokens(keys: TenantKeys): MetadataKeys {
  const known = new Map<string, bigint>();
  const tokenOf = (field: string, term: string) => {
    const place = `${field}\0${term}`;
    const token = known.get(place) ?? keys.token(field, term);
    if (known.size < REMEMBERED) known.set(place, token);
    return token;
  };
  return {
    seal: (context, value) => keys.seal(context, value),
    tokens: (field, terms) => terms.map((term) => tokenOf(field, term)),
  };
}
