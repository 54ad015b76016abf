import { outlineOf } from '../../../api/json-outline.ts';

describe('a bracket too many', () => {
  test.each([
    ['with its object', '{"a":1}}'],
    ['of another kind', '{"a":1]]'],
    ['before anything is open', ']'],
  ])('%s ends the pass: what follows costs nothing', (_what, text) => {
    const more = '[],:'.repeat(1_000);
    expect(outlineOf(text + more)).toEqual(outlineOf(text));
    expect(outlineOf(text + more).isClosed).toBe(false);
  });

  test('makes a list of nothing but brackets and commas as cheap as its first character', () => {
    expect(outlineOf('],'.repeat(1_000))).toEqual({
      members: 0,
      containers: 0,
      deepest: 0,
      mostCommas: 0,
      isClosed: false,
    });
  });

  test('does not matter in a text', () => {
    expect(outlineOf('{"a":"]}],:"}')).toMatchObject({ members: 1, containers: 1, isClosed: true });
  });
});
