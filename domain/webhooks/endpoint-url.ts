import ipaddr from 'ipaddr.js';

export interface WebhookUrlRules {
  environment: 'sandbox' | 'production';
  /** Non-public hosts, addresses, `host:port` or `address:port` that may be called. */
  allowedHosts: readonly string[];
}

type WebhookUrlRefusal =
  | 'too_long'
  | 'invalid_url'
  | 'scheme_not_allowed'
  | 'https_required'
  | 'credentials_not_allowed'
  | 'fragment_not_allowed'
  | 'address_not_allowed';

export type WebhookUrlCheck =
  { ok: true; url: URL } | { ok: false; code: WebhookUrlRefusal; message: string };

const MAX_CHARACTERS = 2_000;
const LOCAL_NAME = /(^|\.)(localhost|local|internal)$/;
/** The only IPv6 block assigned for public use; outside are ::/96 (embedded IPv4) and unassigned space. */
const PUBLIC_IPV6 = ipaddr.IPv6.parse('2000::');
/** The address of Azure's platform service looks public, but is only reachable from inside a virtual machine. */
const AZURE_PLATFORM = '168.63.129.16';

const REFUSALS: Record<WebhookUrlRefusal, string> = {
  too_long: `The address may have at most ${MAX_CHARACTERS} characters.`,
  invalid_url: 'The address is not a URL.',
  scheme_not_allowed: 'Only http and https addresses can be called.',
  https_required: 'The address must begin with https.',
  credentials_not_allowed: 'The address must not contain a user name or a password.',
  fragment_not_allowed: 'The address must not contain a fragment (#).',
  address_not_allowed: 'The address must be reachable from the public internet.',
};

/**
 * Checks whether a webhook URL may be stored and called. Host names are not resolved here: `mayDial` checks the address
 * when the connection is made.
 */
export function checkWebhookUrl(url: string, rules: WebhookUrlRules): WebhookUrlCheck {
  if (url.length > MAX_CHARACTERS) return refuse('too_long');
  // The parser silently drops tabs and line breaks: the stored URL would differ from the called one.
  if (/[\p{Cc}\s]/u.test(url) || !URL.canParse(url)) return refuse('invalid_url');
  const parsed = new URL(url);
  const code = refusalOf(parsed, rules);
  return code === undefined ? { ok: true, url: parsed } : refuse(code);
}

function refuse(code: WebhookUrlRefusal): WebhookUrlCheck {
  return { ok: false, code, message: REFUSALS[code] };
}

function refusalOf(url: URL, rules: WebhookUrlRules): WebhookUrlRefusal | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme_not_allowed';
  if (url.protocol === 'http:' && rules.environment === 'production') return 'https_required';
  if (url.username !== '' || url.password !== '') return 'credentials_not_allowed';
  if (url.href.includes('#')) return 'fragment_not_allowed';
  if (!isAllowedHost(url, rules.allowedHosts) && isLocal(plainHost(url.hostname))) {
    return 'address_not_allowed';
  }
  return undefined;
}

function isLocal(host: string): boolean {
  return ipaddr.isValid(host) ? !isPublicAddress(host) : LOCAL_NAME.test(host);
}

/** Whether an IP address belongs to the public internet. False for anything that is not a plain IP address. */
export function isPublicAddress(ip: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(ip) && !ipaddr.IPv6.isValid(ip)) return false;
  const address = ipaddr.process(ip);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv6' ? address.match(PUBLIC_IPV6, 3) : address.toString() !== AZURE_PLATFORM;
}

/** Whether the operator allows the host of this URL, whatever it resolves to. */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  return isListed(plainHost(url.hostname), url, allowedHosts);
}

/** Whether a connection for this URL may be made to this resolved address. */
export function mayDial(address: string, url: URL, allowedHosts: readonly string[]): boolean {
  return (
    isPublicAddress(address) ||
    isAllowedHost(url, allowedHosts) ||
    isListed(plainHost(address), url, allowedHosts)
  );
}

/** Host and port of a webhook URL, default ports included; null without a URL. */
export function hostOf(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  return `${plainHost(parsed.hostname)}:${portOf(parsed)}`;
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

/** A host in the form in which it is compared: no brackets, no final dot, mapped IPv6 addresses as IPv4. */
function plainHost(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.+$/, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare;
}

function bracketed(host: string): string {
  return ipaddr.IPv6.isValid(host) ? `[${host}]` : host;
}
