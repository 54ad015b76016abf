import { setImmediate as letOthersRun } from 'node:timers/promises';
import { parseDocument } from 'yaml';
import { decodeText } from '../decode-text.ts';
import { FileFault } from '../unreadable-file.ts';
import { readLabel, type LabelText, type ReadLabel } from './read-label.ts';
import { splitTagPack } from './split-tag-pack.ts';
import { tagType } from './tag-types.ts';

/** What is read of a TagPack; its head gives what a tag of its own does not say. */
const WORDS = [
  'address',
  'currency',
  'network',
  'label',
  'category',
  'abuse',
  'actor',
  'confidence',
  'lastmod',
  'source',
] as const;
type PackTag = Partial<Record<(typeof WORDS)[number], string>>;

/** The labels of a TagPack (github.com/graphsense/graphsense-tagpacks). Throws UnreadableFile, and FileFault where it is none. */
export async function* readTagPack(
  chunks: AsyncIterable<Uint8Array>,
  nameOf: (actor: string) => string | null = () => null,
): AsyncGenerator<ReadLabel[]> {
  let head: PackTag | undefined;
  for await (const part of splitTagPack(decodeText(chunks, 'UTF_8'))) {
    if (part.kind === 'HEAD') {
      head = wordsOf(parsed(part.text, part.line));
      continue;
    }
    const items = parsed(part.text, part.line);
    if (!Array.isArray(items)) throw notATagPack(part.line);
    const tags = items.map((item) => ({ ...head, ...wordsOf(item) }));
    yield tags.map((tag, index) => readLabel(labelText(tag, nameOf), part.lines[index] ?? part.line));
    // Parsing takes some milliseconds: others may want to run.
    await letOthersRun();
  }
  if (!head) throw notATagPack(1);
}

/** Texts only: an address without quotes looks like a number to YAML. */
function parsed(text: string, line: number): unknown {
  try {
    const document = parseDocument(text, { schema: 'failsafe', logLevel: 'silent', prettyErrors: false });
    if (document.errors.length === 0) return document.toJS({ maxAliasCount: 0 }) as unknown;
  } catch {
    // An alias, which could grow without end.
  }
  throw new FileFault(line, 'yaml_malformed', 'From this line on the file is no YAML, or uses an alias.');
}

function notATagPack(line: number): FileFault {
  return new FileFault(line, 'tag_pack_malformed', 'A TagPack has a head and, under `tags`, a list of tags.');
}

function wordsOf(value: unknown): PackTag {
  if (typeof value !== 'object' || value === null) return {};
  const tag: PackTag = {};
  for (const word of WORDS) {
    const text: unknown = Object.hasOwn(value, word) ? Reflect.get(value, word) : undefined;
    if (typeof text === 'string' && text.trim() !== '') tag[word] = text.trim();
  }
  return tag;
}

/** Tickers of tokens and ledgers that no address can be told by: its own shape tells. */
const NO_CHAIN = new Set(['USDT', 'USDC', 'BEP2', 'KCS', 'FTT', 'BUSD', 'DAI']);

function labelText(tag: PackTag, nameOf: (actor: string) => string | null): LabelText {
  const { address = null, label = null, category = null, abuse = null, actor = null } = tag;
  const chain = tag.network ?? tag.currency ?? null;
  return {
    address,
    blockchain: chain === null || NO_CHAIN.has(chain) ? null : chain,
    label,
    type: tagType(label ?? '', category, abuse),
    entityId: actor,
    entityName: actor === null ? null : nameOf(actor),
    confidence: tag.confidence ?? null,
    lastModified: tag.lastmod?.slice(0, 10) ?? null,
    reference: tag.source ?? null,
  };
}
