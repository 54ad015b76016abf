/** Levels of arrays, objects and JSON inside JSON strings that are searched, such as a whole `eth_signTypedData` call. */
const MAX_DEPTH = 6;
const MARKS = ['types', 'domain', 'primaryType'];
/** The hash input of EIP-712: 0x1901, the domain separator and the hash of the structure. */
const ENCODED = /^0x1901[0-9a-f]{128}$/i;

/** Whether the text is EIP-712 typed data: as JSON, bare or wrapped, in its first form (a list of fields), or encoded. */
export function looksLikeTypedData(message: string): boolean {
  return ENCODED.test(message) || containsTypedData(message, MAX_DEPTH);
}

function containsTypedData(value: unknown, depth: number): boolean {
  if (depth === 0) return false;
  if (typeof value === 'string') return containsTypedData(parsedObject(value), depth - 1);
  if (typeof value !== 'object' || value === null) return false;
  return isTypedData(value) || Object.values(value).some((inner) => containsTypedData(inner, depth - 1));
}

function isTypedData(value: object): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isFirstFormField);
  return MARKS.filter((mark) => Object.hasOwn(value, mark)).length >= 2;
}

function isFirstFormField(value: unknown): boolean {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && ['type', 'name', 'value'].every((key) => Object.hasOwn(value, key));
}

function parsedObject(text: string): unknown {
  // Besides brackets, JSON can only start with a byte order mark or the quote of a string.
  if (!/^[\s\uFEFF]*[[{"]/.test(text)) return undefined;
  try {
    return JSON.parse(text.replace(/^[\s\uFEFF]+/, ''));
  } catch {
    return undefined;
  }
}
