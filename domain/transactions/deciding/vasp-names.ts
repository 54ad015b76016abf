import { foldName } from '../../fold.ts';
import type { SanctionsSearchBody } from '../../sanctions-screening/schema.ts';

/** The other VASP of a transfer as the directory knows it. */
export interface KnownVasp {
  name: string;
  /** Its name, legal name and aliases, and those of its duplicates. */
  allNames: readonly string[];
}

/** The directory may have more names of one VASP than a search compares. */
const NAMES_AT_ONCE = 10;

/** The compared names of the other VASP: the name that the transfer gives, and every name in the directory. */
export function vaspBodies(given: string | null, known: KnownVasp | null): SanctionsSearchBody[] {
  const names = distinct([given, known?.name, ...(known?.allNames ?? [])].filter((name) => name != null));
  const bodies: SanctionsSearchBody[] = [];
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const [name, ...aliases] = names.slice(at, at + NAMES_AT_ONCE);
    bodies.push({ name, ...(aliases.length > 0 && { aliases }) });
  }
  return bodies;
}

/** Each name once, as it is spelled first. */
function distinct(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const folded = foldName(name);
    return folded !== '' && !seen.has(folded) && seen.add(folded);
  });
}
