import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../../standalone/project-root.ts';

type Manifest = Record<string, { file: string; isEntry?: boolean; imports?: string[] }>;

const folderOf = (page: string) => join(projectRoot, 'dist', 'web', page);
const packedSize = (path: string) => gzipSync(readFileSync(path)).length;

/** Bytes of JavaScript, compressed, that a browser loads before the page shows something. */
function firstLoad(page: string): number {
  const manifest = JSON.parse(readFileSync(join(folderOf(page), 'manifest.json'), 'utf8')) as Manifest;
  const wanted = new Set(Object.keys(manifest).filter((name) => manifest[name]?.isEntry));
  for (const name of wanted) for (const one of manifest[name]?.imports ?? []) wanted.add(one);
  const files = [...wanted].map((name) => manifest[name]?.file ?? '');
  return files.reduce((sum, file) => sum + packedSize(join(folderOf(page), file)), 0);
}

/** Bytes of all its JavaScript, compressed: with every language and what is loaded on demand. */
function whole(page: string): number {
  const assets = join(folderOf(page), 'assets');
  const scripts = readdirSync(assets).filter((file) => file.endsWith('.js'));
  return scripts.reduce((sum, file) => sum + packedSize(join(assets, file)), 0);
}

test('the hosted page is at most 60 kB of JavaScript, all languages together', () => {
  expect(whole('hosted')).toBeGreaterThan(1000);
  expect(whole('hosted')).toBeLessThanOrEqual(60_000);
});

test('the console is at most 180 kB of JavaScript for its first page', () => {
  expect(firstLoad('console')).toBeGreaterThan(1000);
  expect(firstLoad('console')).toBeLessThanOrEqual(180_000);
});
