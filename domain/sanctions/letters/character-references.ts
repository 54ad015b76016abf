const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi;
/** "aacute", "Ccedil", "lstrok": a letter and the name of its accent. */
const ACCENTED =
  /^([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron|ogon|breve|macr|dot|dblac|strok)$/i;
const NAMED: Record<string, string> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  nbsp: ' ',
  shy: '',
  szlig: 'ß',
  aelig: 'æ',
  oelig: 'œ',
  thorn: 'þ',
  eth: 'ð',
  lsquo: "'",
  rsquo: "'",
  ldquo: '"',
  rdquo: '"',
  ndash: '–',
  mdash: '—',
};
const PERCENT_ENCODED = /(?:%[\da-f]{2})+/gi;
/** Bytes of quoted-printable e-mails: "=20". Only capitals are such digits. */
const QUOTED_PRINTABLE = /(?:=[\dA-F]{2})+/g;

/** Half of a character that two escapes write: "\\ud835\\udc01". */
const LONE_HALF = /\p{Cs}/gu;

/** Characters as programs write them: "\\u0041", "\\u{41}", "\\x41". */
const ESCAPED = /\\(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2}))/gi;

/** UTF-8 that was read as Latin-1: "Ã¡" for "á". No language has these letters before these signs. */
const MISREAD_UTF8 = /[\u00c3-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}/g;

/**
 * The text with HTML's character references, also doubly encoded ones, percent-encoded, quoted-printable and escaped characters and UTF-8 that was
 * read as Latin-1 as characters.
 */
export function decodeCharacters(text: string): string {
  const plain = text.includes('\\') ? text.replace(ESCAPED, unescaped) : text;
  const quoted = plain.includes('=') ? plain.replace(QUOTED_PRINTABLE, quotedDecoded) : plain;
  const read = quoted.replace(MISREAD_UTF8, (letters) => percentDecoded(percentEncoded(letters)));
  const decoded = decodeReferences(read.includes('%') ? read.replace(PERCENT_ENCODED, percentDecoded) : read);
  return decoded === text ? text : decoded.replace(LONE_HALF, ' ');
}

function percentEncoded(latin: string): string {
  return Array.from(latin, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
}

function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, referred).replace(REFERENCE, referred);
}

/** Unknown names stay as they are written. */
function referred(written: string, decimal?: string, hex?: string, name = ''): string {
  if (decimal !== undefined) return characterOf(Number(decimal));
  if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
  return ACCENTED.exec(name)?.[1] ?? NAMED[name.toLowerCase()] ?? written;
}

function unescaped(_: string, ...codes: (string | undefined)[]): string {
  return characterOf(Number.parseInt(codes.slice(0, 3).find((code) => code !== undefined) ?? '', 16));
}

/** The character of a code point, or half of one, which the other half follows; a space for a number that is neither. */
function characterOf(code: number): string {
  return code === 0 || code > 0x10ffff ? ' ' : String.fromCodePoint(code);
}

/** The characters of UTF-8 bytes; the text itself, such as that of "100%ab", where the bytes are none. */
function percentDecoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** The characters of the bytes; the text itself where they are none, as in "ANNA=DANIEL". */
function quotedDecoded(encoded: string): string {
  const percent = encoded.replaceAll('=', '%');
  const decoded = percentDecoded(percent);
  return decoded === percent ? encoded : decoded;
}
