/** What a text may have at most; the pass ends where it has more. */
interface OutlineLimits {
  /** Members, objects and lists together. */
  parts: number;
  levels: number;
  /** Of one list or object. */
  commas: number;
}

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
 * Counts members, objects, lists, levels and commas in one pass. It ends at a bracket too many, since nothing behind it can
 * make the text JSON, and where a limit is passed, so that a large text costs no more than one of a few thousand signs. Of
 * a text that is not JSON the numbers say nothing.
 */
export function outlineOf(text: string, limits: OutlineLimits): JsonOutline {
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
    const isOver = depth > limits.levels || members + containers > limits.parts || mostCommas > limits.commas;
    if (depth < 0 || isOver) return { members, containers, deepest, mostCommas, isClosed: false };
  }
  return { members, containers, deepest, mostCommas, isClosed: depth === 0 };
}

/** Where the text that begins at a quote ends; -1 if it does not. */
function endOfText(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  if (end < 0 || text.charCodeAt(end - 1) !== BACKSLASH) return end;
  // Sign by sign: a search for each of a million escaped quotes would take longer.
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return -1;
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
