import type { TestAnswer } from '../api-client.ts';

/** Members that are different each time: secrets, hashes, the random amount of a satoshi test (others are numbers). */
const RANDOM = new Set([
  'token',
  'url',
  'webhookSecret',
  'accessToken',
  'refreshToken',
  'cursor',
  'nextCursor',
  'apiKey',
  'key',
  'amount',
  'hash',
  'previousHash',
  'payloadHash',
  'contentHash',
  'sha256',
]);
/** Members of the request, not of what it is about, and whether the process had loaded the lists yet. */
const LEFT_OUT = new Set(['requestId', 'instance', 'durationMs', 'lastUsedAt', 'answeredBy']);
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

export interface NormalAnswer {
  status: number;
  body: unknown;
  headers: string[];
  total: string | null;
}

/**
 * An answer without what differs by chance: ids, times and secrets. `labels` replaces known values by their names, so
 * that answers about two tenants are equal if they say the same.
 */
export function normalAnswer(answer: TestAnswer<unknown>, labels: ReadonlyMap<string, string>): NormalAnswer {
  return {
    status: answer.status,
    body: normal(answer.body, labels),
    headers: [...answer.headers.keys()]
      .filter((name) => !/^(ratelimit|content-length)/.test(name))
      .toSorted(),
    total: answer.headers.get('X-Total-Count'),
  };
}

function normal(value: unknown, labels: ReadonlyMap<string, string>, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => normal(each, labels, key));
  if (typeof value === 'object' && value !== null) {
    const kept = Object.entries(value).filter(([name]) => !LEFT_OUT.has(name));
    return Object.fromEntries(kept.map(([name, member]) => [name, normal(member, labels, name)]));
  }
  if (typeof value === 'number') return /^(id|ids|destinationWalletId)$/.test(key) ? '<number>' : value;
  if (typeof value !== 'string') return value;
  return RANDOM.has(key) ? '<random>' : normalText(value, labels);
}

function normalText(text: string, labels: ReadonlyMap<string, string>): string {
  let normalised = text;
  // Addresses have several spellings; case makes no difference.
  for (const [known, label] of labels) {
    normalised = normalised.replaceAll(new RegExp(escaped(known), 'gi'), label);
  }
  return normalised.replaceAll(UUID, '<uuid>').replaceAll(TIME, '<time>');
}

/**
 * Names for every text in an object, in its own words. An address or hash has one without `0x` too; ids need none. Longer
 * texts come first, as one may contain another.
 */
export function labelsOf(values: object): [string, string][] {
  const found = Object.entries(values).flatMap(([name, value]): [string, string][] => {
    if (typeof value !== 'string') return [];
    const isHex = value.startsWith('0x');
    return isHex
      ? [
          [value, `<${name}>`],
          [value.slice(2), `<${name} digits>`],
        ]
      : [[value, `<${name}>`]];
  });
  return found.toSorted(([one], [other]) => other.length - one.length);
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
