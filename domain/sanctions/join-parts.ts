import { namePart, type NamePart } from './name-part.ts';

const DOUBLED = /(.)\1+/gu;

/** A run of consecutive parts of a name. */
export interface PartRun {
  start: number;
  length: number;
}

/** The parts of a run joined to one part, with its native letters if all parts are in the same script. */
export function joinParts(parts: readonly NamePart[], { start, length }: PartRun): NamePart {
  const foreign = isForeignRun(parts, { start, length });
  let text = '';
  let native = '';
  for (let index = start; index < start + length; index++) {
    text += parts[index]?.text ?? '';
    if (foreign) native += parts[index]?.native ?? '';
  }
  const script = parts[start]?.script ?? 'latin';
  return namePart(text, 'word', foreign ? { native: native.replace(DOUBLED, '$1'), script } : {});
}

/** Whether all parts of the run are in one script that is not Latin. */
export function isForeignRun(parts: readonly NamePart[], { start, length }: PartRun): boolean {
  const script = parts[start]?.script;
  for (let index = start; index < start + length; index++) {
    const part = parts[index];
    if (part === undefined || part.native === '' || part.script !== script) return false;
  }
  return true;
}

/** Number of romanised letters in a run. */
export function lettersOfRun(parts: readonly NamePart[], { start, length }: PartRun): number {
  let letters = 0;
  for (let index = start; index < start + length; index++) letters += parts[index]?.text.length ?? 0;
  return letters;
}
