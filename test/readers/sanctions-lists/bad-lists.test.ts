import type { ListFormat } from '../../../domain/sanctions-lists/list-format.ts';
import { ListFault } from '../../../readers/sanctions-lists/list-fault.ts';
import { readList } from '../../../readers/sanctions-lists/read-list.ts';
import { readAll, sample, type GivenFile } from './read-all.ts';

const SAMPLES: readonly [ListFormat, string][] = [
  ['OFAC_XML', 'ofac-advanced.xml'],
  ['UN_XML', 'un.xml'],
  ['EU_XML', 'eu.xml'],
  ['UK_CSV', 'uk.csv'],
  ['FTM_JSONL', 'ftm.txt'],
  ['CSV', 'own.csv'],
];
const FORMATS: readonly ListFormat[] = ['OFAC_CSV', ...SAMPLES.map(([format]) => format)];
const XML = '<?xml version="1.0"?>';
const UN_HEAD = `${XML}<CONSOLIDATED_LIST><INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>A</FIRST_NAME>`;
const UN_END = '</INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>';
const OWN = 'id,type,name\n';
const SDN_ROW = `1,"ORION","individual","SDGT",${'-0- ,'.repeat(7)}-0- \r\n`;
const laughs = `${XML}<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]>${UN_HEAD.slice(XML.length)}&b;${UN_END}`;

const file = (name: string, content: GivenFile['content']): GivenFile => ({ name, content });

test.each(FORMATS)('%s: nothing, blanks and an end mark alone are empty', async (format) => {
  for (const content of ['', ' \r\n\t\n', '\u001a'])
    expect((await readAll(format, [file('sdn.csv', content)])).fault).toBe('EMPTY');
  expect((await readAll(format, [])).fault).toMatch(/EMPTY|NOT_THIS_FORMAT/);
});

test.each(FORMATS)('%s: an HTML page instead of the list is refused', async (format) => {
  for (const page of [
    '<!DOCTYPE html><html><body>Busy</body></html>',
    '\n<html lang=en><br>Not found</html>',
  ])
    expect((await readAll(format, [file('sdn.csv', page)])).fault).toBe('NOT_THIS_FORMAT');
});

test.each<[why: string, ListFormat, content: string | Uint8Array, fault: string]>([
  ['entities that grow', 'UN_XML', laughs, 'ENTITY_DECLARED'],
  [
    'an entity from outside',
    'EU_XML',
    `${XML}<!DOCTYPE e SYSTEM "file:///etc/passwd"><export/>`,
    'ENTITY_DECLARED',
  ],
  ['an entity nobody declared', 'UN_XML', `${UN_HEAD}&x;${UN_END}`, 'NOT_THIS_FORMAT'],
  ['another XML list', 'EU_XML', sample('un.xml'), 'NOT_THIS_FORMAT'],
  ['a second document after the first', 'UN_XML', `${sample('un.xml').toString()}<a/>`, 'NOT_THIS_FORMAT'],
  ['XML that is not well formed', 'UN_XML', `${UN_HEAD}</a>${UN_END}`, 'NOT_THIS_FORMAT'],
  ['a list of nobody', 'UN_XML', `${XML}<CONSOLIDATED_LIST/>`, 'EMPTY'],
  ['a header alone', 'CSV', OWN, 'EMPTY'],
  ['an unknown column', 'CSV', 'id,type,name,shoes\n1,LEGAL,A,44\n', 'NOT_THIS_FORMAT'],
  ['a column twice', 'CSV', 'id,type,name,name\n1,LEGAL,A,B\n', 'NOT_THIS_FORMAT'],
  ['a needed column missing', 'CSV', 'id,name\n1,A\n', 'NOT_THIS_FORMAT'],
  ['rows of which none can be read', 'CSV', `${OWN}1,PLANET,A\n`, 'NOT_THIS_FORMAT'],
  ['another CSV', 'UK_CSV', sample('own.csv'), 'NOT_THIS_FORMAT'],
  ['an open quote', 'CSV', `${OWN}1,LEGAL,"A\n2,LEGAL,B\n`, 'TRUNCATED'],
  ['a line that ends early', 'FTM_JSONL', sample('ftm.txt').subarray(0, 700), 'TRUNCATED'],
  ['bytes that are no UTF-8', 'UN_XML', Buffer.from(`${UN_HEAD}é${UN_END}`, 'latin1'), 'ENCODING'],
  ['an encoding that is not read', 'UN_XML', XML.replace('?>', ' encoding="EBCDIC-US"?><a/>'), 'ENCODING'],
  ['a packed file', 'CSV', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0xff, 0xfe]), 'ENCODING'],
])('%s is refused', async (_why, format, content, fault) => {
  expect((await readAll(format, [content])).fault).toBe(fault);
});

test('the text of a fault tells what to do and nothing of the file', () => {
  const codes = [
    'TRUNCATED',
    'NOT_THIS_FORMAT',
    'ENTITY_DECLARED',
    'TOO_LARGE',
    'EMPTY',
    'ENCODING',
  ] as const;
  for (const code of codes) expect(new ListFault(code).message).toMatch(/^The file .+: .+\.$/);
  expect(new ListFault('NOT_THIS_FORMAT', 1).message).toMatch(/^Row 1: /);
});

test.each<[limit: string, ListFormat, content: string]>([
  ['bytes', 'UN_XML', `${UN_HEAD}${'<A>b</A>'.repeat(200)}${UN_END}`],
  ['textLength', 'UN_XML', `${UN_HEAD}<A>${'x'.repeat(900)}</A>${UN_END}`],
  ['textLength', 'UN_XML', `${XML}<CONSOLIDATED_LIST><!--${'x'.repeat(900)}`],
  ['textLength', 'UN_XML', `${XML}<CONSOLIDATED_LIST a="${'x'.repeat(900)}`],
  ['textLength', 'UN_XML', `${XML}<!DOCTYPE a [${'<!ENTITY a "b">'.repeat(80)}`],
  ['textLength', 'OFAC_CSV', `1,"${'x'.repeat(900)}`],
  ['textLength', 'FTM_JSONL', `{"a":"${'x'.repeat(900)}`],
  ['subjectLength', 'UN_XML', `${UN_HEAD}${'<A/>'.repeat(20)}${UN_END}`],
  ['depth', 'UN_XML', `${XML}<CONSOLIDATED_LIST>${'<a>'.repeat(10)}`],
  [
    'attributes',
    'UN_XML',
    `${XML}<CONSOLIDATED_LIST ${Array.from({ length: 10 }, (_, at) => `a${at}=""`).join(' ')}/>`,
  ],
  ['entries', 'CSV', `${OWN}${Array.from({ length: 10 }, (_, at) => `${at},LEGAL,A\n`).join('')}`],
  ['held', 'UK_CSV', sample('uk.csv').toString()],
  ['held', 'FTM_JSONL', sample('ftm.txt').toString()],
  ['held', 'OFAC_XML', sample('ofac-advanced.xml').toString()],
])('over the limit of %s, %s stops reading', async (limit, format, content) => {
  const most = {
    bytes: 1000,
    textLength: 200,
    subjectLength: 500,
    depth: 8,
    attributes: 8,
    entries: 8,
    held: 1500,
  };
  const limits = { [limit]: most[limit as keyof typeof most] };
  const piece = { name: 'sdn.csv', content, piece: 64 };
  expect((await readAll(format, [piece], limits)).fault).toBe('TOO_LARGE');
  expect((await readAll(format, [piece])).fault).not.toBe('TOO_LARGE');
});

test('a stream without end is left as soon as it goes over the limit', async () => {
  let given = 0;
  let isClosed = false;
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        given += 65_536;
        yield await Promise.resolve(Buffer.alloc(65_536, 'x,y\n'));
      }
    } finally {
      isClosed = true;
    }
  }
  const { entries } = readList('OFAC_CSV', 'X', [{ name: 'sdn.csv', content: endless() }], {
    bytes: 100_000,
  });
  await expect(entries[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect(given).toBeLessThan(500_000);
  expect(isClosed).toBe(true);
});

test.each([...SAMPLES, ['OFAC_CSV', 'sdn'] as const])(
  '%s cut off anywhere is refused or read without more than it says, and never crashes',
  async (format, name) => {
    const whole = name === 'sdn' ? Buffer.from(`${SDN_ROW.repeat(3)}\u001a`) : sample(name);
    const all = (await readAll(format, [file('sdn.csv', whole)])).entries.length;
    const places = Array.from({ length: 60 }, (_, at) => Math.floor((at * whole.length) / 60));
    const seen = new Set<string>();
    for (const at of places) {
      const cut = await readAll(format, [file('sdn.csv', whole.subarray(0, at))]);
      expect(cut.entries.length).toBeLessThanOrEqual(all);
      // The end of an XML file, and OFAC's end mark, say that it is whole, so a part of one must never pass.
      if (format.endsWith('XML') || name === 'sdn') expect(cut.fault).toMatch(/TRUNCATED|EMPTY/);
      seen.add(cut.fault ?? 'read');
    }
    expect([...seen].filter((outcome) => !/^(read|TRUNCATED|EMPTY|NOT_THIS_FORMAT)$/.test(outcome))).toEqual(
      [],
    );
  },
);

test.each(SAMPLES)('%s reads the same in pieces of seven bytes, and again', async (format, name) => {
  const whole = await readAll(format, [sample(name)]);
  expect(whole.fault).toBeUndefined();
  expect(await readAll(format, [{ content: sample(name), piece: 7 }])).toEqual(whole);
  expect(await readAll(format, [`${sample(name).toString()}\u001a`])).toEqual(whole);
});

test.each<[encoding: string, (text: string) => Uint8Array]>([
  ['UTF-8 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16, high byte first', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
])('%s is read as its mark says', async (_encoding, encoded) => {
  const { entries } = await readAll('CSV', [{ content: encoded(`${OWN}1,LEGAL,Пример Ünal\n`), piece: 5 }]);
  expect(entries[0]?.names).toEqual([{ text: 'Пример Ünal', kind: 'primary' }]);
});

test('Latin-1 is read where the XML declaration names it', async () => {
  const text = `${XML.replace('?>', ' encoding="ISO-8859-1"?>')}${UN_HEAD.slice(XML.length)}<SECOND_NAME>Ünal</SECOND_NAME>${UN_END}`;
  const { entries } = await readAll('UN_XML', [Buffer.from(text, 'latin1')]);
  expect(entries[0]?.names[0]?.text).toBe('A Ünal');
});
