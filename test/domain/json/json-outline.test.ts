import { outlineOf } from '../../../domain/json/json-outline.ts';

const LIMITS = { levels: 1_000, parts: 2_000, commas: 1_999 };
const outline = (text: string) => outlineOf(text, LIMITS);

describe('a bracket too many', () => {
  test.each([
    ['with its object', '{"a":1}}'],
    ['of another kind', '{"a":1]]'],
    ['before anything is open', ']'],
  ])('%s ends the pass: what follows costs nothing', (_what, text) => {
    const more = '[],:'.repeat(1_000);
    expect(outline(text + more)).toEqual(outline(text));
    expect(outline(text + more).isClosed).toBe(false);
  });

  test('makes a list of nothing but brackets and commas as cheap as its first character', () => {
    expect(outline('],'.repeat(1_000))).toEqual({
      members: 0,
      containers: 0,
      deepest: 0,
      mostCommas: 0,
      isClosed: false,
    });
  });

  test('does not matter in a text', () => {
    expect(outline('{"a":"]}],:"}')).toMatchObject({ members: 1, containers: 1, isClosed: true });
  });
});

describe('a limit that is passed', () => {
  test.each([
    ['levels', '['.repeat(1_001), { deepest: 1_001 }],
    ['members', `{${'"a":1 '.repeat(2_001)}`, { members: 2_000 }],
    ['lists', '[]'.repeat(2_001), { containers: 2_001 }],
    ['commas', `[${'1,'.repeat(2_000)}`, { mostCommas: 2_000 }],
  ])('ends the pass: of %s', (_what, text, passed) => {
    expect(outline(text + text)).toMatchObject({ ...passed, isClosed: false });
    expect(outline(text + text)).toEqual(outline(text));
  });
});

test.each([
  [String.raw`"a\\"`, true],
  [String.raw`"a\\\""`, true],
  [String.raw`"a\\\"`, false],
  [String.raw`"a\"]"`, true],
  [String.raw`"a\"`, false],
  [String.raw`"\\\\"`, true],
])('escaped quotes end no text: %s', (text, isClosed) => {
  expect(outline(`[${text}]`).isClosed).toBe(isClosed);
});
