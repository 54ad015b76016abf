import { asciiDomain, isFreeMail } from './email-domain.ts';
import { EmailAddress } from '../users/email-address.ts';

/**
 * What is known of a mailbox before personal data is offered to it. FREE_MAIL: anybody gets such an address. FOREIGN: the
 * institution has domains in the directory, and this is none of them.
 */
export type MailboxTrust = 'FITS' | 'FREE_MAIL' | 'FOREIGN';

/** The standing of a mailbox; `domains` are those of the institution in the directory. A subdomain belongs to its domain. */
export function mailboxTrust(address: string, domains: readonly string[]): MailboxTrust {
  const domain = asciiDomain(address.slice(address.lastIndexOf('@') + 1));
  if (domain === null || isFreeMail(domain)) return 'FREE_MAIL';
  return isBelow(domain, domains) || domains.length === 0 ? 'FITS' : 'FOREIGN';
}

/** Whether a host is one of the domains or below one. */
export function isBelow(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** A given text as one mailbox, in lower case; null where it is none, or names several. */
export function mailboxOf(given: string | null): string | null {
  const parsed = EmailAddress.safeParse(given);
  return parsed.success ? parsed.data : null;
}
