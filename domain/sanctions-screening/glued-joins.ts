import { isOffice } from '../sanctions/additions.ts';
import { splitWords } from '../sanctions/letters/fold-word.ts';
import { isFirm } from './firm-names.ts';
import { plainText } from './plain-text.ts';

/**
 * The beginning of the next name behind the letter: two letters, also with a vowel sign between them, or a short title ("د.", 'ד"ר').
 * Hebrew letters with a geresh have become Arabic ones in a plain text.
 */
const ARABIC_NAME = String.raw`(?=\p{sc=Arabic}\p{M}{0,3}[\p{sc=Arabic}.])`;
const HEBREW_NAME = String.raw`(?=[\p{sc=Hebrew}جچژ]\p{M}{0,3}[\p{sc=Hebrew}جچژ"'’])`;
/** The beginning of a name in Han, also with a blank behind the family name. */
const HAN_NAME = String.raw`(?=\s?\p{sc=Han}{2}|\p{sc=Han}\s\p{sc=Han})`;
const KANA_NAME = String.raw`(?=\s?[\p{sc=Han}\p{sc=Katakana}][\p{sc=Han}\p{sc=Katakana}ー]|\p{sc=Han}\s\p{sc=Han})`;

/**
 * An "and" that is written without a blank: Arabic and Hebrew join it to the next word, Chinese and Japanese to both, or to one.
 * Behind a given name in Hiragana it is one only before a whole name in Han: its sign is a part of many words.
 */
const GLUED_AND = new RegExp(
  [
    String.raw`(?<=\S\s)(?:و\p{M}{0,2}${ARABIC_NAME}|ו\p{M}{0,2}${HEBREW_NAME})`,
    String.raw`(?<=[\p{sc=Han}·・]{2}\s?|\p{sc=Han}\s\p{sc=Han})(?:以及|或者|和|與|与|及|跟|或)${HAN_NAME}`,
    String.raw`(?<=[\p{sc=Han}\p{sc=Katakana}ー]{2}\s?)(?:および|または|及び|と)${KANA_NAME}`,
    String.raw`(?<=\p{sc=Han}\p{sc=Hiragana}{2,4}\s?)と(?=\s?\p{sc=Han}{3,5}(?!\p{sc=Han}))`,
  ].join('|'),
  'gu',
);
/** The letters of these words: most texts have none of them, and need no closer look. */
const MAY_HAVE = /[وו和與与及跟或とおま]/u;
/** What the patterns of joined holders know, in every script. */
const AND = '& ';
/** The word that begins with the letter, as far as it is looked at: no name in the list is longer. */
const WORD = /^[\p{L}\p{M}'’"״׳]+/u;
const MAX_WORD = 30;
/** More letters than three words have. */
const MAX_SIDE = 120;
const HAN_OR_KANA = /[\p{sc=Han}\p{sc=Hiragana}]/u;
const ARTICLE = /^ال/u;
const MARKS = /\p{M}/gu;
const ALEF_WITH_SIGN = /[أإآ]/gu;
const QUOTES = /['’"״׳]/gu;
/** Names that begin with the letter, and are hardly somebody's without it. */
const OWN_LETTER = new Set(
  [
    'وليد وائل وسيم وحيد وحيدة وفاء وفيق وفيقة وجدي وجيه وداد وديع ورد وردة وهيب وهيبة وهبة وهبي وهب واصف واثق وضاح وصفي وزير',
    'وسام وريد وفائي وثاق وصاف ولاء وسن وعد وئام وقاص ولي والي وليم وليام ويليام ويلسون وانغ وانج وارن ونغ والتر والاس',
    'وهدان ونوس وردان ورداني ونيس واكد وكيل ولد ولدة وهاب وادي واعظ وطفة وطفي وقار ونسة وهبان وصيف وجدان وسيلة وجيهة',
    'וייס ווייס וקנין וינברג וולף וגנר וינר וקסמן ורטהיים וסרמן וולך וינשטיין וייסמן וולקוב ויצמן ויזל ורדי',
    'וجדי וجיה ולדימיר ויקטור ויקטוריה ולרי ולריה ולנטין ולנטינה ויטלי וסילי ורה ורוניקה ורד ורדה ודים ולדיסלב וליד ויליאם ויויאן ולטר',
  ].flatMap((line) => line.split(' ')),
);

/** Whom the letter joins as a single word: son, children, wife, brothers, family, partners, heirs, others. */
const OTHERS = new Set(
  [
    'ابنه ابنها ابنته ابنتها ابناؤه ابناؤها ابنائه ابنائها ابناءه بناته اولاده اولادها اولادهم اولادهما زوجته زوجاته زوجه زوجها حرمه',
    'اخوه اخيه اخته اخوته اخوانه اخواته والده والدته عائلته عائلتها اسرته ورثته ورثتها شركاه شركاؤه شركاؤهم شركائه شركاءه شريكه شريكته',
    'غيره غيرهم اخرون اخرين',
    'אשתו רעייתו בעלה בנו בנה בתו בניו בניה בנותיו ילדיו ילדיה אחיו אחיה אחותו אחים אביו אמו משפחתו שותפו שותפיו שותפים שות יורשיו אחרים',
  ].flatMap((line) => line.split(' ')),
);

/**
 * The text with such words taken apart, in every way that is likely: the letter may be that of the name itself, as in Walid and
 * Vladimir, and 和 is also a part of given names. So they are readings beside the name as it is written. Empty if there is none.
 */
export function joinsApart(written: string): string[] {
  // Letters may be written as signs of their own forms, or encoded.
  const text = plainText(written);
  if (!MAY_HAVE.test(text)) return [];
  const found = [...text.matchAll(GLUED_AND)];
  if (found.length === 0) return [];
  const isOfFirm = isFirm(text);
  const likely = found.filter((join) => isLikely(text, join, isOfFirm));
  const ways = [holdersFromBehind(text, likely), holdersFromStart(text, likely)];
  return [...new Set(ways.flatMap((joins) => readingsOf(text, joins, isOfFirm)))];
}

/**
 * All apart, and every second one left together: any two neighbours are one name in one of these, however many there are. A firm has
 * several words with "and" of what it does: each reading more would take places from the names of the subject.
 */
function readingsOf(text: string, joins: readonly RegExpExecArray[], isOfFirm: boolean): string[] {
  if (joins.length === 0) return [];
  const half = (rest: number) =>
    apartAt(
      text,
      joins.filter((_, place) => place % 2 === rest),
    );
  const halves = isOfFirm || joins.length === 1 ? [] : [half(0), half(1)];
  return [apartAt(text, joins), ...halves];
}

function apartAt(text: string, joins: readonly RegExpExecArray[]): string {
  const starts = [0, ...joins.map(endOf)];
  return starts.map((start, place) => text.slice(start, joins[place]?.index)).join(AND);
}

/**
 * The joins with two words on both sides, or a given name before three: the last of three words that begins with the letter of "and" is
 * mostly a family name, and the second of three that of the father. Each side ends at the next join of these, beginning with the last
 * one: of two that are too near to each other the later one counts. Names in Han have no words.
 */
function holdersFromBehind(text: string, joins: readonly RegExpExecArray[]): RegExpExecArray[] {
  const behind: RegExpExecArray[] = [];
  for (const join of joins.toReversed())
    if (isSure(text, join) || wordsFrom(text, endOf(join), behind.at(-1)?.index) >= 2) behind.push(join);
  behind.reverse();
  const kept: RegExpExecArray[] = [];
  for (const [place, join] of behind.entries())
    if (isBetween(text, { last: kept.at(-1), join, next: behind[place + 1] })) kept.push(join);
  return kept;
}

/** The same beginning with the first one: of two that are too near to each other the earlier one counts. */
function holdersFromStart(text: string, joins: readonly RegExpExecArray[]): RegExpExecArray[] {
  const kept: RegExpExecArray[] = [];
  for (const join of joins) {
    const hasName = isSure(text, join) || wordsFrom(text, endOf(join)) >= 2;
    if (hasName && isBetween(text, { last: kept.at(-1), join })) kept.push(join);
  }
  return kept;
}

interface JoinAmong {
  last: RegExpExecArray | undefined;
  join: RegExpExecArray;
  /** Where the words behind it end; undefined for the end of the text. */
  next?: RegExpExecArray | undefined;
}

function isBetween(text: string, { last, join, next }: JoinAmong): boolean {
  if (isOfHan(join)) return true;
  const left = wordsFrom(text, Math.max(endOf(last), join.index - MAX_SIDE), join.index);
  if (left !== 1) return left >= 2;
  return isOfOthers(text, last) || wordsFrom(text, endOf(join), next?.index) >= 3;
}

/** Whether what stands behind the join needs no second word. */
function isSure(text: string, join: RegExpExecArray): boolean {
  return isOfHan(join) || isOfOthers(text, join);
}

function isOfOthers(text: string, join: RegExpExecArray | undefined): boolean {
  if (!join) return false;
  const next = inArabicLetters(nextWord(text, join));
  return OTHERS.has(next.replace(ALEF_WITH_SIGN, 'ا').replace(QUOTES, ''));
}

function isOfHan([and]: RegExpExecArray): boolean {
  return HAN_OR_KANA.test(and);
}

function endOf(join: RegExpExecArray | undefined): number {
  return join ? join.index + join[0].length : 0;
}

/** The words of a side; of a long one only those of its first letters are looked at. */
function wordsFrom(text: string, start: number, end = text.length): number {
  return splitWords(text.slice(start, Math.min(end, start + MAX_SIDE))).length;
}

/** Whether another name may begin there. Within the name of a firm an article follows the "and" of "the oil and the gas". */
function isLikely(text: string, join: RegExpExecArray, isOfFirm: boolean): boolean {
  if (OWN_LETTER.has(inArabicLetters(wordAt(text, join.index)))) return false;
  if (!isOfFirm) return true;
  const next = nextWord(text, join);
  return !ARTICLE.test(next) || isOffice(next);
}

function nextWord(text: string, join: RegExpExecArray): string {
  return wordAt(text, endOf(join));
}

/** The word that begins there, without vowel signs. */
function wordAt(text: string, start: number): string {
  return WORD.exec(text.slice(start, start + MAX_WORD))?.[0].replace(MARKS, '') ?? '';
}

/** The word with the letters of Arabic where Persian and Urdu write others. */
function inArabicLetters(word: string): string {
  return word.replaceAll('ی', 'ي').replaceAll('ک', 'ك');
}
