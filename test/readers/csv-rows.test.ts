import { csvRows } from '../../readers/csv-rows.ts';
import { UnreadableFile } from '../../readers/unreadable-file.ts';

type Rules = Parameters<typeof csvRows>[1];
const STRICT: Rules = { dialect: 'RFC_4180', maxRowLength: 100, countsBlankRows: true };
const LENIENT: Rules = { dialect: 'LENIENT', maxRowLength: 100, countsBlankRows: false };

/** The rows of a text that comes in these pieces, and the fault that ended it. */
async function read(pieces: Iterable<string>, rules = STRICT) {
  const read: [row: number, ...cells: string[]][] = [];
  try {
    for await (const rows of csvRows(textOf(pieces), rules)) {
      read.push(...rows.map(({ row, cells }) => [row, ...cells] as [number, ...string[]]));
    }
    return { rows: read, fault: undefined };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { rows: read, fault: [error.reason, error.row] };
  }
}

async function* textOf(pieces: Iterable<string>): AsyncGenerator<string> {
  for (const piece of pieces) yield await Promise.resolve(piece);
}

test('blank rows are not given; their numbers count as in a spreadsheet, or not at all', async () => {
  const text = ['a,b\n\n\r\n1,"2\n3"\n', '4,5'];
  expect((await read(text)).rows).toEqual([
    [1, 'a', 'b'],
    [4, '1', '2\n3'],
    [5, '4', '5'],
  ]);
  expect((await read(text, LENIENT)).rows.map(([row]) => row)).toEqual([1, 2, 3]);
});

test.each<[string, string[], Rules, [string, number] | undefined]>([
  ['a quote inside a cell', ['a\nb"c\n'], STRICT, ['MALFORMED', 2]],
  ['text after a closing quote', ['a\n\n"b"c\n'], STRICT, ['MALFORMED', 2]],
  ['an open quote', ['a\n"b\n'], STRICT, ['QUOTE_NOT_CLOSED', 2]],
  ['a long cell', ['a\n', 'x'.repeat(150)], STRICT, ['ROW_TOO_LONG', 2]],
  [
    'a long quoted cell of short lines',
    ['a\n"', ...Array<string>(60).fill('x\n')],
    STRICT,
    ['ROW_TOO_LONG', 2],
  ],
  [
    'a row of nothing but commas',
    ['a\n', ...Array<string>(9).fill(','.repeat(20))],
    STRICT,
    ['ROW_TOO_LONG', 2],
  ],
  ['blank rows beyond the length of a row', Array<string>(9).fill('\n'.repeat(20)), STRICT, undefined],
  ['any quotes, where they are taken', ['a\nb"c\nd "e" f\n'], LENIENT, undefined],
])('%s', async (_name, pieces, rules, fault) => {
  expect((await read(pieces, rules)).fault).toEqual(fault);
});

test('the rows before one that cannot be read are given', async () => {
  expect(await read(['a\nb\nc"d\n'])).toEqual({
    rows: [
      [1, 'a'],
      [2, 'b'],
    ],
    fault: ['MALFORMED', 3],
  });
});

test('a row that goes on for ever is left, and the file is closed', async () => {
  let isClosed = false;
  function* endless(): Generator<string> {
    try {
      for (;;) yield ','.repeat(1_000);
    } finally {
      isClosed = true;
    }
  }
  expect((await read(endless())).fault).toEqual(['ROW_TOO_LONG', 1]);
  expect(isClosed).toBe(true);
});
