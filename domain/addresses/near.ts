const MAX_LENGTH = 64;
/** Words of lower-case letters and digits with single separators; implicit accounts (64 hex digits) match too. */
const ACCOUNT = /^(?=..)[a-z0-9]+(?:[-_.][a-z0-9]+)*$/;

/** Normal form of a Near account, named or implicit. It has one spelling: upper case is not allowed. */
export function normalNear(address: string): string | undefined {
  return address.length <= MAX_LENGTH && ACCOUNT.test(address) ? address : undefined;
}
