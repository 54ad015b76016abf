import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Schemas } from './operations.ts';
import { WaybillError } from './problems.ts';

/** The bodies of webhooks by their `X-Event-Type`. */
interface WebhookBodies {
  transaction: Schemas['Transaction'];
  'wallet-verification': Schemas['WalletVerification'];
  claim: Schemas['Claim'];
  seal: Schemas['EventSeal'];
  reconciliation: Schemas['ReconciliationReport'];
  test: Schemas['TestWebhook'];
}

interface Received<Type, Body> {
  type: Type;
  /** The id of the delivery: the same for every attempt. Remember those that you have processed. */
  eventId: string;
  /** The number of this attempt, from 1. */
  attempt: number;
  /** The `version` of the record: of two bodies of one record the higher one is newer. */
  version: number;
  body: Body;
}

/** A webhook whose signature is right. `UNKNOWN` are types that later versions of the API may add: answer 200, ignore it. */
export type WebhookEvent =
  | { [Type in keyof WebhookBodies]: Received<Type, WebhookBodies[Type]> }[keyof WebhookBodies]
  | Received<'UNKNOWN', unknown>;

/** A request that is not a genuine webhook. Answer 401 and ignore its body. */
export class WebhookRefused extends WaybillError {}

/** Headers as Node, Express or fetch have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** The largest difference of the two clocks, in seconds. Default: 300. */
  toleranceSeconds?: number;
  /** The time of the receiver. Default: now. */
  now?: Date;
}

/**
 * Checks the signature of a webhook over its raw bytes and gives its event. `secrets` is `webhookSecret` of the tenant, or
 * several while it changes. The header of the previous secret counts as well. Throws WebhookRefused.
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  rawBody: Uint8Array | string,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): WebhookEvent {
  const keys = [secrets].flat().filter((secret) => secret !== '');
  // An empty key would let everybody sign.
  if (keys.length === 0) throw new TypeError('The webhook secret is missing.');
  const signatures = SIGNATURE_HEADERS.map((name) => readHeader(headers, name));
  const isGenuine = signatures.some((signature) =>
    keys.some((key) => isSignedBy(key, signature, rawBody, { toleranceSeconds, now })),
  );
  if (!isGenuine) throw new WebhookRefused('The signature is missing, wrong, or too old.');
  return readEvent(headers, parse(rawBody));
}

const SIGNATURE_HEADERS = ['service-signature', 'service-signature-previous'];

function isSignedBy(
  secret: string,
  header: string,
  rawBody: Uint8Array | string,
  { toleranceSeconds, now }: Required<VerifyOptions>,
): boolean {
  const [, time, signature = ''] = /^t=(\d{1,16}),s=([0-9a-f]{64})$/.exec(header) ?? [];
  if (time === undefined) return false;
  const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
  const isInTime = Math.abs(now.getTime() - Number(time)) <= toleranceSeconds * 1_000;
  return timingSafeEqual(Buffer.from(signature, 'hex'), expected) && isInTime;
}

/** The value of a header, whose name may be in any case. Empty if it is missing, or there more than once. */
function readHeader(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const values = Object.entries(headers).filter(([given]) => given.toLowerCase() === name);
  const [value] = values.flatMap(([, each]) => each ?? []);
  return values.length === 1 && value !== undefined ? value : '';
}

function parse(rawBody: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody));
  } catch (cause) {
    throw new WebhookRefused('The body is not JSON.', { cause });
  }
}

/** A member that only bodies of the type have: the header that names the type is not signed. */
const MEMBER_OF: Record<keyof WebhookBodies, string> = {
  transaction: 'clearance',
  'wallet-verification': 'allowedFlows',
  claim: 'remindedAt',
  seal: 'jws',
  reconciliation: 'found',
  test: 'type',
};

function readEvent(headers: WebhookHeaders, body: unknown): WebhookEvent {
  const type = readHeader(headers, 'x-event-type');
  const event = {
    eventId: readHeader(headers, 'x-event-id'),
    attempt: Number(readHeader(headers, 'x-delivery-attempt')),
    version: versionOf(body) ?? Number(readHeader(headers, 'x-resource-version')),
    body,
  };
  if (!isKnownType(type)) return { ...event, type: 'UNKNOWN' };
  if (typeof body !== 'object' || body === null || !(MEMBER_OF[type] in body)) {
    throw new WebhookRefused(`The body is not one of "${type}".`);
  }
  // Signed by the API, whose document says what such a body is.
  return { ...event, type, body } as WebhookEvent;
}

/** The version in the body is signed, that of the header is not; seals and tests have the header alone. */
function versionOf(body: unknown): number | undefined {
  if (typeof body !== 'object' || body === null || !('version' in body)) return undefined;
  return typeof body.version === 'number' ? body.version : undefined;
}

function isKnownType(type: string): type is keyof WebhookBodies {
  return Object.hasOwn(MEMBER_OF, type);
}
