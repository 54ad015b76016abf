/** What the structure of a JSON text shows without parsing it. */
interface JsonOutline {
  /** How many members its objects have together, repeated names included. */
  members: number;
  /** How many objects and lists there are. */
  containers: number;
  deepest: number;
  /** How many commas the list or object with the most of them has. */
  mostCommas: number;
  /** Whether every bracket and every text is closed, and no bracket closes what was not opened. */
  isClosed: boolean;
}

const [QUOTE, COLON, COMMA, BACKSLASH] = [0x22, 0x3a, 0x2c, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts members, objects, lists, levels and commas in one pass, which ends at a bracket too many: nothing behind it can
 * make the text JSON. Of a text that is not JSON the numbers say nothing.
 */
export function outlineOf(text: string): JsonOutline {
  let members = 0;
  let containers = 0;
  let depth = 0;
  let deepest = 0;
  let mostCommas = 0;
  /** Of the open list or object of each level. */
  const commas: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(text, at);
      if (at < 0) return { members, containers, deepest, mostCommas, isClosed: false };
    } else if (code === COLON) members += 1;
    else if (code === COMMA) {
      const inside = (commas[depth] ?? 0) + 1;
      commas[depth] = inside;
      if (inside > mostCommas) mostCommas = inside;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      containers += 1;
      depth += 1;
      commas[depth] = 0;
      if (depth > deepest) deepest = depth;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (depth < 0) return { members, containers, deepest, mostCommas, isClosed: false };
  }
  return { members, containers, deepest, mostCommas, isClosed: depth === 0 };
}

/** Where the text that begins at a quote ends; -1 if it does not. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

/** How many members the objects of a parsed value have together. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let members = Array.isArray(value) ? 0 : children.length;
  for (const child of children) {
    if (typeof child === 'object' && child !== null) members += countMembers(child);
  }
  return members;
}
