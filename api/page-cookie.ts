import { DomainError } from '../domain/errors.ts';
import { apiUrlOf, type Settings } from '../process/settings.ts';
import { hostOf, isLoopback } from './loopback.ts';

type OwnAddress = Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'PORT'>;

interface RequestHeaders {
  get: (name: string) => string | undefined;
}

/** A header that a form, a link or an image of another site cannot send. */
const PAGE_HEADER = 'X-Waybill-Page';

/** The Set-Cookie header of a signed-in page. A maximum age of 0 seconds removes the cookie. */
export function pageCookie(settings: OwnAddress, value: string, maxAgeSeconds: number): string {
  const secure = isSecure(settings) ? '; Secure' : '';
  return `${nameOf(settings)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

/** The value of the cookie of a page; null without one. Of several with the name, the first. */
export function readPageCookie(settings: OwnAddress, header: string | undefined): string | null {
  if (header === undefined) return null;
  const start = `${nameOf(settings)}=`;
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null;
}

/** With the prefix no other host of the domain, and nobody on the way, can set the cookie (RFC 6265bis). */
function nameOf(settings: OwnAddress): string {
  return isSecure(settings) ? '__Host-waybill' : 'waybill';
}

/** Not on a loopback address that is reached by http: browsers differ in whether they keep a secure cookie of it. */
function isSecure(settings: OwnAddress): boolean {
  const { protocol, host } = new URL(apiUrlOf(settings));
  return protocol === 'https:' || !isLoopback(hostOf(host));
}

/**
 * Requires that the page of a request with a cookie is one of this deployment: any site can make a browser send a request,
 * and the cookie with it. Throws forbidden.
 */
export function requireOwnPage(request: RequestHeaders & { method: string }, settings: OwnAddress): void {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // `none`: the person has opened the address, as for a download.
  if (!isRead || request.get('Sec-Fetch-Site') !== 'none') requireOwnOrigin(request, settings);
  if (isRead || request.get(PAGE_HEADER) !== undefined) return;
  throw new DomainError('forbidden', `A request with the cookie of a page needs the header ${PAGE_HEADER}.`);
}

/** Requires that the browser, if it is one, names no other site. Throws forbidden. */
export function requireOwnOrigin(request: RequestHeaders, settings: OwnAddress): void {
  const site = request.get('Sec-Fetch-Site') ?? 'same-origin';
  const origin = request.get('Origin');
  if (site === 'same-origin' && (origin === undefined || isOwnOrigin(origin, request, settings))) return;
  throw new DomainError(
    'forbidden',
    'This is for pages of this deployment: the request came from another site.',
  );
}

/** The address that callers use, or the one that this request was sent to. */
function isOwnOrigin(origin: string, request: RequestHeaders, settings: OwnAddress): boolean {
  if (!URL.canParse(origin)) return false;
  return origin === new URL(apiUrlOf(settings)).origin || new URL(origin).host === request.get('Host');
}
