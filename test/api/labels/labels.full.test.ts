import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { findLabels } from '../../../db/labels/find-labels.ts';
import { dropAbandonedImports } from '../../../db/labels/label-imports.ts';
import { loadBundledLabels } from '../../../db/labels/load-bundled-labels.ts';
import { bundledRow } from '../../../domain/labels/bundled-row.ts';
import type { NewLabel } from '../../../domain/labels/label.ts';
import type { LabelImport, LabelSource } from '../../../domain/labels/schema.ts';
import type { Json } from '../../api-client.ts';
import { form, FORM_TYPE } from '../../factories/csv.ts';
import { createTenant } from '../../factories/tenant.ts';
import { useApi } from '../../use-api.ts';

const ROWS = 100_000;

const { api, database } = useApi();

const hex = (n: number) => `0x${n.toString(16).padStart(40, '1')}`;
const HEAD = 'address,label,type,blockchain,entity,confidence,lastModified\n';

async function send(content: string | Buffer, options: { name?: string; source?: string | null } = {}) {
  const { name = 'labels.csv', source = 'mine' } = options;
  const parts: [string, string | Buffer, string?][] = [['file', content, name]];
  if (source !== null) parts.push(['source', source]);
  const answer = await api.request<LabelImport & { code?: string; errors?: Json[] }>(
    'POST',
    '/operator/labels',
    {
      operatorKey: api.operatorKey,
      headers: FORM_TYPE,
      body: form(parts),
    },
  );
  return answer;
}
const sources = async () =>
  (await api.request<LabelSource[]>('GET', '/operator/labels', { operatorKey: api.operatorKey })).body;
const remove = async (source: string) =>
  await api.request('DELETE', `/operator/labels/${source}`, { operatorKey: api.operatorKey });
const labelsOf = async (...addresses: string[]) => await findLabels(database.pool, addresses);
const stored = async () =>
  (
    await database.pool.query<{ labels: string; imports: string }>(
      'select (select count(*) from labels)::text as labels, (select count(*) from label_imports)::text as imports',
    )
  ).rows[0];

describe('POST /operator/labels', () => {
  test('201: takes the place of what the source had, and only of that', async () => {
    expect(
      await send(`${HEAD}${hex(1)},Cold wallet,exchange,Ethereum,acme,service_data,2024-02-29\n`),
    ).toMatchObject({
      status: 201,
      body: { source: 'mine', isBundled: false, version: null, labels: 1, repeated: 0, unusable: 0 },
    });
    await send(`${HEAD}${hex(2)},Tumbler,mixing_service,,,,\n`, { source: 'other' });
    await send(`${HEAD}${hex(3)},Hot wallet,exchange,ETH,acme,90,\n`);
    const found = await labelsOf(hex(1), hex(2), hex(3).toUpperCase().replace('0X', '0x'));
    expect([...found]).toEqual([
      [
        hex(2),
        [
          expect.objectContaining({
            label: 'Tumbler',
            type: 'mixing_service',
            blockchain: null,
            confidence: 50,
            source: 'other',
          }),
        ],
      ],
      [
        hex(3).toUpperCase().replace('0X', '0x'),
        [
          expect.objectContaining({
            label: 'Hot wallet',
            entityId: 'acme',
            blockchain: 'Ethereum',
            confidence: 90,
            source: 'mine',
          }),
        ],
      ],
    ]);
    expect(await sources()).toMatchObject([
      { source: 'mine', labels: 1 },
      { source: 'other', labels: 1 },
    ]);
    expect(await stored()).toEqual({ labels: '2', imports: '2' });
  });

  test('201: a TagPack, whose head fills what its tags leave out', async () => {
    const pack = [
      'title: Some pack',
      'category: exchange',
      'currency: BTC',
      'confidence: forensic',
      'lastmod: 2023-01-02',
      'actor: acme',
      'tags:',
      '- address: 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      '  label: >-',
      '    Acme',
      '    cold',
      `- {address: ${hex(4)}, label: Acme hack, abuse: service_hack, currency: ETH}`,
      '- address: bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
      '  label: ACME_token',
      '',
    ].join('\r\n');
    expect(await send(pack, { name: 'acme.YAML', source: 'packs' })).toMatchObject({
      status: 201,
      body: { labels: 2, unusable: 1, version: 'tag-types-1' },
    });
    expect([...(await labelsOf('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', hex(4))).values()]).toMatchObject([
      [
        {
          label: 'Acme cold',
          type: 'exchange',
          entityId: 'acme',
          confidence: 85,
          lastModified: '2023-01-02',
        },
      ],
      [{ label: 'Acme hack', type: 'hack', blockchain: 'Ethereum' }],
    ]);
    expect((await remove('packs')).status).toBe(204);
  });

  test('201: says what it left out: repeats, contracts of tokens, addresses of nobody', async () => {
    const rows = [
      `${hex(5)},One,exchange,,,,`,
      `${hex(5).replace('1', '1')},One,exchange,Ethereum,,,`,
      `${hex(6)},2GT_token,exchange,,,,`,
      `${hex(7)},Some Token,token,,,,`,
      `0x${'0'.repeat(40)},Burned,exchange,,,,`,
    ].join('\n');
    expect((await send(HEAD + rows, { source: 'cleaned' })).body).toMatchObject({
      labels: 2,
      repeated: 1,
      unusable: 2,
    });
    await remove('cleaned');
  });

  test(`${ROWS} rows are in within seconds, and are found by an index`, async () => {
    const rows = Array.from(
      { length: ROWS },
      (_, n) => `${hex(1_000_000 + n)},Wallet ${n},exchange,Ethereum,acme,80,`,
    );
    const statements = jest.spyOn(pg.Client.prototype, 'query');
    expect((await send(HEAD + rows.join('\n'), { source: 'large' })).body).toMatchObject({ labels: ROWS });
    // Row by row it would be minutes.
    expect(statements.mock.calls.length).toBeLessThan(ROWS / 100);
    statements.mockRestore();
    await database.pool.query('analyze labels');
    const { rows: plan } = await database.pool.query<{ 'QUERY PLAN': string }>(
      `explain select i.source from labels l join label_imports i on i.id = l.import_id
       where l.address_key = '${hex(1_000_777)}' and i.is_active`,
    );
    expect(JSON.stringify(plan)).toContain('labels_address');
    expect(JSON.stringify(plan)).not.toContain('Seq Scan on labels');
    expect((await labelsOf(hex(1_000_777))).size).toBe(1);
    expect((await remove('large')).status).toBe(204);
    expect((await labelsOf(hex(1_000_777))).size).toBe(0);
  });

  test.each<[what: string, content: string | Buffer, name: string, code: string, error: Json]>([
    ['nothing but a header', HEAD, 'a.csv', 'csv_invalid', { code: 'labels_missing' }],
    ['an empty file', '', 'a.csv', 'csv_invalid', { code: 'header_missing', row: null }],
    [
      'a header that lacks a column',
      'address,label\n',
      'a.csv',
      'csv_invalid',
      { code: 'column_missing', row: 1 },
    ],
    ['an unknown column', `colour,${HEAD}`, 'a.csv', 'csv_invalid', { code: 'column_unknown', row: 1 }],
    ['a column twice', 'address,label,type,Type\n', 'a.csv', 'csv_invalid', { code: 'column_repeated' }],
    [
      'an unknown type',
      `${HEAD}${hex(8)},X,bakery,,,,`,
      'a.csv',
      'csv_invalid',
      { code: 'type_unknown', row: 2, field: 'type' },
    ],
    ['no address', `${HEAD},X,exchange,,,,`, 'a.csv', 'csv_invalid', { code: 'required', field: 'address' }],
    [
      'an address of another chain',
      `${HEAD}${hex(8)},X,exchange,BTC,,,`,
      'a.csv',
      'csv_invalid',
      { code: 'address_invalid' },
    ],
    [
      'an address with spaces',
      `${HEAD}a b,X,exchange,,,,`,
      'a.csv',
      'csv_invalid',
      { code: 'address_invalid' },
    ],
    [
      'a confidence of 101',
      `${HEAD}${hex(8)},X,exchange,,,101,`,
      'a.csv',
      'csv_invalid',
      { code: 'confidence_invalid', field: 'confidence' },
    ],
    [
      'a day that is none',
      `${HEAD}${hex(8)},X,exchange,,,,2023-02-30`,
      'a.csv',
      'csv_invalid',
      { code: 'date_invalid' },
    ],
    [
      'a month that is none',
      `${HEAD}${hex(8)},X,exchange,,,,2023-13-01`,
      'a.csv',
      'csv_invalid',
      { code: 'date_invalid' },
    ],
    [
      'NUL',
      `${HEAD}${hex(8)},X\0Y,exchange,,,,`,
      'a.csv',
      'csv_invalid',
      { code: 'invalid_characters', field: 'label' },
    ],
    [
      'a label without end',
      `${HEAD}${hex(8)},${'x'.repeat(300)},exchange,,,,`,
      'a.csv',
      'csv_invalid',
      { code: 'too_long' },
    ],
    [
      'a row that is too short',
      `${HEAD}${hex(8)},X`,
      'a.csv',
      'csv_invalid',
      { code: 'column_count', row: 2 },
    ],
    ['an open quote', `${HEAD}"${hex(8)},X,exchange`, 'a.csv', 'csv_invalid', { code: 'csv_malformed' }],
    [
      'a row of megabytes',
      `${HEAD}"${'x'.repeat(2_000_000)}`,
      'a.csv',
      'csv_invalid',
      { code: 'csv_malformed' },
    ],
    ['random bytes', randomBytes(5_000), 'a.csv', 'csv_invalid', { code: 'encoding_invalid' }],
    ['a TagPack without tags', 'title: X\n', 'a.yaml', 'validation_failed', { code: 'tag_pack_malformed' }],
    [
      'a TagPack whose tags are no list',
      'tags:\n  a: b\n',
      'a.yml',
      'validation_failed',
      { code: 'tag_pack_malformed', row: 2 },
    ],
    [
      'a TagPack of an unknown category',
      `tags:\n- address: '${hex(8)}'\n  label: X\n  category: bakery\n`,
      'a.yml',
      'validation_failed',
      { code: 'type_unknown', row: 2 },
    ],
    [
      'broken YAML',
      `tags:\n- address: ${hex(8)}\n   label: [\n`,
      'a.yml',
      'validation_failed',
      { code: 'yaml_malformed' },
    ],
    [
      'an alias',
      `tags:\n- address: &a '${hex(8)}'\n  label: *a\n`,
      'a.yml',
      'validation_failed',
      { code: 'yaml_malformed' },
    ],
    [
      'brackets without end',
      `tags:\n- ${'['.repeat(60_000)}\n`,
      'a.yml',
      'validation_failed',
      { code: 'row_too_long' },
    ],
    [
      'a line of megabytes',
      `tags:\n- ${'x'.repeat(2_000_000)}\n`,
      'a.yml',
      'validation_failed',
      { code: 'row_too_long' },
    ],
    ['a PDF', '%PDF-1.4', 'a.pdf', 'file_type_not_allowed', { code: 'file_type_not_allowed' }],
  ])('400: %s, and nothing has changed', async (_what, content, name, code, error) => {
    const before = [await stored(), await sources()];
    const answer = await send(content, { name });
    expect(answer).toMatchObject({ status: 400, body: { code } });
    expect(answer.body.errors?.[0]).toMatchObject({ pointer: '/file', ...error });
    expect([await stored(), await sources()]).toEqual(before);
  });

  test('400: one bad row after many good ones leaves nothing, and a thousand faults are enough', async () => {
    const before = await stored();
    const good = Array.from({ length: 12_000 }, (_, n) => `${hex(3_000_000 + n)},W,exchange,,,,`).join('\n');
    const one = await send(`${HEAD}${good}\nnonsense,W,bakery,ETH,,,`);
    expect(one.body.errors).toMatchObject([
      { row: 12_002, field: 'address', code: 'address_invalid' },
      { row: 12_002, field: 'type', code: 'type_unknown' },
    ]);
    const many = await send(`${HEAD}${`${hex(9)},W,bakery,,,,\n`.repeat(3_000)}`);
    expect(many.body.errors).toHaveLength(1_000);
    expect(await stored()).toEqual(before);
  });

  test.each([
    ['missing', null, 'required'],
    ['empty', '', 'invalid_format'],
    ['in capitals', 'Mine', 'invalid_format'],
    ['of the product', 'bundled', 'reserved'],
  ])('400: a source that is %s', async (_what, source, code) => {
    const before = await stored();
    const answer = await send(`${HEAD}${hex(8)},X,exchange,,,,`, { source });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer: '/source', code }] } });
    expect(await stored()).toEqual(before);
  });

  test('415: anything but a form; 401: a tenant', async () => {
    const options = { operatorKey: api.operatorKey, body: {} };
    expect((await api.request('POST', '/operator/labels', options)).status).toBe(415);
    const { apiKey } = await createTenant(api);
    for (const method of ['GET', 'POST']) {
      expect((await api.request(method, '/operator/labels', { key: apiKey })).status).toBe(401);
    }
  });
});

describe('DELETE /operator/labels/{source}', () => {
  test.each([
    ['204 and then 404', 'other', [204, 404]],
    ['404: one that is not there', 'nobody', [404]],
    ['404: a name that is none', 'No%20Name', [404]],
    ['409: what comes with the product', 'bundled', [409]],
  ])('%s', async (_what, source, statuses) => {
    for (const status of statuses) expect((await remove(source)).status).toBe(status);
  });
});

describe('the labels that come with the product', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-labels-'));
  });
  afterAll(async () => await rm(folder, { recursive: true }));

  const release = async (...names: string[]) => {
    const labels = names.map((label, index): NewLabel => ({
      addressKey: hex(50 + index),
      blockchain: 'Ethereum',
      label,
      type: 'exchange',
      entityId: null,
      entityName: null,
      confidence: 90,
      lastModified: '2024-01-01',
      reference: null,
    }));
    const file = join(folder, `${names.join('-')}.tsv.gz`);
    await writeFile(file, gzipSync(labels.map((label) => `${bundledRow(label)}\n`).join('')));
    return pathToFileURL(file);
  };

  test('are loaded once by many processes; a new release replaces them and nothing of an operator', async () => {
    await send(`${HEAD}${hex(50)},Mine,exchange,,,,`);
    const first = await release('one', 'two');
    const load = async (file: URL) => await loadBundledLabels(database.pool, new Date(), { file });
    const counts = await Promise.all([load(first), load(first), load(first), load(first)]);
    expect(counts.sort()).toEqual([0, 0, 0, 2]);
    expect(await load(first)).toBe(0);
    const cut = loadBundledLabels(database.pool, new Date(), {
      file: await release('cut'),
      signal: AbortSignal.abort(),
    });
    await expect(cut).rejects.toThrow();
    expect((await labelsOf(hex(51))).size).toBe(1);
    expect(await load(await release('new'))).toBe(1);
    expect([...(await labelsOf(hex(50), hex(51))).values()].flat().map(({ label }) => label)).toEqual([
      'new',
      'Mine',
    ]);
    expect(await sources()).toMatchObject([
      { source: 'bundled', isBundled: true, labels: 1, version: expect.stringMatching(/^[0-9a-f]{16}$/) },
      { source: 'mine', isBundled: false },
    ]);
  });

  test('hold a known exchange, mixer and listed wallet, and nothing that was crawled', async () => {
    expect(await loadBundledLabels(database.pool, new Date())).toBeGreaterThan(130_000);
    const found = await labelsOf(
      '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo',
      '0x8589427373D6D84E98730D7795D8f6f8731FDA16',
      '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h',
    );
    const types = [...found.values()].map((labels) =>
      labels.map(({ type, entityName }) => [type, entityName]),
    );
    expect(types[0]).toContainEqual(['exchange', 'Binance']);
    expect(types[1]).toContainEqual(['mixing_service', 'Tornado Cash']);
    const { rows } = await database.pool.query(
      `select reference from labels where reference ~ 'etherscan|walletexplorer|etherscamdb' limit 1`,
    );
    expect(rows).toEqual([]);
  });

  test('what an import left that was cut off is removed, and what is under way is not', async () => {
    await database.pool.query(
      `insert into label_imports (source, is_bundled, started_at)
       values ('', false, now() - interval '7 hours'), ('', false, now() - interval '5 hours')`,
    );
    await dropAbandonedImports(database.pool);
    const { rows } = await database.pool.query(`select 1 from label_imports where source = ''`);
    expect(rows).toHaveLength(1);
  });
});
