import { cleanText } from './letters/fold-word.ts';
import { isPlace } from './places.ts';

/** Words that a number, a code or a currency follows, and that are nobody's name before one. */
const NUMBERED = words(
  'acc acct account accounts ac iban bic swift id uid inn kpp ogrn tin vat ein ssn dob tel phone mob mobile fax inv invoice ref reference reg',
  'regno registration registered passport no nr box pobox konto kontonummer rechnung compte cuenta conta conto facture factura',
  'инн кпп огрн паспорт счет счёт р/с тел снилс договор номер',
);
/** Words between such a word and its number: "reg. no. 123", "account number 123". */
const BETWEEN = words('no nr num number n° № card code office box');
/** What begins the rest of a line without a number. */
const ENDS = words('wallet wallets usdt usdc trc20 erc20 bep20 hq headquarters binance');
const END_PAIRS = words(
  'hot_wallet hot_wallets cold_wallet cold_wallets business_account trading_account main_account personal_account',
  'head_office registered_office p_o po_box postal_address bank_account binance_account',
);
const DIGIT = /\p{N}/u;
const LETTER = /\p{L}/u;
/** Signs beside and within a word: "reg.", "P.O.", "(INN". */
const SIGNS = /[.,;:()#]+/gu;
/** So many digits are an account or a date, and not a part of a name such as "75". */
const MIN_DIGITS = 4;
const MAX_PLACE_WORDS = 2;
const BLANKS = /\s+/gu;

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** The clean name with one blank between words, since patterns take a run of blanks apart in many ways. */
export function cleanLine(name: string): string {
  return cleanText(name).replace(BLANKS, ' ').trim();
}

/**
 * The number of words of a name before what is written behind names: an account, an address, a register, an invoice, a date;
 * all words if there is nothing of it. At least `kept` words are a name. Reads each word once.
 */
export function nameLength(written: readonly string[], kept: number): number {
  const bare = written.map((word) => word.toLowerCase().replace(SIGNS, ''));
  const end = bare.findIndex((_, at) => at >= kept && isBehindName(bare, at));
  return end < 0 ? written.length : end;
}

function isBehindName(bare: readonly string[], at: number): boolean {
  const [word = '', next = '', third = ''] = bare.slice(at, at + 3);
  if (ENDS.has(word) || END_PAIRS.has(`${word}_${next}`) || isNumber(word)) return true;
  return NUMBERED.has(word) && (DIGIT.test(next) || (BETWEEN.has(next) && DIGIT.test(third)));
}

/** An account, a date or an IBAN: signs and digits, or so many digits beside letters. */
export function isNumber(word: string): boolean {
  let digits = 0;
  for (const sign of word) if (DIGIT.test(sign)) digits++;
  return digits >= MIN_DIGITS && (digits * 2 > word.length || !LETTER.test(word));
}

/** The number of words before the places at the end. */
export function lengthBeforePlaces(written: readonly string[]): number {
  let end = written.length;
  for (let length = MAX_PLACE_WORDS; length > 0;) {
    const isBehind = end > length && isPlace(written.slice(end - length, end).join(' '));
    if (isBehind) end -= length;
    length = isBehind ? MAX_PLACE_WORDS : length - 1;
  }
  return end;
}
