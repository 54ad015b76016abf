import { createHash } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import { nameKey } from '../../domain/sanctions/name-key.ts';
import { identifierKey } from '../../domain/sanctions/equal-identifier.ts';
import { walletKeys } from '../../domain/sanctions/wallet-key.ts';

/** An entry in its stored form: text, hash and search keys. */
export interface StagedEntry {
  sourceId: string;
  rowHash: Buffer;
  /** Canonical JSON. */
  entry: string;
  /** JSON of `EntryKeys`. */
  keys: string;
}

/** The keys by which the database finds an entry; each name and identifier once, each wallet once per key. */
interface EntryKeys {
  names: string[];
  wallets: [asset: string, address: string, key: string][];
  identifiers: string[];
}

/** NUL and lone surrogates in JSON notation. */
const NOT_STORABLE = /\\u(?:0000|d[89a-f])/;

/** The stored form of an entry; undefined if it has a character that PostgreSQL cannot store, which no valid entry has. */
export function stagedEntry(entry: ListEntry): StagedEntry | undefined {
  const text = canonicalJson(entry);
  if (NOT_STORABLE.test(text)) return undefined;
  return {
    sourceId: entry.sourceId,
    rowHash: createHash('sha256').update(text).digest(),
    entry: text,
    keys: JSON.stringify(keysOf(entry)),
  };
}

function keysOf(entry: ListEntry): EntryKeys {
  return {
    names: distinct(entry.names.map((name) => nameKey(name.text))),
    wallets: entry.wallets.flatMap(({ asset, address }) =>
      walletKeys(address).map((key): [string, string, string] => [asset, address, key]),
    ),
    identifiers: distinct(entry.identifiers.map(({ value }) => identifierKey(value))),
  };
}

function distinct(keys: string[]): string[] {
  return [...new Set(keys)].filter((key) => key !== '');
}
