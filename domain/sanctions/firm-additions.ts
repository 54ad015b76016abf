import { cleanText, splitWords } from './letters/fold-word.ts';
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
const MAX_PLACE_WORDS = 2;
/** A single word is hardly the whole name of a firm. */
const MIN_WORDS = 2;

/**
 * The name of a firm without its branch, its account and the state of its liquidation: "Huber Trading LLC, Zurich Branch" and
 * "Huber Trading LLC Client Funds" are Huber Trading LLC. Undefined if it has none, or less than two words besides.
 */
export function withoutFirmAdditions(name: string): string | undefined {
  if (!MAY_HAVE.test(name)) return undefined;
  const clean = cleanText(name).trim();
  const firm = withoutBranch(clean.replace(ACCOUNT, ''))
    .replace(GROUP_HOLDING, ' ')
    .replace(GEN, 'general')
    .trim();
  return firm !== clean && splitWords(firm).length >= MIN_WORDS ? firm : undefined;
}

function withoutBranch(name: string): string {
  const before = name.replace(BRANCH, '');
  if (before === name) return name;
  const written = before.split(/[\s,-]+/u);
  for (let length = MAX_PLACE_WORDS; length > 0; length--)
    if (isPlace(written.slice(-length).join(' '))) return written.slice(0, -length).join(' ');
  return before;
}
