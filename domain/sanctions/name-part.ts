import type { Script } from './script-of.ts';

export type PartKind = 'word' | 'generic' | 'initial' | 'particle' | 'form' | 'number';

export interface HeardPart {
  sounds?: string;
  longSounds?: string;
  koreanSounds?: string;
  codes?: [string, string];
}

/** One part of a name as it is compared. Parts of listed names are interned: equal parts are one object. */
export interface NamePart {
  /** Romanised, lower-case ASCII letters and digits; the digits of a numeral. Never empty. */
  text: string;
  kind: PartKind;
  /** The letters in their own script, for a part that is not Latin. */
  native: string;
  script: Script;
  /** What a legal form or a generic word means in any language; empty otherwise. */
  meaning: string;
  weight: number;
  /** One bit per letter of `text`: tells quickly that two parts have too little in common. */
  letters: number;
  /** Number of the interned part, or -1 for a part of a query. */
  id: number;
  /** How it sounds, worked out when it is first asked for; see `part-sounds.ts`. */
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

/** The part of a name; `native` only where the letters are not Latin. */
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
    heard: undefined,
  };
}

/** Distinguishes every part that compares differently. */
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
