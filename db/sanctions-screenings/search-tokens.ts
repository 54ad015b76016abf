import { queryTerms, searchTerms } from '../../domain/fold.ts';
import type { SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import type { Suppression } from '../../domain/sanctions-screening/suppression.ts';
import { walletKeys } from '../../domain/sanctions/wallet-key.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

type TokenKeys = Pick<TenantKeys, 'tokens'>;

/** The field name under which the tokens of screened names and addresses are made. */
export const NAME_FIELD = 'screenedName';
const ENTRY_FIELD = 'suppressedEntry';

/** Keyed tokens of a screened name, so that `q` finds its words and prefixes; of an address also its other spellings. */
export function screeningTokens(
  keys: TokenKeys,
  { kind, screenedName }: Pick<SanctionsScreening, 'kind' | 'screenedName'>,
): bigint[] {
  const spellings = kind === 'ADDRESS' ? walletKeys(screenedName).flatMap(queryTerms) : [];
  return keys.tokens(NAME_FIELD, [...new Set([...searchTerms(screenedName), ...spellings])]);
}

/** Keyed tokens of a suppression: of the screened name and of the entry's. */
export function suppressionTokens(
  keys: TokenKeys,
  { screenedName, name }: Pick<Suppression, 'screenedName' | 'name'>,
): bigint[] {
  return [
    ...keys.tokens(NAME_FIELD, searchTerms(screenedName)),
    ...keys.tokens(ENTRY_FIELD, searchTerms(name)),
  ];
}

/** The tokens that a screening must have to be found by `q`, in one of several ways. */
export function screeningSearchTokens(keys: TokenKeys, q: string): bigint[][] {
  return tokensOfEach(keys, NAME_FIELD, [q, ...walletKeys(q)]);
}

/** The tokens that a suppression must have to be found by `q`, in one of several ways. */
export function suppressionSearchTokens(keys: TokenKeys, q: string): bigint[][] {
  return [...tokensOfEach(keys, NAME_FIELD, [q]), ...tokensOfEach(keys, ENTRY_FIELD, [q])];
}

function tokensOfEach(keys: TokenKeys, field: string, texts: readonly string[]): bigint[][] {
  const distinct = new Map(texts.map(queryTerms).map((words) => [words.join(' '), words]));
  return [...distinct.values()].filter(({ length }) => length > 0).map((words) => keys.tokens(field, words));
}
