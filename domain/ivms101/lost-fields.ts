import { cut, isLatin, latinSpelling } from './latin.ts';
import { tidied } from './payload-object.ts';

/** A field of a message that a payload does not have as it is. */
export interface LostField {
  /** JSON Pointer into the message. */
  pointer: string;
  /** The payload has nothing of it, only its beginning, or its spelling in Latin letters. */
  how: 'LEFT_OUT' | 'SHORTENED' | 'LATIN_ONLY';
}

/** Fits the fields of one party into the limits of the standard and remembers those that do not fit. */
export class LostFields {
  readonly list: LostField[] = [];
  readonly #at: string;

  constructor(at: string) {
    this.#at = at;
  }

  leftOut(...fields: readonly string[]): void {
    this.#add(fields, 'LEFT_OUT');
  }

  shortened(...fields: readonly string[]): void {
    this.#add(fields, 'SHORTENED');
  }

  latinOnly(...fields: readonly string[]): void {
    this.#add(fields, 'LATIN_ONLY');
  }

  /** A text in Latin letters and of limited length. */
  text(field: string, value: string | undefined, maxLength: number): string | undefined {
    const spelt = this.#latin(field, value);
    if (spelt === undefined || spelt.length <= maxLength) return spelt;
    this.shortened(field);
    return cut(spelt, maxLength);
  }

  /** An identifier is written as it is or not at all: another spelling would be another identifier. */
  identifier(field: string, value: string | undefined, maxLength: number): string | undefined {
    if (value === undefined) return undefined;
    const text = tidied(value);
    if (text !== '' && isLatin(text) && text.length <= maxLength) return text;
    this.leftOut(field);
    return undefined;
  }

  /** A text on several lines, which end behind a comma or a word where they can. */
  lines(field: string, value: string | undefined, maxLines: number, maxLength: number): string[] {
    const lines: string[] = [];
    let rest = this.#latin(field, value) ?? '';
    while (rest !== '' && lines.length < maxLines) {
      const end = lineEnd(rest, maxLength);
      lines.push(rest.slice(0, end).trimEnd());
      rest = rest.slice(end).replace(/^,? ?/, '');
    }
    if (rest !== '') this.shortened(field);
    return lines;
  }

  #latin(field: string, value: string | undefined): string | undefined {
    if (value === undefined) return undefined;
    const text = tidied(value);
    const spelt = latinSpelling(text);
    if (spelt === '') {
      this.leftOut(field);
      return undefined;
    }
    if (spelt !== text) this.latinOnly(field);
    return spelt;
  }

  #add(fields: readonly string[], how: LostField['how']): void {
    this.list.push(...fields.map((field) => ({ pointer: `${this.#at}/${field}`, how })));
  }
}

/** The length of the first line of a text. */
function lineEnd(text: string, maxLength: number): number {
  if (text.length <= maxLength) return text.length;
  const comma = text.lastIndexOf(', ', maxLength);
  if (comma > 0) return comma;
  const space = text.lastIndexOf(' ', maxLength);
  return space > 0 ? space : maxLength;
}
