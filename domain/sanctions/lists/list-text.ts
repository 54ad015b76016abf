import { decoderOf } from './decoder.ts';
import { ListFault } from './list-fault.ts';
import type { Reading } from './reading.ts';

/** How the bytes of a format become text, and what its text begins with. */
export interface TextRules {
  /** The first character that is no blank: `XML` is `<`, `JSON` is `{`, `CSV` is anything but `<`. */
  startsAs: 'XML' | 'JSON' | 'CSV';
  /** Bytes that are no UTF-8 are read as Windows-1252, unless the file has both. */
  mayBeLatin1?: boolean;
}

const PIECE_BYTES = 65_536;
/** Enough for a byte order mark and for the declaration of an XML file. */
const HEAD_BYTES = 256;
const END_OF_FILE = '\u001a';

/** The text of a file in pieces of at most 64 kB, without byte order mark and end mark 0x1A. Throws ListFault. */
export async function* listText(
  content: AsyncIterable<Uint8Array>,
  rules: TextRules,
  reading: Reading,
): AsyncGenerator<string> {
  let isBlank = true;
  for await (const piece of withoutEndMark(decoded(content, rules, reading))) {
    if (isBlank && piece.trim() !== '') {
      isBlank = false;
      checkStart(piece.trimStart().charAt(0), rules);
    }
    if (piece !== '') yield piece;
  }
  if (isBlank) throw new ListFault('EMPTY');
}

function checkStart(first: string, { startsAs }: TextRules): void {
  const isRight = startsAs === 'XML' ? first === '<' : startsAs === 'JSON' ? first === '{' : first !== '<';
  if (!isRight) throw new ListFault('NOT_THIS_FORMAT');
}

async function* decoded(
  content: AsyncIterable<Uint8Array>,
  rules: TextRules,
  reading: Reading,
): AsyncGenerator<string> {
  let decoder: ReturnType<typeof decoderOf> | undefined;
  let head = Buffer.alloc(0);
  for await (const piece of pieces(content, reading)) {
    if (decoder === undefined) {
      head = Buffer.concat([head, piece]);
      if (head.length < HEAD_BYTES) continue;
    }
    const bytes = decoder === undefined ? head : piece;
    decoder ??= decoderOf(head, rules.mayBeLatin1 === true);
    yield decoder.write(bytes);
  }
  if (decoder === undefined) {
    decoder = decoderOf(head, rules.mayBeLatin1 === true);
    yield decoder.write(head);
  }
  yield decoder.end();
}

async function* pieces(content: AsyncIterable<Uint8Array>, reading: Reading): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      reading.read(piece.length);
      yield piece;
    }
  }
}

/** Holds back an end mark until it is known whether anything but blanks follows. */
async function* withoutEndMark(text: AsyncIterable<string>): AsyncGenerator<string> {
  let held = '';
  for await (const piece of text) {
    const whole = held + piece;
    const end = whole.trimEnd();
    const isMarked = end.endsWith(END_OF_FILE) && whole.length - end.length < PIECE_BYTES;
    held = isMarked ? whole.slice(end.length - 1) : '';
    yield isMarked ? end.slice(0, -1) : whole;
  }
}
