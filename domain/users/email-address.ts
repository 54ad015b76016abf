import { z } from 'zod';

/**
 * The e-mail address by which a user signs in: ASCII, so that no look-alike letter makes another account, and in lower case,
 * so that one mailbox has one account.
 */
export const EmailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^[\x21-\x7e]+$/, 'an e-mail address of ASCII characters is expected')
  .pipe(z.email());
