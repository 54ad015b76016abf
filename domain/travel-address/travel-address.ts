import { utf8ToBytes } from '@noble/hashes/utils.js';
import { base58CheckPayload, base58CheckText } from '../addresses/base58.ts';
import { mayRequest } from '../outgoing-hosts.ts';

// A travel address of the Travel Rule Protocol (TRP, 3.1 and later) is `ta` and the base58check text of a web address
// without its scheme, which is https. Its query contains `t=i`, which stands for an inquiry.

export interface TravelAddressRules {
  /** In a sandbox, addresses of this machine are asked by http. */
  environment: 'sandbox' | 'production';
  /** Non-public hosts, addresses, `host:port` or `address:port` that may be called. */
  allowedHosts: readonly string[];
}

type TravelAddressFault =
  | 'required'
  | 'too_long'
  | 'invalid_format'
  | 'checksum_wrong'
  | 'invalid_url'
  | 'scheme_not_allowed'
  | 'credentials_not_allowed'
  | 'fragment_not_allowed'
  | 'inquiry_tag_missing'
  | 'address_not_allowed';

interface TravelAddressRefusal {
  ok: false;
  code: TravelAddressFault;
  message: string;
}

export type DecodedTravelAddress = { ok: true; url: URL } | TravelAddressRefusal;
export type EncodedTravelAddress = { ok: true; travelAddress: string } | TravelAddressRefusal;

const PREFIX = 'ta';
/** Decoding takes time in the square of the length. */
const MAX_CHARACTERS = 2_000;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
/** Host, port, path and query in printable ASCII. A backslash would be read as a slash. */
const BARE_URL = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?[/?][!-[\]-~]*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const MESSAGES: Record<TravelAddressFault, string> = {
  required: 'A travel address is expected.',
  too_long: `A travel address has at most ${MAX_CHARACTERS} characters.`,
  invalid_format: `A travel address is "${PREFIX}" and letters and digits of base58.`,
  checksum_wrong: 'The checksum of the travel address is wrong: it was not copied whole.',
  invalid_url: 'The travel address does not contain a web address.',
  scheme_not_allowed: 'The web address in a travel address has no scheme, and is asked by https.',
  credentials_not_allowed: 'The web address must not contain a user name or a password.',
  fragment_not_allowed: 'The web address must not contain a fragment (#).',
  inquiry_tag_missing: 'The query of the web address must contain t=i once.',
  address_not_allowed: 'The web address must be reachable from the public internet.',
};

/**
 * The web address of a travel address, to which an inquiry may be sent. Host names are not resolved here: `mayDial`
 * checks the address when the connection is made.
 */
export function decodeTravelAddress(text: string, rules: TravelAddressRules): DecodedTravelAddress {
  const travelAddress = text.trim();
  if (travelAddress === '') return refuse('required');
  if (travelAddress.length > MAX_CHARACTERS) return refuse('too_long');
  const encoded = travelAddress.slice(PREFIX.length);
  if (!travelAddress.startsWith(PREFIX) || !BASE58.test(encoded)) return refuse('invalid_format');
  const payload = base58CheckPayload(encoded);
  if (!payload) return refuse('checksum_wrong');
  // Bytes beyond ASCII become characters that no such address has.
  return checkBareUrl(String.fromCharCode(...payload), rules);
}

/** The travel address of one of our own web addresses, with `t=i` in its query. */
export function encodeTravelAddress(url: URL, rules: TravelAddressRules): EncodedTravelAddress {
  const tagged = new URL(url);
  tagged.searchParams.set('t', 'i');
  if (tagged.protocol !== schemeOf(tagged, rules)) return refuse('scheme_not_allowed');
  const bare = tagged.href.slice(`${tagged.protocol}//`.length);
  const checked = checkBareUrl(bare, rules);
  if (!checked.ok) return checked;
  const travelAddress = `${PREFIX}${base58CheckText(utf8ToBytes(bare))}`;
  return travelAddress.length > MAX_CHARACTERS ? refuse('too_long') : { ok: true, travelAddress };
}

function checkBareUrl(bare: string, rules: TravelAddressRules): DecodedTravelAddress {
  if (SCHEME.test(bare)) return refuse('scheme_not_allowed');
  const [authority = ''] = bare.split(/[/?#]/);
  if (authority.includes('@')) return refuse('credentials_not_allowed');
  if (bare.includes('#')) return refuse('fragment_not_allowed');
  if (!BARE_URL.test(bare) || !URL.canParse(`https://${bare}`)) return refuse('invalid_url');
  const parsed = new URL(`https://${bare}`);
  if (parsed.searchParams.getAll('t').join() !== 'i') return refuse('inquiry_tag_missing');
  // The port that the scheme implies differs, so the scheme is chosen before the host is judged.
  const url = new URL(`${schemeOf(parsed, rules)}//${bare}`);
  return mayRequest(url, rules.allowedHosts) ? { ok: true, url } : refuse('address_not_allowed');
}

function schemeOf({ hostname }: URL, { environment }: TravelAddressRules): 'http:' | 'https:' {
  return environment === 'sandbox' && LOOPBACK.test(hostname) ? 'http:' : 'https:';
}

function refuse(code: TravelAddressFault): TravelAddressRefusal {
  return { ok: false, code, message: MESSAGES[code] };
}
