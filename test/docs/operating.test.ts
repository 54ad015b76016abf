import { readFile } from 'node:fs/promises';
import { migrations } from '../../db/migrations/index.ts';

const numberOf = (name: string) => name.split('_')[1];

test('the guide for operators names every migration whose indexes are built while requests go on', async () => {
  const text = await readFile('docs/operating.md', 'utf8');
  const [, list = ''] = /The indexes of ([`\d,\sand]+) are built before/.exec(text) ?? [];
  const online = migrations
    .filter(({ migration }) => 'online' in migration)
    .map(({ name }) => numberOf(name));
  expect([...list.matchAll(/`(\d+)`/g)].map(([, number]) => number)).toEqual(online.toSorted());
});
