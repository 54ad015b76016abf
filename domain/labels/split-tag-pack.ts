import { LABEL_FILE_LIMITS, UnreadableFile } from './label-fault.ts';

/** A piece of a TagPack that is YAML by itself. `lines` says where each tag begins. */
type PackPart =
  | { kind: 'HEAD'; text: string; line: number }
  | { kind: 'TAGS'; text: string; line: number; lines: number[] };

/** Small enough that other work comes in between. */
const TAGS_PER_PART = 250;

/**
 * Cuts a TagPack into its head and pieces of its list of tags: a parser of whole YAML files would stand still for seconds
 * over a large one. Throws UnreadableFile.
 */
export async function* splitTagPack(texts: AsyncIterable<string>): AsyncGenerator<PackPart> {
  const head: string[] = [];
  let tags: { text: string[]; line: number; lines: number[] } | undefined;
  let dash: string | undefined;
  let line = 0;
  for await (const text of lines(texts)) {
    line += 1;
    if (tags === undefined) {
      if (!/^tags:\s*(?:#.*)?$/.test(text)) head.push(text);
      else {
        yield { kind: 'HEAD', text: head.join('\n'), line: 1 };
        tags = { text: [], line: line + 1, lines: [] };
      }
      continue;
    }
    dash ??= /^ *- /.exec(text)?.[0];
    if (/^[^\s#-]/.test(text) && text.trim() !== '...') {
      throw new UnreadableFile(line, 'tag_pack_malformed', 'The list of tags is the last part of a TagPack.');
    }
    if (dash !== undefined && text.startsWith(dash)) {
      if (tags.lines.length >= TAGS_PER_PART) {
        yield { kind: 'TAGS', ...tags, text: tags.text.join('\n') };
        tags = { text: [], line, lines: [] };
      }
      tags.lines.push(line);
    }
    tags.text.push(text);
    if (tags.text.length > TAGS_PER_PART * 100) throw tooLong(line);
  }
  if (tags && tags.lines.length > 0) yield { kind: 'TAGS', ...tags, text: tags.text.join('\n') };
  if (!tags) throw new UnreadableFile(null, 'tag_pack_malformed', 'A TagPack has a list under `tags`.');
}

async function* lines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let count = 0;
  for await (const text of texts) {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      count += 1;
      if (part.length > LABEL_FILE_LIMITS.rowBytes) throw tooLong(count);
      yield part.endsWith('\r') ? part.slice(0, -1) : part;
    }
    if (rest.length > LABEL_FILE_LIMITS.rowBytes) throw tooLong(count + 1);
  }
  if (rest !== '') yield rest;
}

function tooLong(line: number): UnreadableFile {
  return new UnreadableFile(line, 'row_too_long', `A tag has at most ${LABEL_FILE_LIMITS.rowBytes} bytes.`);
}
