import { isOffice } from '../sanctions/additions.ts';
import { isFirm } from './firm-names.ts';
import { plainText } from './plain-text.ts';

/**
 * An "and" that is written without a blank: Arabic and Hebrew join it to the next word, Chinese and Japanese to both, or to one.
 */
const GLUED_AND =
  /(?<=\S\s)(?:و\p{M}{0,2}(?=\p{sc=Arabic}{2})|ו\p{M}{0,2}(?=\p{sc=Hebrew}{2}))|(?<=[\p{sc=Han}·・]{2}\s?|\p{sc=Han}\s\p{sc=Han})(?:以及|或者|和|與|与|及|跟|或)(?=\s?\p{sc=Han}{2}|\p{sc=Han}\s\p{sc=Han})|(?<=[\p{sc=Han}\p{sc=Katakana}ー]{2}\s?)(?:および|または|及び|と)(?=\s?[\p{sc=Han}\p{sc=Katakana}]{2}|\p{sc=Han}\s\p{sc=Han})/gu;
/** The letters of these words: most texts have none of them, and need no closer look. */
const MAY_HAVE = /[وו和與与及跟或とおま]/u;
/** What the patterns of joined holders know, in every script. */
const AND = '& ';
/** With more of them only the reading that takes all apart is compared: each costs one more. */
const MAX_CHOICES = 3;
/** The word that begins with the letter, as far as it is looked at: no name in the list is longer. */
const WORD = /^[\p{L}\p{M}'’"״׳-]+/u;
const MAX_WORD = 30;
/** More letters than three words have. */
const MAX_SIDE = 120;
const HAN_OR_KANA = /[\p{sc=Han}\p{sc=Hiragana}]/u;
const ARTICLE = /^ال/u;
const MARKS = /\p{M}/gu;
/** Names that begin with the letter, and are hardly somebody's without it. */
const OWN_LETTER = new Set(
  [
    'وليد وائل وسيم وحيد وحيدة وفاء وفيق وفيقة وجدي وجيه وداد وديع ورد وردة وهيب وهيبة وهبة وهبي وهب واصف واثق وضاح وصفي وزير',
    'وسام وريد وفائي وثاق وصاف ولاء وسن وعد وئام وقاص ولي والي وليم وليام ويليام ويلسون وانغ وانج وارن ونغ والتر والاس',
    'وهدان ونوس وردان ورداني ونيس واكد وكيل ولد ولدة وهاب وادي واعظ وطفة وطفي وقار ونسة وهبان وصيف وجدان وسيلة وجيهة',
    'וייס ווייס וקנין וינברג וולף וגנר וינר וקסמן ורטהיים וסרמן וולך וינשטיין וייסמן וולקוב ויצמן ויזל ורדי',
    'ולדימיר ויקטור ויקטוריה ולרי ולריה ולנטין ולנטינה ויטלי וסילי ורה ורוניקה ורד ורדה ודים ולדיסלב וליד ויליאם ויויאן ולטר',
  ].flatMap((line) => line.split(' ')),
);

/**
 * The text with such words taken apart, in every way that is likely: the letter may be that of the name itself, as in Walid and
 * Vladimir, and 和 is also a part of given names. So they are readings beside the name as it is written: with all of them apart, and
 * with all but one. Empty if there is none.
 */
export function joinsApart(written: string): string[] {
  // Letters may be written as signs of their own forms, or encoded.
  const text = plainText(written);
  if (!MAY_HAVE.test(text)) return [];
  const found = [...text.matchAll(GLUED_AND)];
  if (found.length === 0) return [];
  const isOfFirm = isFirm(text);
  const likely = found.filter((join) => isLikely(text, join, isOfFirm));
  const joins = withHolders(text, likely);
  if (joins.length === 0) return [];
  // A firm has several of them, of what it does: each reading more would take places from the names of the subject.
  const kept = !isOfFirm && joins.length > 1 && joins.length <= MAX_CHOICES ? joins : [];
  return [undefined, ...kept].map((one) =>
    apartAt(
      text,
      joins.filter((join) => join !== one),
    ),
  );
}

function apartAt(text: string, joins: readonly RegExpExecArray[]): string {
  const starts = [0, ...joins.map((join) => join.index + join[0].length)];
  return starts.map((start, place) => text.slice(start, joins[place]?.index)).join(AND);
}

/**
 * The joins with two words on both sides, or a given name before three: the last of three words that begins with the letter of "and" is
 * mostly a family name, and the second of three that of the father. Each side ends at the next join of these. Names in Han have no words.
 */
function withHolders(text: string, joins: readonly RegExpExecArray[]): RegExpExecArray[] {
  const behind: RegExpExecArray[] = [];
  for (const join of joins.toReversed())
    if (isOfHan(join) || wordsFrom(text, endOf(join), behind.at(-1)?.index) >= 2) behind.push(join);
  behind.reverse();
  const kept: RegExpExecArray[] = [];
  for (const [place, join] of behind.entries())
    if (isOfHan(join) || isBetween(text, { last: kept.at(-1), join, next: behind[place + 1] }))
      kept.push(join);
  return kept;
}

interface JoinAmong {
  last: RegExpExecArray | undefined;
  join: RegExpExecArray;
  next: RegExpExecArray | undefined;
}

function isBetween(text: string, { last, join, next }: JoinAmong): boolean {
  const left = wordsFrom(text, Math.max(endOf(last), join.index - MAX_SIDE), join.index);
  return left >= 2 || (left === 1 && wordsFrom(text, endOf(join), next?.index) >= 3);
}

function isOfHan([and]: RegExpExecArray): boolean {
  return HAN_OR_KANA.test(and);
}

function endOf(join: RegExpExecArray | undefined): number {
  return join ? join.index + join[0].length : 0;
}

/** The words of a side; of a long one only those of its first letters are looked at. */
function wordsFrom(text: string, start: number, end = text.length): number {
  return text
    .slice(start, Math.min(end, start + MAX_SIDE))
    .split(/\s+/u)
    .filter(Boolean).length;
}

/** Whether another name may begin there. Within the name of a firm an article follows the "and" of "the oil and the gas". */
function isLikely(text: string, { 0: and, index }: RegExpExecArray, isOfFirm: boolean): boolean {
  const word = WORD.exec(text.slice(index, index + MAX_WORD))?.[0].replace(MARKS, '') ?? '';
  if (OWN_LETTER.has(word)) return false;
  const next = word.slice(and.replace(MARKS, '').length);
  return !isOfFirm || !ARTICLE.test(next) || isOffice(next);
}
