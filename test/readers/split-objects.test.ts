import { splitObjects } from '../../readers/split-objects.ts';
import { UnreadableFile } from '../../readers/unreadable-file.ts';

/** The objects of a text that comes in pieces of this size, and the fault that ended it. */
async function split(text: string, pieceLength: number, maxLength = 100) {
  async function* pieces() {
    for (let at = 0; at < text.length; at += pieceLength) {
      yield await Promise.resolve(text.slice(at, at + pieceLength));
    }
  }
  const objects: unknown[] = [];
  try {
    for await (const value of splitObjects(pieces(), maxLength)) objects.push(value);
    return { objects, fault: undefined };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { objects, fault: [error.reason, error.row] };
  }
}

const OBJECTS = [{ a: '}]{"\\' }, { b: [{ c: {} }] }, {}];

test.each([1, 3, 1_000])('an array and one object per line say the same, in pieces of %d', async (length) => {
  const lines = OBJECTS.map((value) => JSON.stringify(value)).join('\n');
  for (const text of [JSON.stringify(OBJECTS), JSON.stringify(OBJECTS, null, 2), lines]) {
    expect(await split(text, length)).toEqual({ objects: OBJECTS, fault: undefined });
  }
});

test.each<[string, string, [string, number]]>([
  ['a number between objects', '[{}, 5]', ['MALFORMED', 2]],
  ['an array in the array', '[{}, [{}]]', ['MALFORMED', 2]],
  ['something after the array', '[{}] {}', ['MALFORMED', 2]],
  ['an object that is no JSON', '{} {a: 1}', ['MALFORMED', 2]],
  ['an array that is cut off', '[{}, {}', ['MALFORMED', 3]],
  ['an object that is cut off', '[{"a": {}', ['MALFORMED', 1]],
  ['an object that goes on and on', `{"a":"${'x'.repeat(200)}"}`, ['ROW_TOO_LONG', 1]],
])('%s is a fault with the number of the object', async (_name, text, fault) => {
  expect((await split(text, 10)).fault).toEqual(fault);
});
