import { en, type Words } from './words/en.ts';

export type WordKey = keyof Words;
/** A text with its places filled, such as `{name}`. */
export type Say = (key: WordKey, values?: Readonly<Record<string, string | number>>) => string;

interface LanguageChoice {
  name: string;
  direction: 'ltr' | 'rtl';
  load: () => Promise<Words>;
}

/** A further language is a file beside the others and a line here. */
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr', load: async () => await Promise.resolve(en) },
  de: { name: 'Deutsch', direction: 'ltr', load: async () => (await import('./words/de.ts')).de },
  es: { name: 'Español', direction: 'ltr', load: async () => (await import('./words/es.ts')).es },
  fr: { name: 'Français', direction: 'ltr', load: async () => (await import('./words/fr.ts')).fr },
  it: { name: 'Italiano', direction: 'ltr', load: async () => (await import('./words/it.ts')).it },
} as const satisfies Record<string, LanguageChoice>;
export type Language = keyof typeof LANGUAGES;

/** The first language that the page has, of those wanted; English else. */
export function chooseLanguage(wanted: readonly (string | null)[]): Language {
  const known = wanted.map((one) => one?.toLowerCase().split('-')[0] ?? '').find(isLanguage);
  return known ?? 'en';
}

function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code);
}

export function sayIn(words: Words): Say {
  return (key, values = {}) =>
    words[key].replaceAll(/\{(\w+)\}/g, (_place, name: string) => String(values[name] ?? ''));
}
