import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledRow, fromBundledRow } from '../../domain/labels/bundled-row.ts';
import { tagType } from '../../readers/labels/tag-types.ts';
import { convertLabels } from '../../standalone/convert-labels.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-packs-'));
  await mkdir(join(folder, 'packs', 'more'), { recursive: true });
});
afterAll(async () => await rm(folder, { recursive: true }));

const hex = (n: number) => `0x${String(n).repeat(40)}`;
const tag = (n: number, label: string, more = '') =>
  `- address: '${hex(n)}'\n  label: ${label}\n  currency: ETH\n${more}`;

test('labels are made of packs that may be passed on, each once by the surest, in a stable order', async () => {
  const head = 'category: exchange\nlastmod: 2023-01-01\nconfidence: forensic\n';
  const actors = 'actors:\n- id: acme\n  label: Acme Exchange\n';
  await writeFile(join(folder, 'graphsense.actorpack.yaml'), actors);
  await writeFile(
    join(folder, 'packs', 'good.yaml'),
    `${head}tags:\n${tag(3, 'Three', '  actor: acme\n')}${tag(2, 'Two', '  source: https://etherscan.io/labelcloud\n')}${tag(4, '2GT_token')}${tag(5, 'Five').replace('ETH', 'BTC')}`,
  );
  await writeFile(
    join(folder, 'packs', 'more', 'again.yaml'),
    `${head}tags:\n${tag(3, 'Other words', '  actor: acme\n  confidence: service_data\n')}${tag(1, 'One')}`,
  );
  await writeFile(join(folder, 'packs', 'etherscan-cloud.yaml'), `${head}tags:\n${tag(6, 'Six')}`);
  await writeFile(join(folder, 'packs', 'walletexplorer.yaml'), `${head}tags:\n${tag(7, 'Seven')}`);
  const { labels, ...counts } = await convertLabels(folder);
  expect(counts).toEqual({ packs: 2, crawled: 1, unusable: 1, faulty: 1, repeated: 1 });
  expect(
    labels.map(({ addressKey, label, entityName, confidence }) => [
      addressKey,
      label,
      entityName,
      confidence,
    ]),
  ).toEqual([
    [hex(1), 'One', null, 85],
    [hex(3), 'Other words', 'Acme Exchange', 100],
  ]);
  for (const label of labels) expect(fromBundledRow(bundledRow(label))).toEqual(label);
});

test.each([
  ['x', 'exchange', 'phishing', 'phishing'],
  ['x', 'coinjoin', null, 'mixing_service'],
  ['x', 'defi_dex', null, 'dex'],
  ['x', 'miner', null, 'mining_pool'],
  ['Asset listed under US Treasury OFAC Sanctions List', 'user', null, 'sanction_list'],
  ['Lazarus group', null, null, 'sanction_list'],
  ['somebody', 'user', null, undefined],
  ['x', 'toString', '__proto__', undefined],
])('a tag "%s" of category %s and abuse %s is of type %s', (label, category, abuse, type) => {
  expect(tagType(label, category, abuse)).toBe(type);
});
