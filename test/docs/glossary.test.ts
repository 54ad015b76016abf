import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../../api/endpoints.ts';
import { projectRoot } from '../../standalone/project-root.ts';

const PAGE = readFileSync(join(projectRoot, 'docs', 'glossary.md'), 'utf8');
const [, TABLE = ''] = PAGE.split('## Words that differ from the URLs\n');

test('every URL of the words that differ is one of the reference, or begins one', () => {
  const urls = [...TABLE.matchAll(/`(\/[^`]+)`/g)].map(([, url = '']) => url);
  const isKnown = (url: string) => endpoints.some(({ path }) => path === url || path.startsWith(`${url}/`));
  expect(urls.length).toBeGreaterThan(10);
  expect(urls.filter((url) => !isKnown(url))).toEqual([]);
});

test('every word of the code is the name of a room', () => {
  const words = [...TABLE.matchAll(/^\| `([\w-]+)`/gm)].map(([, word = '']) => word);
  const isRoom = (word: string) =>
    ['domain', 'db', 'api'].some((folder) => existsSync(join(projectRoot, folder, word)));
  expect(words.length).toBeGreaterThan(5);
  expect(words.filter((word) => !isRoom(word))).toEqual([]);
});
