import { invalidField } from '../errors.ts';

interface AddressRules {
  /** A sandbox also accepts http on the local machine. */
  isSandbox: boolean;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The web origin of a sign-in, such as `https://app.example:8443`. Throws validation_failed. */
export function webOriginAt(pointer: string, given: string, rules: AddressRules): string {
  const url = secureUrlAt(pointer, given, rules);
  // Also refuses a trailing slash, capitals in the host and a default port: wallets compare the text.
  if (url.origin === given) return given;
  throw invalidField(
    pointer,
    'invalid_origin',
    'Scheme, host and port are expected, such as https://app.example.',
  );
}

/** An https address without credentials. Throws validation_failed. */
export function secureUrlAt(pointer: string, given: string, { isSandbox }: AddressRules): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isSecure =
    url?.protocol === 'https:' || (isSandbox && url?.protocol === 'http:' && LOOPBACK.has(url.hostname));
  if (url && isSecure && url.username === '' && url.password === '') return url;
  throw invalidField(pointer, 'invalid_url', 'An https address is expected.');
}
