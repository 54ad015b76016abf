import { identifierKey } from './equal-identifier.ts';
import type { ListEntry } from './list-entry.ts';
import { nameKey } from './name-key.ts';
import { walletKeys } from './wallet-key.ts';

/**
 * Whether a version of a list brings something to compare: an entry that the version before did not have, or a name, an
 * identifier or a wallet that the entry did not have. A weak alias decides nothing: once the list no longer calls it weak, it is
 * a name that the entry did not have. `previous` is undefined where the entry is new.
 */
export function isAdded(entry: ListEntry, previous: ListEntry | undefined): boolean {
  if (!previous || previous.type !== entry.type) return true;
  const known = new Set(comparedParts(previous));
  const isKnown = (part: string) => known.has(part) || known.has(part.replace(WEAK, ''));
  return !comparedParts(entry).every(isKnown) || hasNewWallet(entry, previous);
}

/** Another spelling of a wallet that was listed is no new wallet. */
function hasNewWallet({ wallets }: ListEntry, previous: ListEntry): boolean {
  const known = new Set(previous.wallets.flatMap(({ address }) => walletKeys(address)));
  return wallets.some(({ address }) => !walletKeys(address).some((key) => known.has(key)));
}

const WEAK = /^weak /;

function comparedParts({ names, identifiers }: ListEntry): string[] {
  return [
    ...names.map(({ text, kind }) => `${kind === 'weak' ? 'weak ' : ''}name ${nameWords(text)}`),
    ...identifiers.map(({ kind, country, value }) => `${kind} ${country ?? ''} ${identifierKey(value)}`),
  ];
}

/** The words of a name in one order: "FAMILY, Given" and "Given Family" are one name. */
export function nameWords(text: string): string {
  return nameKey(text).split(' ').sort().join(' ');
}
