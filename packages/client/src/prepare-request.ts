import { randomUUID } from 'node:crypto';
import type { PreparedRequest } from './exchange.ts';
import type { CallOptions, Method } from './operations.ts';
import { takesIdempotencyKey } from './send-repeatedly.ts';

/** Where requests go, and as whom. */
export interface ApiAddress {
  /** Without a slash at its end. */
  baseUrl: string;
  apiKey: string | undefined;
  accessToken: string | undefined;
  partnerKey: string | undefined;
  operatorKey: string | undefined;
  timeoutMs: number;
}

type QueryValue = string | number | boolean;
type QueryValues = Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;

/** The parts of a request, as callers give them. */
export interface UnsentRequest extends CallOptions {
  path?: Readonly<Record<string, string | number>> | undefined;
  query?: QueryValues | undefined;
  body?: unknown;
}

/** Prepares a request for any number of attempts. Throws TypeError for a path parameter that names nothing. */
export function prepareRequest(
  address: ApiAddress,
  method: Method,
  template: string,
  request: UnsentRequest,
): PreparedRequest {
  const { path = {}, query = {}, body, signal, timeoutMs = address.timeoutMs } = request;
  const isForm = body instanceof FormData;
  const headers = {
    'User-Agent': USER_AGENT,
    Accept: 'application/json, application/problem+json, */*;q=0.1',
    // The boundary of a form is known to fetch alone.
    ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
    ...keyHeader(address, template),
    ...(takesIdempotencyKey({ method, template }) && {
      'Idempotency-Key': request.idempotencyKey ?? randomUUID(),
    }),
    ...request.headers,
  };
  const url = address.baseUrl + filled(template, path) + searchOf(query);
  const text = body === undefined || isForm ? body : JSON.stringify(body);
  return { method, template, url, headers, body: text, timeoutMs, signal };
}

const VERSION = '0.1.0';
const USER_AGENT = `waybill-client/${VERSION}`;

/** Each key goes only where it is read. */
function keyHeader(
  { apiKey, accessToken, partnerKey, operatorKey }: ApiAddress,
  template: string,
): Record<string, string> {
  if (template.startsWith('/operator/') || template.startsWith('/sandbox/tenants/'))
    return operatorKey === undefined ? {} : { 'X-Operator-Key': operatorKey };
  if (template.startsWith('/partners/'))
    return partnerKey === undefined ? {} : { 'X-Partner-Api-Key': partnerKey };
  // Each of them has a credential of its own.
  if (template.startsWith('/auth/')) return {};
  if (accessToken !== undefined) return { Authorization: `Bearer ${accessToken}` };
  return apiKey === undefined ? {} : { 'X-Api-Key': apiKey };
}

function filled(template: string, path: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(path[name] ?? '');
    // Such segments would lead to another path.
    if (['', '.', '..'].includes(text)) throw new TypeError(`${template}: "${text}" is no ${name}.`);
    return encodeURIComponent(text);
  });
}

/** Repeats the parameter for several values, because a value may contain a comma. */
function searchOf(query: QueryValues): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((each) => each !== undefined)
      .map((each): [string, string] => [name, String(each)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}
