import fc from 'fast-check';
import { decodeText } from '../../readers/decode-text.ts';
import type { Encodings } from '../../readers/text-decoder.ts';
import { UnreadableFile } from '../../readers/unreadable-file.ts';

/** The text of bytes that come in pieces of this size, or why there is none. */
async function decoded(content: Uint8Array, encodings: Encodings, pieceBytes = 7) {
  async function* pieces() {
    for (let at = 0; at < content.length; at += pieceBytes) {
      yield await Promise.resolve(content.subarray(at, at + pieceBytes));
    }
  }
  let text = '';
  try {
    for await (const piece of decodeText(pieces(), encodings)) text += piece;
    return text;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return error.reason;
  }
}

const TEXT = 'Zoë, 日本, €';
const utf16 = Buffer.from(`\ufeff${TEXT}`, 'utf16le');
const ALL = ['UTF_8', 'AS_MARKED', 'AS_MARKED_OR_LATIN_1'] as const;

test.each(ALL)('%s: UTF-8 is read with and without its mark, in pieces of any size', async (encodings) => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.integer({ min: 1, max: 300 }),
      async (text, pieceBytes) => {
        fc.pre(!text.startsWith('\ufeff'));
        expect(await decoded(Buffer.from(text), encodings, pieceBytes)).toBe(text);
        expect(await decoded(Buffer.from(`\ufeff${text}`), encodings, pieceBytes)).toBe(text);
      },
    ),
    { numRuns: 50 },
  );
});

test('UTF-16 is read where its mark is heeded, and named where only UTF-8 is read', async () => {
  for (const bytes of [utf16, Buffer.from(utf16).swap16()]) {
    expect(await decoded(bytes, 'AS_MARKED')).toBe(TEXT);
    expect(await decoded(bytes, 'UTF_8')).toBe('UTF_16');
  }
});

test.each<[string, Uint8Array, Encodings, string]>([
  ['Latin-1', Buffer.from('Müller', 'latin1'), 'UTF_8', 'ENCODING'],
  ['Latin-1', Buffer.from('Müller', 'latin1'), 'AS_MARKED', 'ENCODING'],
  ['Latin-1', Buffer.from('Müller', 'latin1'), 'AS_MARKED_OR_LATIN_1', 'Müller'],
  [
    'UTF-8 and Latin-1',
    Buffer.concat([Buffer.from('Zoë'), Buffer.from('Müller', 'latin1')]),
    'AS_MARKED_OR_LATIN_1',
    'ENCODING',
  ],
  ['a character that is cut off', Buffer.from('日').subarray(0, 2), 'UTF_8', 'CHARACTER_CUT_OFF'],
  ['half a surrogate pair in UTF-8', Buffer.from([0xed, 0xa0, 0x80]), 'UTF_8', 'ENCODING'],
])('%s (%j) read as %s is %s', async (_name, bytes, encodings, outcome) => {
  expect(await decoded(bytes, encodings)).toBe(outcome);
});

test('other work of the process comes between two pieces of 64 kB', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  async function* content() {
    for (let piece = 0; piece < 200; piece += 1) yield await Promise.resolve(Buffer.alloc(65_536, 'x'));
  }
  for await (const text of decodeText(content(), 'UTF_8')) expect(text).toHaveLength(65_536);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
});
