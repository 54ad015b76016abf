import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../standalone/project-root.ts';
import type { ListEntry } from '../../../domain/sanctions/list-entry.ts';
import type { ListFormat } from '../../../domain/sanctions-lists/list-format.ts';
import { readAll, sample, type GivenFile } from './read-all.ts';

const expected = JSON.parse(sample('expected.json').toString()) as Record<string, ListEntry[]>;

test.each<[ListFormat, string, publishedAt: string | undefined, faults: number, rows: number[]]>([
  // A party of a type that the file does not define.
  ['OFAC_XML', 'ofac-advanced.xml', '2026-11-20', 1, []],
  // A subject without a name; the delisted one is no fault.
  ['UN_XML', 'un.xml', '2026-11-20T00:00:09.554Z', 1, []],
  // An unknown kind of subject, and one without a name.
  ['EU_XML', 'eu.xml', '2026-11-20T16:47:04.449+01:00', 2, []],
  // An unknown kind of subject, and a row with too few cells.
  ['UK_CSV', 'uk.csv', '2026-11-20', 2, [9, 10]],
  // A subject without a name, two lines that are no objects, and an object that is there twice.
  ['FTM_JSONL', 'ftm.txt', undefined, 4, [15, 16, 17]],
  // Seven rows that cannot be read, and an id that is there twice.
  ['CSV', 'own.csv', undefined, 8, [7, 8, 9, 10, 11, 12, 13]],
])(
  '%s: everything that the sample says is in its entries',
  async (format, name, publishedAt, faults, rows) => {
    const { entries, ...rest } = await readAll(format, [sample(name)]);
    expect(entries).toEqual(expected[format]);
    expect(rest).toEqual({ publishedAt, faults, faultRows: rows, fault: undefined });
  },
);

const EMPTY = '-0- ,-0- ,-0- ,-0- ,-0- ,-0- ';
const primary = (id: string, name: string, kind: string, remarks: string): string =>
  `${id},"${name}",${kind},"SDGT] [IFSR","Title of it",${EMPTY},${remarks}\r\n`;
/** A file as OFAC publishes it, with the end mark 0x1A. */
const file = (name: string, content: GivenFile['content']): GivenFile => ({
  name,
  content: Buffer.concat([Buffer.from(content), Buffer.from([0x1a])]),
});

test('OFAC_CSV: a person with everything its remarks say', async () => {
  const remarks =
    '"DOB 12 Mar 1970; alt. DOB circa 1971; alt. DOB 1968 to 1972; POB Tehran, Iran; nationality Iran; citizen Syria; Gender Male; ' +
    "Passport A123456 (Iran); National ID No. 0012345678 (Iran); a.k.a. 'THE FOX'; Linked To: SOMEBODY.\"";
  const { entries, faults } = await readAll('OFAC_CSV', [
    file('list', primary('123', 'DOE, John', '"individual"', remarks)),
  ]);
  expect(faults).toBe(0);
  expect(entries).toEqual([
    {
      list: 'TEST',
      sourceId: '123',
      type: 'person',
      names: [
        { text: 'DOE, John', kind: 'primary' },
        { text: 'THE FOX', kind: 'weak' },
      ],
      birthDates: ['1970-03-12', '~1971', '1968/1972'],
      birthPlaces: ['Tehran, Iran'],
      gender: 'male',
      countries: ['IR', 'SY'],
      identifiers: [
        { kind: 'passport', value: 'A123456', country: 'IR' },
        { kind: 'national', value: '0012345678', country: 'IR' },
      ],
      wallets: [],
      programs: ['SDGT', 'IFSR'],
      title: 'Title of it',
      remarks: expect.stringContaining('DOB 12 Mar 1970'),
    },
  ]);
});

const JOINED = {
  primary: primary(
    '1',
    'ORION',
    '"vessel"',
    '"Digital Currency Address - XBT 1Abc; alt. Digital Currency Address - ETH 0x12"',
  ),
  comments: '1,"34; alt. Digital Currency Address - USDT TXyz."\r\n8,"of nobody"\r\n',
  alt: '1,10,"fka","OLD ORION",-0- \r\n1,11,"aka","ORION",-0- \r\n2,12,"aka","NOBODY",-0- \r\n',
  add: '1,20,"Street","City","Panama",-0- \r\n2,21,-0- ,-0- ,"Cuba",-0- \r\n',
};

test.each<[how: string, GivenFile[]]>([
  [
    'by their names',
    [
      file('sdn_comments.csv', JOINED.comments),
      file('sdn.csv', JOINED.primary),
      file('ADD.CSV', JOINED.add),
      file('alt.csv', JOINED.alt),
    ],
  ],
  [
    'by their columns',
    [file('1', JOINED.alt), file('2', JOINED.primary), file('3', JOINED.comments), file('4', JOINED.add)],
  ],
])(
  'OFAC_CSV: four files in any order, known %s, are joined; an address cut in two is whole again',
  async (_how, files) => {
    const { entries, faults } = await readAll('OFAC_CSV', files);
    expect(faults).toBe(0);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      names: [
        { text: 'ORION', kind: 'primary' },
        { text: 'OLD ORION', kind: 'fka' },
      ],
      countries: ['PA'],
      wallets: [
        { asset: 'XBT', address: '1Abc' },
        { asset: 'ETH', address: '0x1234' },
        { asset: 'USDT', address: 'TXyz' },
      ],
    });
  },
);

test('OFAC_CSV: a file that only adds may be empty, the file of the entities may not', async () => {
  const nothing = file('sdn_comments.csv', '');
  expect((await readAll('OFAC_CSV', [file('sdn.csv', JOINED.primary), nothing])).entries).toHaveLength(1);
  expect((await readAll('OFAC_CSV', [file('sdn.csv', ''), file('alt.csv', JOINED.alt)])).fault).toBe('EMPTY');
});

test('OFAC_CSV: a row that cannot be one is a fault and not an entry', async () => {
  const { entries, faults } = await readAll('OFAC_CSV', [
    file(
      'sdn.csv',
      primary('1', 'ORION', '-0- ', '-0- ') +
        primary('1', 'TWICE', '-0- ', '-0- ') +
        primary('x', 'NO NUMBER', '-0- ', '-0- ') +
        primary('2', 'ODD TYPE', '"constructor"', '-0- ') +
        '3,"TOO SHORT"\r\n',
    ),
  ]);
  expect(entries.map(({ sourceId, type }) => [sourceId, type])).toEqual([['1', 'organisation']]);
  expect(faults).toBe(4);
});

test.each(['sdn.csv', 'alt.csv', 'add.csv', 'sdn_comments.csv'])(
  'OFAC_CSV: %s without the end mark 0x1A was cut off, maybe at the end of a row or to nothing',
  async (name) => {
    const whole = {
      'sdn.csv': JOINED.primary + primary('2', 'LYRA', '"vessel"', '-0- '),
      'alt.csv': JOINED.alt,
      'add.csv': JOINED.add,
      'sdn_comments.csv': JOINED.comments,
    };
    const read = async (content: string) =>
      await readAll('OFAC_CSV', [
        ...Object.entries(whole).flatMap(([other, text]) => (other === name ? [] : [file(other, text)])),
        { name, content },
      ]);
    const text = whole[name as keyof typeof whole];
    const firstRow = text.slice(0, text.indexOf('\r\n') + 2);
    for (const end of ['\u001a', '\u001a\r\n', '\u001a\r\n \n']) {
      expect(await read(text + end)).toMatchObject({ faults: 0, fault: undefined });
    }
    for (const cut of [text, firstRow, firstRow.slice(0, -7)]) {
      expect((await read(cut)).fault).toBe('TRUNCATED');
    }
    expect((await read('')).fault).toMatch(/TRUNCATED|EMPTY/);
  },
);

test.each(['sdn.csv', 'alt.csv', 'add.csv', 'sdn_comments.csv'])(
  'OFAC_CSV: two files of the kind of %s are not a list',
  async (name) => {
    const kinds = {
      'sdn.csv': JOINED.primary,
      'alt.csv': JOINED.alt,
      'add.csv': JOINED.add,
      'sdn_comments.csv': JOINED.comments,
    };
    const files = Object.entries(kinds).map(([kind, text]) => file(kind, text));
    const again = file(`copy of ${name}`, kinds[name as keyof typeof kinds]);
    expect((await readAll('OFAC_CSV', files)).fault).toBeUndefined();
    expect((await readAll('OFAC_CSV', [...files, again])).fault).toBe('NOT_THIS_FORMAT');
  },
);

test('OFAC_CSV: bytes that are no UTF-8 are Latin-1, unless the file has both', async () => {
  const latin1 = Buffer.from(primary('1', 'UÑAL “X”', '-0- ', '-0- ').replace(/[“”]/g, ''), 'latin1');
  expect((await readAll('OFAC_CSV', [file('sdn.csv', latin1)])).entries[0]?.names[0]?.text).toBe('UÑAL X');
  const mixed = Buffer.concat([Buffer.from(primary('2', 'UÑAL', '-0- ', '-0- ')), latin1]);
  expect((await readAll('OFAC_CSV', [file('sdn.csv', mixed)])).fault).toBe('ENCODING');
  expect((await readAll('OFAC_CSV', [file('sdn.csv', Buffer.concat([latin1, mixed]))])).fault).toBe(
    'ENCODING',
  );
});

const data = process.env['WAYBILL_BENCH_DATA'] ?? join(projectRoot, '..', 'shared', 'data');
const ofac = join(data, 'ofac');
const hasData = existsSync(join(ofac, 'sdn_2024-05-03.csv'));
if (!hasData)
  process.stderr.write(
    'SKIPPED: the OFAC list of a day is not here, so the real file is not read by this test.\n',
  );

(hasData ? test : test.skip)('OFAC_CSV: the real list of a day, whole', async () => {
  const names = ['add.csv', 'sdn_2024-05-03.csv', 'sdn_comments.csv', 'alt.csv'];
  const { entries, faults } = await readAll(
    'OFAC_CSV',
    names.map((name) => ({ name, content: readFileSync(join(ofac, name)) })),
  );
  expect([entries.length, faults]).toEqual([14_965, 0]);
  const wallets = entries.flatMap((entry) => entry.wallets);
  expect(wallets).toHaveLength(601);
  expect(new Set(wallets.map(({ address }) => address)).size).toBe(586);
});

test('a sanctioned wallet of which the file has no holder, or that only a Sanction names, is an entry of its own', async () => {
  const wallet = (id: string, more: object) =>
    JSON.stringify({ id, schema: 'CryptoWallet', properties: { publicKey: [`address-${id}`], ...more } });
  const lines = [
    wallet('W-1', { holder: ['nobody'], topics: ['sanction'] }),
    wallet('W-2', { holder: ['nobody'] }),
    wallet('W-3', {}),
    wallet('W-4', {}),
    wallet('W-5', { holder: ['nobody'] }),
    JSON.stringify({
      id: 'S-1',
      schema: 'Sanction',
      properties: { entity: ['W-4', 'W-5'], authority: ['Somebody'] },
    }),
  ];
  const { entries, faults } = await readAll('FTM_JSONL', [Buffer.from(lines.join('\n'))]);
  expect([entries.map(({ sourceId, wallets }) => [sourceId, wallets[0]?.address]), faults]).toEqual([
    [
      ['W-4', 'address-W-4'],
      ['W-1', 'address-W-1'],
      ['W-5', 'address-W-5'],
    ],
    0,
  ]);
});
