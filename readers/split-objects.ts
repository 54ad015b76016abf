import { UnreadableFile } from './unreadable-file.ts';

const BETWEEN = /[\s,]/;

/**
 * The objects of a JSON array, or of a text with one object per line, as they arrive: the text is never held whole.
 * Throws UnreadableFile with the number of the object: ROW_TOO_LONG over `maxLength` characters, MALFORMED for whatever
 * is no object, or cut off.
 */
export async function* splitObjects(text: AsyncIterable<string>, maxLength: number): AsyncGenerator<unknown> {
  const scanner = new Scanner();
  let pending = '';
  for await (const piece of text) {
    let from = 0;
    for (const end of scanner.ends(piece)) {
      yield parsed(pending + piece.slice(from, end), scanner.objects);
      pending = '';
      from = end;
    }
    pending += piece.slice(from);
    if (scanner.depth === 0) pending = '';
    if (pending.length > maxLength) throw new UnreadableFile('ROW_TOO_LONG', scanner.objects + 1);
  }
  if (scanner.depth > 0 || scanner.isArrayOpen) throw new UnreadableFile('MALFORMED', scanner.objects + 1);
}

/** Objects are cut out with what stands before them, of which the scanner lets pass only separators. */
function parsed(text: string, row: number): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'))) as unknown;
  } catch {
    throw new UnreadableFile('MALFORMED', row);
  }
}

/** Knows where in the text it is; strings may hold braces. */
class Scanner {
  /** Objects that have ended. */
  objects = 0;
  depth = 0;
  isArrayOpen = false;
  #isInString = false;
  #isEscaped = false;
  #isOver = false;
  #isBegun = false;

  /** The positions after each object that ends in this piece. Throws UnreadableFile for anything else between them. */
  *ends(piece: string): Generator<number> {
    for (let at = 0; at < piece.length; at += 1) {
      const letter = piece.charAt(at);
      if (this.depth === 0) this.#between(letter);
      else if (this.#inside(letter)) {
        this.objects += 1;
        yield at + 1;
      }
    }
  }

  #between(letter: string): void {
    if (BETWEEN.test(letter)) return;
    if (letter === '{' && !this.#isOver) this.depth = 1;
    else if (letter === '[' && !this.#isBegun) this.isArrayOpen = true;
    else if (letter === ']' && this.isArrayOpen) [this.isArrayOpen, this.#isOver] = [false, true];
    else throw new UnreadableFile('MALFORMED', this.objects + 1);
    this.#isBegun = true;
  }

  /** True at the end of an object. */
  #inside(letter: string): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (letter === '\\') this.#isEscaped = true;
      else if (letter === '"') this.#isInString = false;
      return false;
    }
    if (letter === '"') this.#isInString = true;
    else if (letter === '{' || letter === '[') this.depth += 1;
    else if (letter === '}' || letter === ']') this.depth -= 1;
    return this.depth === 0;
  }
}
