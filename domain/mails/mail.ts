import type { Notice } from './notice.ts';

/** Mails with a link by which a user sets a password. */
export type LinkMail = 'INVITATION' | 'PASSWORD_RESET';
export type MailKind = LinkMail | Notice['kind'];

/** Hours for which the link of a mail counts. */
export const LINK_HOURS: Readonly<Record<LinkMail, number>> = { INVITATION: 7 * 24, PASSWORD_RESET: 1 };

const SENDING_HOURS = 24;

/** Hours for which the mail server is asked to take a mail: a day, but no longer than its link counts. */
export function hoursToSend(kind: MailKind): number {
  const links: Partial<Record<MailKind, number>> = LINK_HOURS;
  return Math.min(SENDING_HOURS, links[kind] ?? SENDING_HOURS);
}

export interface MailContent {
  /** One address, or several separated by commas. */
  to: string;
  subject: string;
  text: string;
}
