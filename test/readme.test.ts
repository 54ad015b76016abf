import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../standalone/project-root.ts';
import { README, storyOfReadme } from './readme-story.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const { version, scripts } = JSON.parse(read('package.json')) as {
  version: string;
  scripts: Record<string, string>;
};

/** The folders of the project that are under version control. */
function folders(): string[] {
  const ignored = read('.gitignore')
    .split('\n')
    .filter((line) => line.endsWith('/'))
    .map((line) => line.slice(0, -1));
  return readdirSync(projectRoot, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !ignored.includes(entry.name))
    .map(({ name }) => name);
}

test('the README has room on two screens, and the two commands', () => {
  expect(README.split('\n').length).toBeLessThanOrEqual(120);
  const [, commands = ''] = README.split('## The two commands\n');
  expect([...commands.matchAll(/^npm (\w+)/gm)].slice(0, 2).map(([, name]) => name)).toEqual([
    'start',
    'test',
  ]);
});

test('the map of the house names every folder, and no other', () => {
  const rows = [...read('docs/house.md').matchAll(/^\| `([\w-]+)(?:\/[\w-]+)*\/` +\|/gm)];
  expect(rows.map(([, name]) => name).toSorted()).toEqual(folders().toSorted());
});

test('the README leads to every page', () => {
  const pages = readdirSync(join(projectRoot, 'docs')).filter((file) => file.endsWith('.md'));
  const linked = [...README.matchAll(/\]\(docs\/([\w-]+\.md)\)/g)].map(([, page]) => page);
  // The report of the name matcher belongs to behaviour.md, which links it.
  expect([...new Set(linked), 'sanctions-quality.md'].toSorted()).toEqual(pages.toSorted());
});

test('every npm command that the documents name exists', () => {
  const documents = ['README.md', 'CHANGELOG.md', 'SECURITY.md'];
  const pages = readdirSync(join(projectRoot, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  const named = [...documents, ...pages].flatMap((file) =>
    [...read(file).matchAll(/npm (?:run(?: -s)? )([\w:-]+)/g)].map(([, name = '']) => name),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('the story is for any shell that is like sh, and has no comment: an interactive zsh would run it', () => {
  const story = storyOfReadme();
  expect(story).toHaveLength(6);
  const checked = spawnSync('sh', ['-n'], { input: story.join('\n'), encoding: 'utf8' });
  expect([checked.status, checked.stderr]).toEqual([0, '']);
  expect(
    story
      .join('\n')
      .split('\n')
      .filter((line) => /(?:^|\s)#/.test(line)),
  ).toEqual([]);
  // Neither jq, which many machines lack, nor names that mean something to zsh.
  expect(story.join('\n')).not.toMatch(/\bjq\b|\b(?:path|status|argv)=/);
});

test('all name one version', () => {
  const [, newest] = /^## \[(\d[\w.]*)\]/m.exec(read('CHANGELOG.md')) ?? [];
  const [, reference] = /PRODUCT_VERSION = '([\w.]+)'/.exec(read('domain/product-version.ts')) ?? [];
  const [, example] = /^WAYBILL_VERSION=(.*)$/m.exec(read('deploy/.env.example')) ?? [];
  const [, compose] = /WAYBILL_VERSION:-([\w.]+)/.exec(read('docker-compose.yml')) ?? [];
  expect({ newest, reference, example, compose }).toEqual({
    newest: version,
    reference: version,
    example: version,
    compose: version,
  });
});

test('README, changelog and security page link to what exists', () => {
  for (const document of ['README.md', 'CHANGELOG.md', 'SECURITY.md']) {
    const links = [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link);
    expect([document, links.filter((link) => !existsSync(join(projectRoot, link)))]).toEqual([document, []]);
  }
});
