import { MAX_ROW_BYTES } from '../../domain/row-fault.ts';
import { textLines } from '../text-lines.ts';
import { FileFault, UnreadableFile } from '../unreadable-file.ts';

/** A piece of a TagPack that is YAML by itself. `lines` says where each tag begins. */
type PackPart =
  | { kind: 'HEAD'; text: string; line: number }
  | { kind: 'TAGS'; text: string; line: number; lines: number[] };

/** Small enough that other work comes in between. */
const TAGS_PER_PART = 250;
const LINES_PER_TAG = 100;
/** A tag is flat: brackets in brackets only keep a parser busy. */
const BRACKETS_PER_TAG = 100;

/**
 * Cuts a TagPack into its head and pieces of its list of tags: a parser of whole YAML files would stand still for seconds
 * over a large one. Throws UnreadableFile ROW_TOO_LONG and FileFault.
 */
export async function* splitTagPack(texts: AsyncIterable<string>): AsyncGenerator<PackPart> {
  const head: string[] = [];
  let tags: TagLines | undefined;
  for await (const { text: whole, line } of textLines(texts, MAX_ROW_BYTES)) {
    const text = whole.endsWith('\r') ? whole.slice(0, -1) : whole;
    if (tags) {
      if (tags.startsTag(text) && tags.isFull) {
        yield tags.part();
        tags = new TagLines(line, tags.dash);
      }
      tags.add(text, line);
    } else if (/^tags:\s*(?:#.*)?$/.test(text)) {
      yield { kind: 'HEAD', text: head.join('\n'), line: 1 };
      tags = new TagLines(line + 1);
    } else head.push(text);
  }
  if (!tags) throw new FileFault(null, 'tag_pack_malformed', 'A TagPack has a list under `tags`.');
  if (!tags.isEmpty) yield tags.part();
}

/** Some tags of the list, as lines. */
class TagLines {
  /** How far in the tags begin, known from the first one. */
  dash: string | undefined;
  readonly #line: number;
  readonly #texts: string[] = [];
  readonly #lines: number[] = [];
  #brackets = 0;

  constructor(line: number, dash?: string) {
    this.#line = line;
    this.dash = dash;
  }

  get isFull(): boolean {
    return this.#lines.length >= TAGS_PER_PART;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  startsTag(text: string): boolean {
    this.dash ??= /^ *- /.exec(text)?.[0];
    return this.dash !== undefined && text.startsWith(this.dash);
  }

  add(text: string, line: number): void {
    const isTag = this.startsTag(text);
    if (isTag) this.#brackets = 0;
    this.#brackets += text.split(/[[{]/).length - 1;
    const isForeign = /^[^\s#-]/.test(text) || (this.isEmpty && !isTag && /^\s*[^\s#]/.test(text));
    if (isForeign && text.trim() !== '...') {
      throw new FileFault(line, 'tag_pack_malformed', 'The list of tags is the last part of a TagPack.');
    }
    if (this.#brackets > BRACKETS_PER_TAG || this.#texts.length > TAGS_PER_PART * LINES_PER_TAG)
      throw new UnreadableFile('ROW_TOO_LONG', line);
    if (isTag) this.#lines.push(line);
    this.#texts.push(text);
  }

  part(): PackPart {
    return { kind: 'TAGS', text: this.#texts.join('\n'), line: this.#line, lines: this.#lines };
  }
}
