import { officeLength, SHORT_OFFICES } from './additions.ts';
import { splitWords } from './letters/fold-word.ts';
import { withoutTitles } from './titles.ts';

/** Forms of address that are nobody's name. */
const FORMS = new Set('sig sigra dhr mevr mevrouw doña smt rev'.split(' '));
/** Forms that are also names or initials, and those of the other one of a couple: they count only together. */
const PAIRS = [
  [['m'], ['mme', 'mlle', 'madame']],
  [
    ['don', 'd'],
    ['doña', 'dona', 'da'],
  ],
  [['pan'], ['pani']],
  [['hr'], ['fr']],
] as const;
/** Signs within and behind a form: "Sig.ra". */
const SIGNS = /[.,]+/gu;
/** "Sr. D. José" has two forms before the name. */
const MAX_FORMS = 2;

/**
 * Holders of one account without titles and forms of address before them, also where one word is left: of "Don José" and "Doña Eva
 * Keller" the given name José, and Eva Keller. One with titles such as "Mr." alone stays as it is, since every name is compared without these.
 */
export function withoutFormsOfAddress(holders: readonly string[]): string[] {
  const written = holders.map((holder) => holder.replace(SHORT_OFFICES, ' ').split(/\s+/u).filter(Boolean));
  const first = new Set(written.flatMap((words) => words.slice(0, MAX_FORMS).map(bare)));
  const paired = PAIRS.filter((pair) => pair.every((forms) => forms.some((form) => first.has(form))));
  const forms = new Set<string>([...FORMS, ...paired.flat(2)]);
  return written.map((words, place) => {
    const [holder = '', plain] = [holders[place], behindForms(words, forms).join(' ')];
    return comparedText(plain) === comparedText(holder) ? holder : plain;
  });
}

function behindForms(words: readonly string[], forms: ReadonlySet<string>): readonly string[] {
  const length = forms.has(bare(words[0] ?? '')) ? 1 : officeLength(words);
  const behind = words.slice(Math.min(length, words.length - 1));
  return behind.length < words.length ? behindForms(behind, forms) : words;
}

function comparedText(holder: string): string {
  return withoutTitles(splitWords(holder)).join(' ');
}

function bare(word: string): string {
  return word.toLowerCase().replace(SIGNS, '');
}
