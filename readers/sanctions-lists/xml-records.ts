import { SaxesParser } from 'saxes';
import { ListFault } from './list-fault.ts';
import type { ListLimits } from './list-limits.ts';
import type { ListFile } from './list-text.ts';
import { listText } from './list-text.ts';
import type { ReadingState } from './reading-state.ts';
import type { XmlNode } from './xml-node.ts';

/** The root element of a format and the elements that are read one by one, each whole. */
export interface XmlShape {
  root: string;
  records: ReadonlySet<string>;
}

/**
 * The root element (without what is in it), then each record in the order of the file. Holds one record at a time. Throws
 * ListFault: no document type, no entities of its own, nothing from outside is ever looked up.
 */
export async function* xmlRecords(
  file: ListFile,
  shape: XmlShape,
  reading: ReadingState,
): AsyncGenerator<XmlNode> {
  const reader = new XmlReader(shape, reading.limits);
  for await (const text of listText(file.content, { startsAs: 'XML' }, reading)) {
    yield* reader.write(text);
  }
  yield* reader.end();
}

class XmlReader {
  readonly #parser = new SaxesParser({ xmlns: false, position: false });
  readonly #shape: XmlShape;
  readonly #limits: ListLimits;
  #ready: XmlNode[] = [];
  /** The record that is open, from itself down to the innermost open element; empty between records. */
  #open: XmlNode[] = [];
  #depth = 0;
  #attributes = 0;
  #recordLength = 0;
  /** Characters since the parser last told of anything: it holds them until then. */
  #silence = 0;

  constructor(shape: XmlShape, limits: ListLimits) {
    this.#shape = shape;
    this.#limits = limits;
    const parser = this.#parser;
    parser.on('opentagstart', ({ name }) => this.#start(localName(name)));
    parser.on('attribute', () => this.#attribute());
    parser.on('opentag', ({ name, attributes }) => this.#openElement(localName(name), attributes));
    parser.on('closetag', () => this.#closeElement());
    parser.on('text', (text) => this.#text(text));
    parser.on('cdata', (text) => this.#text(text));
    parser.on('comment', () => this.#heard());
    parser.on('processinginstruction', () => this.#heard());
    parser.on('doctype', (doctype) => refuseDoctype(doctype));
    parser.on('error', () => {
      throw new ListFault('NOT_THIS_FORMAT');
    });
  }

  write(text: string): XmlNode[] {
    this.#silence += text.length;
    this.#parser.write(text);
    if (this.#silence > this.#limits.textLength) throw new ListFault('TOO_LARGE');
    return this.#taken();
  }

  end(): XmlNode[] {
    this.#parser.on('error', () => {
      throw new ListFault('TRUNCATED');
    });
    this.#parser.close();
    return this.#taken();
  }

  #taken(): XmlNode[] {
    const taken = this.#ready;
    this.#ready = [];
    return taken;
  }

  #heard(): void {
    this.#silence = 0;
  }

  #start(name: string): void {
    this.#heard();
    this.#attributes = 0;
    if (this.#depth === 0 && name !== this.#shape.root) throw new ListFault('NOT_THIS_FORMAT');
    this.#depth++;
    if (this.#depth > this.#limits.depth) throw new ListFault('TOO_LARGE');
  }

  #attribute(): void {
    this.#heard();
    this.#attributes++;
    if (this.#attributes > this.#limits.attributes) throw new ListFault('TOO_LARGE');
  }

  #openElement(name: string, given: Record<string, string>): void {
    this.#heard();
    const parent = this.#open.at(-1);
    const isRoot = this.#depth === 1;
    if (parent === undefined && !isRoot && !this.#shape.records.has(name)) return;
    const attributes = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [localName(key), value]),
    );
    const node: XmlNode = { name, attributes, text: '', children: [] };
    if (isRoot) {
      this.#ready.push(node);
      return;
    }
    if (parent === undefined) this.#recordLength = 0;
    this.#grow(ELEMENT_LENGTH + Object.values(attributes).join('').length);
    parent?.children.push(node);
    this.#open.push(node);
  }

  #closeElement(): void {
    this.#heard();
    this.#depth--;
    const node = this.#open.pop();
    if (node !== undefined && this.#open.length === 0) this.#ready.push(node);
  }

  #text(text: string): void {
    this.#heard();
    if (text.length > this.#limits.textLength) throw new ListFault('TOO_LARGE');
    const node = this.#open.at(-1);
    if (node === undefined) return;
    this.#grow(text.length);
    if (text.trim() !== '') node.text += text;
  }

  #grow(length: number): void {
    this.#recordLength += length;
    if (this.#recordLength > this.#limits.subjectLength) throw new ListFault('TOO_LARGE');
  }
}

/** What an element counts for, so that very many empty ones have a limit too. */
const ELEMENT_LENGTH = 50;

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function refuseDoctype(doctype: string): never {
  throw new ListFault(/^\s*html\b/i.test(doctype) ? 'NOT_THIS_FORMAT' : 'ENTITY_DECLARED');
}
