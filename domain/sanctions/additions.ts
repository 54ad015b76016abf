import { cleanText, splitWords } from './letters/fold-word.ts';
import { isPlace } from './places.ts';
import { isPureTitle } from './titles.ts';

/** Words of accounts, upper-case letters of currencies, words of what somebody leaves or holds in trust, and of respect behind a name. */
const ACCOUNT_WORDS = words(
  'wallet wallets account accounts acct acc savings saving checking deposit custody balance trust family',
  'konto konten girokonto sparkonto depot compte cuenta conta conto rekening konto rachunek счет счёт кошелек кошелёк حساب محفظة',
  'المحترم المحترمة ז״ל ז"ל',
  'eur usd gbp chf jpy cny rub btc eth usdt usdc ltc xrp trx xmr bch bnb doge',
);
/** Titles of offices and ranks, also of the dead, and an article. Some are also names, so they are left out only before one. */
const OFFICES = words(
  'minister ministers senator governor judge prince princess king queen lieutenant major commander marshal general colonel captain',
  'admiral brigadier sergeant corporal president premier chancellor ambassador deputy chairman director secretary congressman',
  'presidente presidenta ministro ministra ministre präsident präsidentin président generale',
  'member the sheikh shaikh mullah haji ayatollah imam mufti maulana mp pm министр президент премьер генерал полковник депутат сенатор губернатор',
  'د م أ.د الحاج الحاجة المرحوم المرحومة ورثة حضرة ד״ר עו״ד פרופ הרב גב',
  'السيد السيدة الشيخ الدكتور المهندس اللواء العقيد العميد الفريق الرئيس الوزير الأستاذ الاستاذ מר',
  'herr herrn familie eheleute rechtsanwalt rechtsanwältin notar notarin avvocato avocat abogado hrh master dear comandante',
  'гражданин гражданка гр директор гендиректор',
  'κ κα δρ πρόεδρος προεδρος υπουργός υπουργος πρωθυπουργός πρωθυπουργος στρατηγός στρατηγος պրն տկն ბ-ნი ქ-ნი',
  'shri smt sayın sayin dhr senhor senhora exmo exma sr ceo cfo mgr reverend father',
);
/** What stands before such a title, and the faculty behind "Dr.". */
const BEFORE_OFFICES = words(
  'prime vice former first deputy crown chief acting senior junior managing supreme генеральный lt maj brig gen med iur jur phil rer nat oec pol habil mult theol',
);
/** "Pres.", "Gov.", "Ing.": short forms, with a dot. */
export const SHORT_OFFICES =
  /(?<![\p{L}\p{M}\p{N}])(?:د|م|أ\.د|pres|gov|sen|min|amb|rep|lt|maj|cmdr|col|gen|brig|sgt|capt|ing|mag|lic|avv|dipl|fam|dott)\.(?=\s*\p{L}{2})/giu;
const COMMA = /[,،，]/u;
/** A run of signs is tried only from its beginning: tried from each of its signs, a long one costs a multiple. */
const EDGES = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]+$/gu;
/** A name without short forms, encodings and letters that stand for others. Most are so, and need no closer look. */
const PLAIN_NAME = /^[A-Za-z ,'-]*$/;
/** One place at the end of a name may be a family name. */
const MIN_PLACES = 2;
const MIN_BEFORE_PLACES = 3;
/** Words of "President of Venezuela". */
const OF = /^(?:of|de|del|von|der|du)$/i;
/** Words of "Minister of Defence" and "Member of Parliament". */
const REALMS = words('parliament defence defense finance interior justice state energy economy health');
/** A single word is nobody's whole name. */
const MIN_WORDS = 2;

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/**
 * The name of a person without titles of offices before it and without words of accounts: "Minister Anna Keller" and "Anna
 * Keller, EUR account" are Anna Keller. Undefined if it has none, or less than two words besides.
 */
export function withoutAdditions(name: string): string | undefined {
  if (PLAIN_NAME.test(name)) {
    const written = name.split(/[ ,]+/u);
    const mayEndInPlaces = written.length >= MIN_BEFORE_PLACES + MIN_PLACES && isPlace(written.at(-1) ?? '');
    if (!mayEndInPlaces && !written.some(isAddition)) return undefined;
  }
  const clean = cleanText(name);
  const segments = clean.replace(SHORT_OFFICES, ' ').split(COMMA);
  // "Minister Sheikh Keller" is not reduced to one word; "Keller, Minister Anna" keeps one in each segment.
  const kept = segments.length > 1 ? 1 : MIN_WORDS;
  const named = segments.map((segment) => nameOfSegment(segment, kept)).filter((segment) => segment !== '');
  const plain = named.join(', ');
  const left = splitWords(plain);
  const hasAdditions = left.length < splitWords(clean).length;
  return hasAdditions && left.filter((word) => !isPureTitle(word)).length >= MIN_WORDS ? plain : undefined;
}

/** Whether a text is a title alone, such as "King" and "Shaikh", which are also family names. */
export function isOffice(text: string): boolean {
  return isIn(OFFICES, text.trim());
}

function isAddition(word: string): boolean {
  return isIn(ACCOUNT_WORDS, word) || isIn(OFFICES, word);
}

function nameOfSegment(segment: string, kept: number): string {
  const given = segment.split(/\s+/u).filter((word) => word !== '' && !isIn(ACCOUNT_WORDS, word));
  const named = withoutAddressEnd(given);
  return named.slice(Math.min(officeLength(named), Math.max(0, named.length - kept))).join(' ');
}

/** The words before the places at the end: of "Anna Eva Keller Bern Switzerland" three. A shorter name keeps its last word. */
function withoutAddressEnd(given: readonly string[]): readonly string[] {
  const end = given.findLastIndex((word) => !isPlace(bare(word))) + 1;
  return given.length - end >= MIN_PLACES && end >= MIN_BEFORE_PLACES ? given.slice(0, end) : given;
}

/** The number of words of offices before a name. */
export function officeLength(given: readonly string[]): number {
  const isTitle = (word: string): boolean => isIn(OFFICES, word) || isPureTitle(bare(word));
  const found = given.findIndex((word) => !isTitle(word) && !isIn(BEFORE_OFFICES, word));
  const length = found < 0 ? given.length : found;
  return given.slice(0, length).some(isTitle) ? length + realmLength(given.slice(length)) : 0;
}

/** The number of words of "of Venezuela" after an office. */
function realmLength([of = '', realm = '']: readonly string[]): number {
  return OF.test(of) && (isPlace(bare(realm)) || isIn(REALMS, realm)) ? 2 : 0;
}

function isIn(known: ReadonlySet<string>, word: string): boolean {
  return known.has(bare(word));
}

function bare(word: string): string {
  return word.toLowerCase().replace(EDGES, '');
}
