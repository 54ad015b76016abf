import { lengthBeforePlaces, nameLength } from './behind-name.ts';
import { cleanText, splitWords } from './letters/fold-word.ts';
import { nameParts } from './name-parts.ts';
import { isPlace } from './places.ts';

/** Words that tell of a quick look that there may be an addition. */
const MAY_HAVE =
  /branch|niederlassung|zweigstelle|succursale|sucursal|филиал|funds?|money|account|wallet|escrow|treasury|liquidation|administration|receivership|holding|\bgen\b/iu;
/** A branch at the end of the name; the place before it is left out, too. */
const BRANCH =
  /[\s,-]+(?:branch(?:\s+office)?|zweig(?:niederlassung|stelle)|niederlassung|succursale|sucursal|филиал)$/iu;
/** An account of the firm, and the end of the firm. "Growth Fund" and "Trust" are the firm itself. */
const ACCOUNT =
  /[\s,-]+(?:(?:clients?|customers?|segregated|omnibus|escrow|settlement|operating|treasury|bank|current|reserve)\s+(?:money|funds|assets|accounts?)|accounts?|wallets?|escrow|treasury|(?:in|en)\s+(?:liquidation|liquidación|administration|receivership))$/iu;
/** Both words: a holding alone is mostly another firm. */
const GROUP_HOLDING = /\s+group\s+holdings?(?=\s|$)/iu;
const GEN = /(?<![\p{L}\p{N}])gen\.?(?=\s)/giu;
const END = /(?<![\s,;:(-])[\s,;:(-]+$/u;
const MAX_PLACE_WORDS = 2;
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
  const clean = cleanText(name).trim();
  const written = clean.split(/\s+/u);
  const length = nameLength(written, MIN_WORDS);
  const named = length === written.length ? clean : written.slice(0, length).join(' ').replace(END, '');
  const firm = MAY_HAVE.test(named) ? withoutState(named) : named;
  return firm !== clean && splitWords(firm).length >= MIN_WORDS ? firm : undefined;
}

/** The firm of "Messrs Huber Trading LLC"; undefined if nothing stands before it, or less than two words behind that. */
export function withoutFormOfAddress(name: string): string | undefined {
  const clean = cleanText(name).trim();
  const firm = clean.replace(BEFORE_FIRM, '');
  return firm !== clean && splitWords(firm).length >= MIN_WORDS ? firm : undefined;
}

function withoutState(name: string): string {
  return withoutBranch(name.replace(ACCOUNT, '')).replace(GROUP_HOLDING, ' ').replace(GEN, 'general').trim();
}

/**
 * The name of a firm without the places behind it: of "Huber Trading LLC Dubai UAE" the first three words. It counts only for a
 * listed firm that has no other word. Undefined if the rest is too short, or only of words that many firms have.
 */
export function withoutPlacesBehind(name: string): string | undefined {
  const written = cleanText(name).trim().split(/\s+/u);
  if (written.length <= MIN_WORDS) return undefined;
  const length = lengthBeforePlaces(written);
  const firm = written.slice(0, length).join(' ').replace(END, '');
  if (length === written.length || length < MIN_WORDS || STOP_WORD.test(firm)) return undefined;
  const kinds = nameParts(firm, 'organisation').map(({ kind }) => kind);
  const isTelling =
    kinds.includes('word') || kinds.filter((kind) => kind === 'generic').length >= MIN_GENERIC_WORDS;
  return isTelling ? firm : undefined;
}

function withoutBranch(name: string): string {
  const before = name.replace(BRANCH, '');
  if (before === name) return name;
  const written = before.split(/[\s,-]+/u);
  for (let length = MAX_PLACE_WORDS; length > 0; length--)
    if (isPlace(written.slice(-length).join(' '))) return written.slice(0, -length).join(' ');
  return before;
}
