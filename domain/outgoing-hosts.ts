import ipaddr from 'ipaddr.js';

/** Names that never belong to the public internet. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal)$/;
/** The only block of IPv6 that is handed out for public use; outside lie ::/96 (hidden IPv4) and unassigned space. */
const PUBLIC_IPV6 = ipaddr.IPv6.parse('2000::');
/** Azure's platform service has a public-looking address, yet only answers from inside a virtual machine. */
const AZURE_PLATFORM = '168.63.129.16';

/** Whether an address (not a name) belongs to the public internet. Anything that is not a plain address does not. */
export function isPublicAddress(ip: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(ip) && !ipaddr.IPv6.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv6' ? address.match(PUBLIC_IPV6, 3) : address.toString() !== AZURE_PLATFORM;
}

/** Whether the operator allowed the host of this URL, whatever it resolves to. */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  return isListed(plainHost(url.hostname), url, allowedHosts);
}

/**
 * Whether a request to this URL may begin: its host is allowed, or is neither a private address nor a local name. What a
 * name resolves to is judged by `mayDial` when the connection is made.
 */
export function mayRequest(url: URL, allowedHosts: readonly string[]): boolean {
  return isAllowedHost(url, allowedHosts) || !isLocal(plainHost(url.hostname));
}

/** Whether a connection for this URL may go to this address, one of those its host resolves to. */
export function mayDial(address: string, url: URL, allowedHosts: readonly string[]): boolean {
  return (
    isPublicAddress(address) ||
    isAllowedHost(url, allowedHosts) ||
    isListed(plainHost(address), url, allowedHosts)
  );
}

/** Ranges whose addresses stay in a private network. Others that are not public, such as NAT64 and 6to4, lead outside. */
const INSIDE_RANGES = ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'];

/** Whether the host of this URL is one of a private network: a private address, a local name, or a name without a dot. */
export function isInsideHost(url: URL): boolean {
  const host = plainHost(url.hostname);
  if (ipaddr.isValid(host)) return INSIDE_RANGES.includes(ipaddr.process(host).range());
  return LOCAL_NAME.test(host) || !host.includes('.');
}

/** Whether the host of this URL is the machine itself, however it is spelled. */
export function isThisMachine(url: URL): boolean {
  const host = plainHost(url.hostname);
  if (ipaddr.isValid(host))
    return (
      ['loopback', 'unspecified'].includes(ipaddr.process(host).range()) || COMPATIBLE_LOOPBACK.test(host)
    );
  return OWN_NAME.test(host);
}

/** 127.0.0.0/8 in the old form of IPv4 within IPv6, as URLs write it. */
const COMPATIBLE_LOOPBACK = /^::7f[0-9a-f]{2}:[0-9a-f]{1,4}$/;
/** The names that /etc/hosts of common systems gives to the machine itself. */
const OWN_NAME = /(^|\.)localhost6?(\.localdomain6?)?$|^ip6-(localhost|loopback)$/;

/** Host and port of a URL, the port spelt out. */
export function hostAndPort(url: URL): string {
  return `${plainHost(url.hostname)}:${portOf(url)}`;
}

function isLocal(host: string): boolean {
  return ipaddr.isValid(host) ? !isPublicAddress(host) : LOCAL_NAME.test(host);
}

function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

function isListed(host: string, url: URL, allowedHosts: readonly string[]): boolean {
  const port = portOf(url);
  return allowedHosts.some((entry) => {
    const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(bracketed(entry)) ?? [];
    if (onlyPort !== undefined && onlyPort !== port) return false;
    return URL.canParse(`http://${name}`) && plainHost(new URL(`http://${name}`).hostname) === host;
  });
}

/** A host as it is compared: no brackets, no final dot, IPv4 even when it was written as a mapped IPv6 address. */
function plainHost(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare;
}

function bracketed(host: string): string {
  return ipaddr.IPv6.isValid(host) ? `[${host}]` : host;
}
