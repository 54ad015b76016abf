import { cleanLine, lengthBeforePlaces, nameLength } from './behind-name.ts';
import { splitWords } from './letters/fold-word.ts';
import { nameParts } from './name-parts.ts';
import { isPlace } from './places.ts';

/** Words that tell of a quick look that there may be an addition. */
const MAY_HAVE =
  /branch|usd|eur|gbp|chf|btc|eth|niederlassung|zweigstelle|succursale|sucursal|филиал|funds?|money|account|wallet|escrow|treasury|liquidation|administration|receivership|holding|\bgen\b/iu;
/** A branch at the end of the name; the place before it is left out, too. */
const BRANCH =
  /(?<![\s,-])[\s,-]+(?:branch(?:\s+office)?|zweig(?:niederlassung|stelle)|niederlassung|succursale|sucursal|филиал)$/iu;
/** An account of the firm, its currency, and the end of the firm. "Growth Fund" and "Trust" are the firm itself. */
const ACCOUNT =
  /(?<![\s,-])[\s,-]+(?:(?:clients?|customers?|usd[tc]?|eur|gbp|chf|btc|eth|segregated|omnibus|escrow|settlement|operating|treasury|bank|current|reserve)\s+(?:money|funds|assets|accounts?|wallets?)|usd[tc]?|eur|gbp|chf|btc|eth|accounts?|wallets?|escrow|treasury|(?:in|en)\s+(?:liquidation|liquidación|administration|receivership))$/iu;
/** Both words: a holding alone is mostly another firm. */
const GROUP_HOLDING = /\s+group\s+holdings?(?=\s|$)/iu;
const GEN = /(?<![\p{L}\p{N}])gen\.?(?=\s)/giu;
const END = /(?<![\s,;:(-])[\s,;:(-]+$/u;
const MAX_PLACE_WORDS = 2;
/** "Pte. Ltd.", "Co., Ltd." */
const MAX_FORM_WORDS = 2;
/** What stands before the name of a firm and is no part of it. */
const BEFORE_FIRM =
  /^(?:(?:messrs|firma|firm|fa|company|compagnie|soci[eé]t[eé]|sociedad|empresa|ditta|azienda|компания|фирма|общество|شركة)\.?\s+)+(?=\S)/iu;
/** Words that join a place to the name before it: "Bank of Moscow" is one name. */
const STOP_WORD = /(?<![\p{L}\p{N}])(?:of|de|du|del|in|at|for|and|&|the|von|la|le)$/iu;
/** A single word is hardly the whole name of a firm. */
const MIN_WORDS = 2;
/** A listed name of so many words that many firms have is hardly another one. */
const MIN_GENERIC_WORDS = 3;

/**
 * The name of a firm without its branch, its account, the state of its liquidation and what is written behind it: "Huber
 * Trading LLC, Zurich Branch" and "Huber Trading LLC INN 7707083893" are Huber Trading LLC. Undefined if it has none, or less than two words besides.
 */
export function withoutFirmAdditions(name: string): string | undefined {
  const clean = cleanLine(name);
  const written = clean.split(/\s+/u);
  const length = nameLength(written, MIN_WORDS);
  const named = length === written.length ? clean : written.slice(0, length).join(' ').replace(END, '');
  const firm = MAY_HAVE.test(named) ? withoutState(named) : named;
  return firm !== clean && splitWords(firm).length >= MIN_WORDS ? firm : undefined;
}

/** The firm of "Messrs Huber Trading LLC"; undefined if nothing stands before it, or less than two words behind that. */
export function withoutFormOfAddress(name: string): string | undefined {
  const clean = cleanLine(name);
  const firm = clean.replace(BEFORE_FIRM, '');
  return firm !== clean && splitWords(firm).length >= MIN_WORDS ? firm : undefined;
}

function withoutState(name: string): string {
  return withoutBranch(name.replace(ACCOUNT, '')).replace(GROUP_HOLDING, ' ').replace(GEN, 'general').trim();
}

/**
 * The name of a firm without the places behind it, and without a legal form behind those: of "Huber Trading LLC Dubai UAE" and
 * "Huber Trading Dubai LLC" the first words. It counts only for a listed firm that has no other word. Undefined if the rest is too
 * short, or only of words that many firms have.
 */
export function withoutPlacesBehind(name: string): string | undefined {
  const written = cleanLine(name).split(/\s+/u);
  if (written.length <= MIN_WORDS) return undefined;
  const length = lengthBeforePlacesAndForm(written);
  const firm = written.slice(0, length).join(' ').replace(END, '');
  if (length === written.length || length < MIN_WORDS || STOP_WORD.test(firm)) return undefined;
  const kinds = nameParts(firm, 'organisation').map(({ kind }) => kind);
  const isTelling =
    kinds.includes('word') || kinds.filter((kind) => kind === 'generic').length >= MIN_GENERIC_WORDS;
  return isTelling ? firm : undefined;
}

/** The words before the places at the end or, if there are none, before the places in front of a legal form; all words if none. */
function lengthBeforePlacesAndForm(written: readonly string[]): number {
  for (let behind = 0; behind <= MAX_FORM_WORDS; behind++) {
    const end = written.length - behind;
    const length = lengthBeforePlaces(written.slice(0, end));
    if (length < end && (behind === 0 || endsInLegalForm(written.slice(end - 1).join(' ')))) return length;
  }
  return written.length;
}

/** Whether all behind the first word is a legal form; alone, the letters of one are read as a name. */
function endsInLegalForm(text: string): boolean {
  const parts = nameParts(text, 'organisation').slice(1);
  return parts.length > 0 && parts.every(({ kind }) => kind === 'form');
}

function withoutBranch(name: string): string {
  const before = name.replace(BRANCH, '');
  if (before === name) return name;
  const written = before.split(/[\s,-]+/u);
  for (let length = MAX_PLACE_WORDS; length > 0; length--)
    if (isPlace(written.slice(-length).join(' '))) return written.slice(0, -length).join(' ');
  return before;
}
