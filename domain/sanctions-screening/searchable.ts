import { nameParts } from '../sanctions/name-parts.ts';

/** Whether the name has a letter or digit that the engine can compare. */
export function isSearchable(name: string): boolean {
  // These characters are always read; other letters may be dropped.
  if (/[a-z0-9]/i.test(name)) return true;
  return nameParts(name, 'person').length > 0 || nameParts(name, 'organisation').length > 0;
}
