import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../standalone/project-root.ts';

const folder = join(projectRoot, 'web', 'hosted', 'words');
const languages = readdirSync(folder).map((file) => file.replace('.ts', ''));

/** The catalogue of a language, read from the text of its file: the page is built by Vite, so no test can import it. */
function wordsOf(language: string): Record<string, string> {
  const source = readFileSync(join(folder, `${language}.ts`), 'utf8');
  const entries = [...source.matchAll(/^ {2}(\w+):\s+(['"])(.*)\2,$/gm)];
  // Nothing stands in the literal that this does not read.
  expect(source.split(/,\n/).length - 1).toBe(entries.length);
  return Object.fromEntries(entries.map(([, key = '', , text = '']) => [key, text]));
}

const english = wordsOf('en');
const placesIn = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

test('the page speaks English, German, French, Spanish and Italian', () => {
  expect(languages).toEqual(expect.arrayContaining(['en', 'de', 'fr', 'es', 'it']));
  const choices = readFileSync(join(projectRoot, 'web', 'hosted', 'language.ts'), 'utf8');
  for (const language of languages) expect(choices).toMatch(new RegExp(`^ {2}${language}: \\{`, 'm'));
});

describe.each(languages)('%s', (language) => {
  const words = wordsOf(language);

  test('has every text, with the same places in it, and no other', () => {
    expect(Object.keys(words)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(words)) {
      expect([key, text.trim() === text && text !== '']).toEqual([key, true]);
      expect([key, placesIn(text)]).toEqual([key, placesIn(english[key])]);
    }
  });

  test('is translated', () => {
    const same = Object.keys(words).filter((key) => words[key] === english[key]);
    // Some short words are the same in two languages.
    if (language !== 'en') expect(same.length).toBeLessThan(8);
  });
});

test('every text is used', () => {
  const sources = readdirSync(join(projectRoot, 'web', 'hosted'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('words'))
    .map((file) => readFileSync(join(projectRoot, 'web', 'hosted', file), 'utf8'))
    .join('\n');
  expect(Object.keys(english).filter((key) => !sources.includes(`'${key}'`))).toEqual([]);
});
