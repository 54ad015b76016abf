import { base58CheckPayload } from '../addresses/base58.ts';

const PREFIX = 'ta';
const MAX_CHARACTERS = 2_000;

/**
 * The web address in a travel address, wherever it leads; undefined for any other text. To be compared only: whether it may be
 * called is for `decodeTravelAddress`.
 */
export function travelUrl(travelAddress: string): URL | undefined {
  const text = travelAddress.trim();
  if (text.length > MAX_CHARACTERS || !text.startsWith(PREFIX)) return undefined;
  const payload = base58CheckPayload(text.slice(PREFIX.length));
  const url = payload && `https://${String.fromCharCode(...payload)}`;
  return url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
}

/** The path of the travel addresses of this product: what follows is the token of a wallet. */
export const INQUIRY_PATH = '/trp/inquiries/';

/** The token in a travel address that has our path, whoever's it is. */
export function travelTokenIn(travelAddress: string): string | undefined {
  const path = travelUrl(travelAddress)?.pathname ?? '';
  const at = path.indexOf(INQUIRY_PATH);
  const token = at < 0 ? '' : path.slice(at + INQUIRY_PATH.length);
  return /^[A-Za-z0-9_-]{1,100}$/.test(token) ? token : undefined;
}
