import { normalHash } from '../../domain/address.ts';
import { queryTerms } from '../../domain/fold.ts';
import { addressForms } from '../../domain/transactions/list.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import type { Conditions } from '../conditions.ts';
import { SEARCH_FIELDS } from './seal-record.ts';

/**
 * What `q` finds: names and metadata by whole words and prefixes, all words within one party; addresses, hashes,
 * references and ids exactly or by prefix. Each arm has an index of its own.
 */
export function searchCondition(q: string, keys: TenantKeys, conditions: Conditions): string {
  return `(${[...wordArms(q, keys, conditions), ...prefixArms(q, conditions)].join(' or ')})`;
}

function wordArms(q: string, keys: TenantKeys, conditions: Conditions): string[] {
  const words = queryTerms(q);
  if (words.length === 0) return [];
  return SEARCH_FIELDS.map((field) => {
    const tokens = conditions.value(`{${keys.tokens(field, words).join(',')}}`);
    return `search_tokens @> ${tokens}::bigint[]`;
  });
}

function prefixArms(q: string, conditions: Conditions): string[] {
  const text = q.trim();
  const addresses = new Set([text.toLowerCase(), ...addressForms(text)]);
  const arms = [...addresses].map((address) => {
    const pattern = conditions.value(prefixPattern(address));
    return `destination_normal like ${pattern} or origin_normal like ${pattern}`;
  });
  arms.push(`hash_normal like ${conditions.value(prefixPattern(normalHash(text)))}`);
  arms.push(`hash_normal like ${conditions.value(prefixPattern(hashPrefix(text)))}`);
  arms.push(`reference like ${conditions.value(prefixPattern(text))}`);
  const ids = idRange(text);
  if (ids) arms.push(`id between ${conditions.value(ids[0])}::uuid and ${conditions.value(ids[1])}::uuid`);
  return arms;
}

/** Hashes are kept in lower case without 0x. */
function hashPrefix(text: string): string {
  return /^(0x)?[0-9a-f]+$/i.test(text) ? text.replace(/^0x/i, '').toLowerCase() : text;
}

function prefixPattern(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`;
}

/** The UUIDs that begin with the text; undefined when none can. */
function idRange(text: string): [string, string] | undefined {
  if (!/^[0-9a-f]{8}(-[0-9a-f-]*)?$/i.test(text) || text.length > 36) return undefined;
  const low = text.toLowerCase() + EMPTY_ID.slice(text.length);
  const high = text.toLowerCase() + FULL_ID.slice(text.length);
  return UUID.test(low) ? [low, high] : undefined;
}

const EMPTY_ID = '00000000-0000-0000-0000-000000000000';
const FULL_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
