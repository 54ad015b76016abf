const MAX_LENGTH = 64;
/** Words of lower-case letters and digits with single separators between them; implicit accounts (64 hex) are such a word. */
const ACCOUNT = /^(?=..)[a-z0-9]+(?:[-_.][a-z0-9]+)*$/;

/** A Near account, named or implicit. There is one spelling: upper case is not allowed. */
export function normalNear(address: string): string | undefined {
  return address.length <= MAX_LENGTH && ACCOUNT.test(address) ? address : undefined;
}
