import { withoutFormsOfAddress } from '../sanctions/forms-of-address.ts';
import { hasLegalForm, isFirm, isFirmName } from './firm-names.ts';
import { JOINED, JOINED_FIRMS_PERHAPS } from './name-separators.ts';
import { trimmed } from './plain-text.ts';
import { isName, isWholeName } from './whole-name.ts';

/** The number of words from which what follows a word such as "and" is hardly the rest of a name. */
const LONG_FIRM = 3;

/** After a single word, such as "Oil", only a long name is one of its own. */
export function joinedFirms(text: string): string[] {
  if (!isFirm(text)) return [];
  const perhaps = perhapsHolders(text).filter((part) => isFirmName(part));
  return perhaps.length > 0 ? perhaps : surelyJoinedFirms(text);
}

function surelyJoinedFirms(text: string): string[] {
  const parts = holdersIn(text);
  if (parts.length < 2) return [];
  if (parts.every((part) => isFirmName(part)) || parts.every(hasLegalForm)) return parts;
  return parts.slice(1).filter((part) => isFirmName(part, LONG_FIRM));
}

/**
 * The holders of "Anna Keller y Huber Trading LLC", which words join that are also parts of names: each is a whole name, and one
 * before the last has a legal form, or all before it are persons. "Compañía de Petróleo y Gas Natural SA" is one firm.
 */
export function perhapsHolders(text: string): string[] {
  const parts = text.split(JOINED_FIRMS_PERHAPS);
  if (parts.length < 2 || !isFirm(text)) return [];
  const holders = parts.flatMap((part) => part.split(JOINED)).map(trimmed);
  if (!holders.every(isWholeName)) return [];
  const [before, last = ''] = [holders.slice(0, -1), holders.at(-1)];
  const isLastFirm = hasLegalForm(last) && isFirmName(last, LONG_FIRM) && before.every((one) => !isFirm(one));
  return isLastFirm || before.some(hasLegalForm) ? holders : [];
}

/**
 * Whether joined holders are a firm: "General Eva Huber and Peter Keller" are none, though "General" is a word of firms, but "General
 * Motors and Huber" may be one.
 */
export function isFirmOfHolders(text: string): boolean {
  if (!isFirm(text)) return false;
  const holders = text.split(JOINED).map(trimmed);
  return !isWholeName(holders.at(-1) ?? '') || isFirm(withoutFormsOfAddress(holders).join(' '));
}

/** What stands between the words that join holders, where it is a name. */
export function holdersIn(text: string): string[] {
  return text.split(JOINED).map(trimmed).filter(isName);
}
