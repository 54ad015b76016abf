import { decodeText } from '../decode-text.ts';
import { ListFault } from './list-fault.ts';
import type { ReadingState } from './reading-state.ts';

/** A file of a list. `name` matters to OFAC_CSV alone, where it tells the four files apart. */
export interface ListFile {
  name: string;
  content: AsyncIterable<Uint8Array>;
}

/** How the bytes of a format become text, and what its text begins with. */
export interface TextRules {
  /** The first character that is no blank: `XML` is `<`, `JSON` is `{`, `CSV` is anything but `<`. */
  startsAs: 'XML' | 'JSON' | 'CSV';
  /** Bytes that are no UTF-8 are read as Windows-1252, unless the file has both. */
  mayBeLatin1?: boolean;
  /** For files that only add to another: nothing in it is no fault. */
  mayBeEmpty?: boolean;
  /** The publisher ends every file with 0x1A: without that mark a file was cut off, maybe at the end of a row. */
  endsMarked?: boolean;
}

/** Most blanks that may follow an end mark. */
const MOST_BLANKS = 65_536;
const END_OF_FILE = '\u001a';

/** The text of a file in pieces of at most 64 kB, without byte order mark and end mark 0x1A. Throws ListFault, UnreadableFile. */
export async function* listText(
  content: AsyncIterable<Uint8Array>,
  rules: TextRules,
  reading: ReadingState,
): AsyncGenerator<string> {
  let isBlank = true;
  const encodings = rules.mayBeLatin1 === true ? 'AS_MARKED_OR_LATIN_1' : 'AS_MARKED';
  const text = new MarkedText(decodeText(counted(content, reading), encodings));
  for await (const piece of text.withoutEndMark()) {
    if (isBlank && piece.trim() !== '') {
      isBlank = false;
      checkStart(piece.trimStart().charAt(0), rules);
    }
    if (piece !== '') yield piece;
  }
  if (isBlank && rules.mayBeEmpty !== true) throw new ListFault('EMPTY');
  if (rules.endsMarked === true && !text.isMarked) throw new ListFault('TRUNCATED');
}

function checkStart(first: string, { startsAs }: TextRules): void {
  const isRight = startsAs === 'XML' ? first === '<' : startsAs === 'JSON' ? first === '{' : first !== '<';
  if (!isRight) throw new ListFault('NOT_THIS_FORMAT');
}

async function* counted(
  content: AsyncIterable<Uint8Array>,
  reading: ReadingState,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    reading.read(chunk.length);
    yield chunk;
  }
}

/** A text that may end with an end mark. */
class MarkedText {
  readonly #text: AsyncIterable<string>;
  /** Known once the text is read to its end. */
  isMarked = false;

  constructor(text: AsyncIterable<string>) {
    this.#text = text;
  }

  /** Holds back an end mark until it is known whether anything but blanks follows. */
  async *withoutEndMark(): AsyncGenerator<string> {
    let held = '';
    for await (const piece of this.#text) {
      const whole = held + piece;
      const end = whole.trimEnd();
      this.isMarked = end.endsWith(END_OF_FILE) && whole.length - end.length < MOST_BLANKS;
      held = this.isMarked ? whole.slice(end.length - 1) : '';
      yield this.isMarked ? end.slice(0, -1) : whole;
    }
  }
}
