/** The fields of an EIP-4361 or CAIP-122 text, unchanged. Times are in milliseconds since 1970. */
export interface SignInFields {
  /** The scheme without `://`; null if the text has none. */
  scheme: string | null;
  /** host[:port] in lower case. */
  domain: string;
  accountKind: string;
  address: string;
  uri: string;
  chainId: string;
  nonce: string;
  issuedAtMs: number;
  expiresAtMs: number | null;
  notBeforeMs: number | null;
  requestId: string | null;
}

const DOMAIN = '(?:[a-z0-9._-]+|\\[[0-9a-f:.]+\\])(?::\\d{1,5})?';
const HEADER = new RegExp(
  `^(?:([a-z][a-z0-9+.-]*)://)?(${DOMAIN}) wants you to sign in with your ([A-Za-z0-9 ]{1,64}) account:$`,
  'i',
);
/** Anything that a wallet or a reader would take for a sign-in text, even if it is malformed. */
const LOOSE_HEADER = /^[ \t]*(?:[a-z][a-z0-9+.-]*:\/\/)?(\S+) wants you to sign in with your [^\n]*account/im;
/** Some pages write `URI:` without the space. */
const FIELD = /^([A-Z][A-Za-z ]*): ?(\S.*)$/;
const LABELS = [
  'URI',
  'Version',
  'Chain ID',
  'Nonce',
  'Issued At',
  'Expiration Time',
  'Not Before',
  'Request ID',
];
const NONCE = /^[A-Za-z0-9]{8,}$/;
/** RFC 3339; real texts also have a space instead of the T, or no zone (then UTC). */
const TIME = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d(?:\.\d+)?)([Zz]|[+-]\d\d:\d\d)?$/;

/**
 * Reads a text of EIP-4361 or CAIP-122: lines end in LF, every label occurs once, nothing precedes or follows. Returns
 * undefined for any other text, including one that lacks URI, Version 1, Chain ID, Nonce or Issued At.
 */
export function readSignInText(message: string): SignInFields | undefined {
  const lines = message.split('\n');
  const header = HEADER.exec(lines[0] ?? '');
  const address = lines[1] ?? '';
  const start = fieldsStart(lines);
  if (!header || start === undefined || !/^\S+$/.test(address)) return undefined;
  const fields = readFields(lines.slice(start));
  if (!fields) return undefined;
  const [, scheme, domain = '', accountKind = ''] = header;
  const named = { scheme: scheme?.toLowerCase() ?? null, domain: domain.toLowerCase(), accountKind, address };
  return withTypes(named, fields);
}

/** The domain of a sign-in text, even if it is not well-formed; undefined for other texts. */
export function looseSignInDomain(message: string): string | undefined {
  return LOOSE_HEADER.exec(message)?.[1]?.toLowerCase();
}

/** The line where the fields start. The statement before them may be omitted, leaving one or two empty lines. */
function fieldsStart(lines: readonly string[]): number | undefined {
  if (lines[2] !== '') return undefined;
  if (lines[3]?.startsWith('URI:')) return 3;
  if (lines[3] === '') return 4;
  return lines[4] === '' ? 5 : undefined;
}

function readFields(lines: readonly string[]): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  const resourcesAt = lines.indexOf('Resources:');
  const labelled = resourcesAt === -1 ? lines : lines.slice(0, resourcesAt);
  const resources = resourcesAt === -1 ? [] : lines.slice(resourcesAt + 1);
  if (!resources.every((line) => /^- \S+$/.test(line))) return undefined;
  for (const line of labelled) {
    const [, label = '', value = ''] = FIELD.exec(line) ?? [];
    if (!LABELS.includes(label) || fields.has(label)) return undefined;
    fields.set(label, value);
  }
  return fields;
}

type NamedFields = Pick<SignInFields, 'scheme' | 'domain' | 'accountKind' | 'address'>;

function withTypes(named: NamedFields, fields: ReadonlyMap<string, string>): SignInFields | undefined {
  const uri = fields.get('URI');
  const chainId = fields.get('Chain ID');
  const nonce = fields.get('Nonce');
  const issuedAtMs = timeOf(fields.get('Issued At'));
  const expiresAtMs = optionalTime(fields.get('Expiration Time'));
  const notBeforeMs = optionalTime(fields.get('Not Before'));
  if (fields.get('Version') !== '1' || nonce === undefined || !NONCE.test(nonce)) return undefined;
  if (uri === undefined || chainId === undefined || issuedAtMs === undefined) return undefined;
  if (expiresAtMs === undefined || notBeforeMs === undefined) return undefined;
  const requestId = fields.get('Request ID') ?? null;
  return { ...named, uri, chainId, nonce, issuedAtMs, expiresAtMs, notBeforeMs, requestId };
}

function optionalTime(text: string | undefined): number | null | undefined {
  return text === undefined ? null : timeOf(text);
}

/** Milliseconds since 1970; undefined for a time that does not exist, such as 30 February. */
function timeOf(text: string | undefined): number | undefined {
  const [, day = '', time = '', zone = 'Z'] = TIME.exec(text ?? '') ?? [];
  const dayMs = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(day);
  const timeMs = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  return isDay && !Number.isNaN(timeMs) ? timeMs : undefined;
}
