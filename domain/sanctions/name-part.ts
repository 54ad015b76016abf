import type { Script } from './letters/script-of.ts';

export type PartKind = 'word' | 'generic' | 'initial' | 'particle' | 'form' | 'number';

export interface HeardPart {
  sounds?: string;
  longSounds?: string;
  koreanSounds?: string;
  codes?: [string, string];
}

/** One part of a name in comparable form. Parts of listed names are interned: equal parts are one object. */
export interface NamePart {
  /** Romanised, lower-case ASCII letters and digits; the digits of a numeral. Never empty. */
  text: string;
  kind: PartKind;
  /** The original letters of a part that is not Latin; empty for a Latin part. */
  native: string;
  script: Script;
  /** The language-independent meaning of a legal form or a generic word; empty for other parts. */
  meaning: string;
  weight: number;
  /** One bit per letter of `text`, to find quickly that two parts have too little in common. */
  letters: number;
  /** Number of the interned part, or -1 for a part of a query. */
  id: number;
  /** How many listed names have the interned part; 0 for a part of a query. */
  names: number;
  /** Sounds of the part, computed when first needed; see `part-sounds.ts`. */
  heard: HeardPart | undefined;
}

const WEIGHTS: Record<PartKind, number> = {
  word: 1,
  generic: 0.65,
  initial: 0.5,
  particle: 0.2,
  form: 0.2,
  number: 0.5,
};

/** Creates a part of a name; set `native` only if the letters are not Latin. */
export function namePart(
  text: string,
  kind: PartKind,
  more: { native?: string; script?: Script; meaning?: string; weight?: number } = {},
): NamePart {
  return {
    text,
    kind,
    native: more.native ?? '',
    script: more.script ?? 'latin',
    meaning: more.meaning ?? '',
    weight: more.weight ?? WEIGHTS[kind],
    letters: letterBits(text),
    id: -1,
    names: 0,
    heard: undefined,
  };
}

/** A key that is equal for parts that compare equally. */
export function partKey(part: NamePart): string {
  return `${part.kind}\u0000${part.text}\u0000${part.native}`;
}

/** Letters take bits 0 to 25, all digits share bit 26. */
function letterBits(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    bits |= code >= 97 ? 1 << (code - 97) : 1 << 26;
  }
  return bits;
}
