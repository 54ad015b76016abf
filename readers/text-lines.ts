import { UnreadableFile } from './unreadable-file.ts';

interface TextLine {
  text: string;
  /** Counted from 1. */
  line: number;
  /** False of a last line that the file does not end. */
  hasEnd: boolean;
}

/** The lines of a text as it arrives. Throws UnreadableFile ROW_TOO_LONG for a line of more than `maxLength` characters. */
export async function* textLines(pieces: AsyncIterable<string>, maxLength: number): AsyncGenerator<TextLine> {
  let line = 1;
  let rest = '';
  for await (const piece of pieces) {
    const texts = piece.split('\n');
    texts[0] = rest + (texts[0] ?? '');
    rest = texts.pop() ?? '';
    for (const text of texts) {
      if (text.length > maxLength) throw new UnreadableFile('ROW_TOO_LONG', line);
      yield { text, line, hasEnd: true };
      line += 1;
    }
    if (rest.length > maxLength) throw new UnreadableFile('ROW_TOO_LONG', line);
  }
  if (rest !== '') yield { text: rest, line, hasEnd: false };
}
