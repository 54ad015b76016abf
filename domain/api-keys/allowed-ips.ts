import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const NETWORKS = 50;
const TEXT = /^(?<address>[0-9A-Fa-f.:]{2,45})(?:\/(?<bits>0|[1-9]\d{0,2}))?$/;

/** A network of addresses: the first address of it, and the number of bits that all of them share. */
interface AddressRange {
  first: ipaddr.IPv4 | ipaddr.IPv6;
  bits: number;
}

/** An address or a network in CIDR notation, such as `203.0.113.7` or `2001:db8::/32`; always kept as a network. */
const Network = z.string().transform((given, context): string => {
  const range = readRange(given);
  if (range && isFirst(range)) return textOf(range);
  const message = range
    ? 'The address of a network is its first one: the bits behind its length are 0.'
    : 'An address or a network is expected, such as 203.0.113.7 or 2001:db8::/32.';
  context.addIssue({ code: 'custom', message, params: { code: 'invalid_format' } });
  return z.NEVER;
});

/** The networks from which an API key may be used. */
export const AllowedIps = z
  .array(Network)
  .min(1)
  .max(NETWORKS)
  .transform((networks) => [...new Set(networks)]);

/** Whether a key with these networks may be used from an address; null allows all. An address that is not known is in none. */
export function isAllowedFrom(networks: readonly string[] | null, address: string | undefined): boolean {
  if (networks === null) return true;
  if (address === undefined || !ipaddr.isValid(address)) return false;
  const plain = ipaddr.process(address);
  return networks.some((network) => {
    const [first, bits] = ipaddr.parseCIDR(network);
    return first.kind() === plain.kind() && plain.match(first, bits);
  });
}

/** IPv4 within IPv6 is read as IPv4, since that is how callers are compared. Undefined if the text is no network. */
function readRange(text: string): AddressRange | undefined {
  const { address = '', bits } = TEXT.exec(text)?.groups ?? {};
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return undefined;
  const given = ipaddr.parse(address);
  const first = ipaddr.process(address);
  const hidden = given.kind() === first.kind() ? 0 : 96;
  const most = first.kind() === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? most : Number(bits) - hidden;
  return length >= 0 && length <= most ? { first, bits: length } : undefined;
}

function textOf({ first, bits }: AddressRange): string {
  return `${first.toString()}/${bits}`;
}

/** Refuses `203.0.113.7/24`: it may be a slip for one address, and would let in 255 others. */
function isFirst(range: AddressRange): boolean {
  const { IPv4, IPv6 } = ipaddr;
  const Kind = range.first.kind() === 'ipv4' ? IPv4 : IPv6;
  return Kind.networkAddressFromCIDR(textOf(range)).toString() === range.first.toString();
}
