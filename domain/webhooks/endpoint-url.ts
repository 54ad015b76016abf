import { hostAndPort, mayRequest } from '../outgoing-hosts.ts';

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
  return mayRequest(url, rules.allowedHosts) ? undefined : 'address_not_allowed';
}

/** Host and port of a webhook URL, default ports included; null without a URL. */
export function hostOf(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  return hostAndPort(new URL(url));
}
