import { isAscii, isUtf8 } from 'node:buffer';
import { UnreadableFile } from './unreadable-file.ts';

/**
 * The encodings in which a file is taken. AS_MARKED is the one of its byte order mark, else the one that its XML
 * declaration names, else UTF-8; with OR_LATIN_1 a file that is no UTF-8 is read as Windows-1252 as a whole.
 */
export type Encodings = 'UTF_8' | 'AS_MARKED' | 'AS_MARKED_OR_LATIN_1';

/** Bytes to text, piece by piece. Both throw UnreadableFile: ENCODING, and CHARACTER_CUT_OFF at the end. */
interface TextDecoding {
  write(bytes: Uint8Array): string;
  end(): string;
}

/** The decoder for a file that begins with these bytes. Throws UnreadableFile when they name an encoding that is not taken. */
export function decoderOf(head: Uint8Array, encodings: Encodings): TextDecoding {
  const mark = utf16Mark(head);
  if (encodings === 'UTF_8') {
    if (mark !== undefined) throw new UnreadableFile('UTF_16');
    return new StrictDecoder('utf-8');
  }
  return mark === undefined ? declaredDecoder(head, encodings) : new StrictDecoder(mark);
}

function utf16Mark([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function declaredDecoder(head: Uint8Array, encodings: Exclude<Encodings, 'UTF_8'>): TextDecoding {
  switch (declaredEncoding(head)) {
    case undefined:
      return encodings === 'AS_MARKED_OR_LATIN_1' ? new Utf8OrLatin1() : new StrictDecoder('utf-8');
    case 'utf-8':
    case 'us-ascii':
      return new StrictDecoder('utf-8');
    case 'iso-8859-1':
    case 'windows-1252':
      return { write: latin1, end: () => '' };
    default:
      throw new UnreadableFile('ENCODING');
  }
}

function declaredEncoding(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, 256)).toString('latin1');
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/.exec(text)?.[1]?.toLowerCase();
}

class StrictDecoder implements TextDecoding {
  readonly #decoder: InstanceType<typeof TextDecoder>;

  constructor(encoding: 'utf-8' | 'utf-16le' | 'utf-16be') {
    this.#decoder = new TextDecoder(encoding, { fatal: true });
  }

  write(bytes: Uint8Array): string {
    return this.#decode('ENCODING', bytes);
  }

  end(): string {
    return this.#decode('CHARACTER_CUT_OFF');
  }

  #decode(reason: 'ENCODING' | 'CHARACTER_CUT_OFF', bytes?: Uint8Array): string {
    try {
      return bytes === undefined ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true });
    } catch {
      throw new UnreadableFile(reason);
    }
  }
}

/** UTF-8 until the first bytes that are none; then Windows-1252 throughout. A file that has both is refused. */
class Utf8OrLatin1 implements TextDecoding {
  #cutOff = Buffer.alloc(0);
  #isStart = true;
  #isLatin1 = false;
  #hadUtf8 = false;

  write(bytes: Uint8Array): string {
    const all = Buffer.concat([this.#cutOff, bytes]);
    const whole = this.#isLatin1 ? all : all.subarray(0, all.length - cutOffLength(all));
    this.#cutOff = all.subarray(whole.length);
    const isStart = this.#isStart;
    this.#isStart = false;
    if (!this.#isLatin1 && isUtf8(whole)) {
      this.#hadUtf8 ||= !isAscii(whole);
      const text = whole.toString('utf8');
      return isStart ? text.replace(/^\ufeff/, '') : text;
    }
    return this.#latin1(whole);
  }

  end(): string {
    if (this.#cutOff.length === 0) return '';
    if (this.#hadUtf8) throw new UnreadableFile('CHARACTER_CUT_OFF');
    return this.#latin1(Buffer.alloc(0));
  }

  #latin1(whole: Buffer): string {
    if (this.#hadUtf8) throw new UnreadableFile('ENCODING');
    this.#isLatin1 = true;
    const bytes = Buffer.concat([whole, this.#cutOff]);
    this.#cutOff = Buffer.alloc(0);
    // What "é" and its like look like when UTF-8 is read as Latin-1: no text of a name has these pairs.
    if (/[\u00c2\u00c3][\u0080-\u00bf]/.test(bytes.toString('latin1'))) throw new UnreadableFile('ENCODING');
    return latin1(bytes);
  }
}

/** How many bytes at the end begin a UTF-8 character that is not whole yet. */
function cutOffLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (byte < 0x80 || byte >= 0xc0) return length > back ? back : 0;
  }
  return 0;
}

const C1_OF_WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Own table: TextDecoder of some Node versions leaves the quotes and dashes of Windows-1252 as control characters. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (letter) => C1_OF_WINDOWS.charAt(letter.charCodeAt(0) - 0x80));
}
