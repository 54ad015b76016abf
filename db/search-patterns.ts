/** A LIKE pattern for values that begin with the text. */
export function prefixPattern(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, (special) => `\\${special}`)}%`;
}

/** The lowest and the highest UUID that begin with the text; undefined when none can. */
export function idRange(text: string): [string, string] | undefined {
  if (!/^[0-9a-f]{8}(-[0-9a-f-]*)?$/i.test(text) || text.length > 36) return undefined;
  const low = text.toLowerCase() + EMPTY_ID.slice(text.length);
  const high = text.toLowerCase() + FULL_ID.slice(text.length);
  return UUID.test(low) ? [low, high] : undefined;
}

const EMPTY_ID = '00000000-0000-0000-0000-000000000000';
const FULL_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
