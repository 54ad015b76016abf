import { splitWords } from './letters/fold-word.ts';
import { isTitle } from './person-words.ts';

/** Titles that are nobody's name; a name is compared without them. Titles that may be names are particles instead. */
const PURE_TITLES = new Set(
  (
    'mr mister mrs missis missus ms mx dr doctor doktor prof professor monsieur mme madame señor señora señorita ' +
    'senor senora senorita sra srta messrs miss mlle mademoiselle frau signor signora signorina dott dottor dottore dottssa phd господин госпожа доктор ' +
    'eheleute κύριος κυρία κύριε κυριος κυρια պարոն տիկին ბატონი ქალბატონი ' +
    'אדון גברת 先生 女士 小姐 太太 씨 님'
  ).split(' '),
);
/**
 * Suffixes that are left out after a comma ("Jr.", "MBA"). Without one, some of them are names: "Teodoro Mba". "Md" is
 * none of them, since it is also short for Mohammed.
 */
const COMMA_SUFFIXES = new Set(
  'jr sr snr esq esquire phd dphil mba msc bsc llm llb cpa cfa cbe obe mbe kbe kcmg ii iii iv'.split(' '),
);
/** Titles of several words, or of one with a hyphen or dot, that of a sole trader (ИП), and "son of". */
const PHRASES =
  /(?<![\p{L}\p{M}\p{N}])(?:г-н|г-жа|д-р|(?:his|her|your)\s+(?:royal\s+|imperial\s+)?(?:excellency|majesty|highness|grace|honou?r|eminence|holiness)|dr\.?\s*h\.?\s?c\.?|dipl\.?[\s-]*ing\.?|ph\.\s?d\.?|(?:mr|herr|sr)\.?\s+(?:and|und|y)(?=\s+(?:mrs|ms|miss|dr|frau|sra)(?!\p{L}))|[sd]\/o|(?:son|daughter)\s+of|(?:the\s+)?late(?=\s+\p{L})|comrade|товарищ|ип|фоп|(?:gen|col|maj|lt|capt|sgt|adm|rev|hon)\.)(?![\p{L}\p{M}\p{N}])/giu;
/** Initials without a space between them: "V.V." */
const GLUED_INITIALS = /(?<![\p{L}\p{M}])(?:\p{L}\.){2,}/gu;
const COMMA = /[,،،，]/u;

/**
 * The name of a person with the given name of "FAMILY, Given" first, because joined names are compared in order.
 * Titles of several words, and titles and suffixes between commas, are left out.
 */
export function givenNameFirst(text: string): string {
  const plain = text.replace(PHRASES, ' ');
  const named = splitWords(plain).length === 0 ? text : plain;
  if (!COMMA.test(named)) return named;
  const [family = '', ...given] = nameSegments(named);
  return [...given, family].join(' ');
}

/** Whether the word is a title that is nobody's name, such as "Mr". */
export function isPureTitle(word: string): boolean {
  return PURE_TITLES.has(word.toLowerCase());
}

/** The name with a space between initials. Letters of a degree such as "Ph.D." stay together. */
export function spacedInitials(text: string): string {
  return text.replace(GLUED_INITIALS, (initials) => {
    const letters = initials.replaceAll('.', '');
    return isTitle(letters.toLowerCase(), 'after') ? letters : initials.replaceAll('.', '. ');
  });
}

/** The words of a name without pure titles; all of them if it has nothing else. */
export function withoutTitles(words: string[]): string[] {
  const named = words.filter((word) => !isPureTitle(word));
  return named.length === 0 ? words : named;
}

/** What stands between commas, without titles and suffixes. A suffix after a single word is a given name. */
function nameSegments(text: string): string[] {
  const segments = text.split(COMMA).filter((segment) => splitWords(segment).length > 0);
  const untitled = segments.filter((segment) => !consistsOf(segment, PURE_TITLES));
  const named = untitled.filter((segment, place) => place === 0 || !consistsOf(segment, COMMA_SUFFIXES));
  if (splitWords(named.join(' ')).length >= 2) return named;
  return untitled.length > 0 ? untitled : segments;
}

function consistsOf(segment: string, titles: ReadonlySet<string>): boolean {
  return splitWords(segment).every((word) => titles.has(word.toLowerCase()));
}
