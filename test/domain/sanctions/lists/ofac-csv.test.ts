import { parse } from 'csv-parse/sync';
import { OFAC_CSV_OPTIONS, readOfacList } from '../../../../domain/sanctions/lists/ofac-csv.ts';

const rows = (text: string): string[][] => parse(text, OFAC_CSV_OPTIONS);
const EMPTY = '-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ';
const primary = (id: string, name: string, kind: string, remarks: string): string =>
  `${id},"${name}",${kind},"SDGT] [IFSR","Title of it",${EMPTY.split(',').slice(0, 6).join(',')},${remarks}\r\n`;
const read = (...lines: string[]): ReturnType<typeof readOfacList> =>
  readOfacList('OFAC_SDN', { primary: rows(lines.join('')) });

test('a person with everything its remarks say', () => {
  const remarks =
    '"DOB 12 Mar 1970; alt. DOB circa 1971; alt. DOB 1968 to 1972; POB Tehran, Iran; nationality Iran; citizen Syria; Gender Male; ' +
    "Passport A123456 (Iran); National ID No. 0012345678 (Iran); a.k.a. 'THE FOX'; Linked To: SOMEBODY.\"";
  const { entries, faults } = read(primary('123', 'DOE, John', '"individual"', remarks));
  expect(faults).toBe(0);
  expect(entries).toEqual([
    {
      list: 'OFAC_SDN',
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

test('an address cut in two by the length of the remarks field is joined with the comments file and read whole', () => {
  const cut = primary(
    '7',
    'WALLETS LTD',
    '-0- ',
    '"Digital Currency Address - XBT 1Abc; alt. Digital Currency Address - ETH 0x12"',
  );
  const comments = rows('7,"34; alt. Digital Currency Address - USDT TXyz."\r\n8,"of nobody"\r\n');
  const { entries } = readOfacList('OFAC_SDN', { primary: rows(cut), comments });
  expect(entries[0]?.wallets).toEqual([
    { asset: 'XBT', address: '1Abc' },
    { asset: 'ETH', address: '0x1234' },
    { asset: 'USDT', address: 'TXyz' },
  ]);
});

test('aliases and addresses join their entity; rows of an entity that is not on the list are dropped', () => {
  const { entries } = readOfacList('OFAC_SDN', {
    primary: rows(primary('1', 'ORION', '"vessel"', '-0- ')),
    aliases: rows('1,10,"fka","OLD ORION",-0- \r\n1,11,"aka","ORION",-0- \r\n2,12,"aka","NOBODY",-0- \r\n'),
    addresses: rows('1,20,"Street","City","Panama",-0- \r\n2,21,-0- ,-0- ,"Cuba",-0- \r\n'),
  });
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    type: 'vessel',
    names: [
      { text: 'ORION', kind: 'primary' },
      { text: 'OLD ORION', kind: 'fka' },
    ],
    countries: ['PA'],
  });
});

test('the end mark 0x1A is no row, a row that cannot be one is a fault and not an entry', () => {
  const { entries, faults } = read(
    primary('1', 'ORION', '-0- ', '-0- '),
    primary('1', 'TWICE', '-0- ', '-0- '),
    primary('x', 'NO NUMBER', '-0- ', '-0- '),
    primary('2', 'ODD TYPE', '"satellite"', '-0- '),
    '3,"TOO SHORT"\r\n',
    '<html>\r\n',
    '\u001a',
  );
  expect(entries.map(({ sourceId, type }) => [sourceId, type])).toEqual([['1', 'organisation']]);
  expect(faults).toBe(5);
});

test('an empty file is a list of nobody', () => {
  expect(read('')).toEqual({ entries: [], faults: 0 });
});
