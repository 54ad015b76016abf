import type { UserNotice } from './notice.ts';

/** Mails with a link by which a user sets a password. */
export type LinkMail = 'INVITATION' | 'PASSWORD_RESET';
/** Mails to a VASP on no network: the link to a message, its one-time code, and what follows. */
type PortalMail = 'PORTAL_LINK' | 'PORTAL_REMINDER' | 'PORTAL_UPDATE' | 'PORTAL_CODE';
export type MailKind = LinkMail | PortalMail | UserNotice['kind'];

/** Hours for which the link of a mail counts. */
export const LINK_HOURS: Readonly<Record<LinkMail, number>> = { INVITATION: 7 * 24, PASSWORD_RESET: 1 };

/** What a person waits for at that moment: these mails pass those that tell something. */
const AWAITED: readonly MailKind[] = ['INVITATION', 'PASSWORD_RESET', 'PORTAL_CODE'];

/** The line by which operators, and the workflow of a mail, know its kind. */
export function mailSummary(kind: MailKind): string {
  return `Mail ${kind}`;
}

export function isAwaited(summary: string | undefined): boolean {
  return AWAITED.some((kind) => mailSummary(kind) === summary);
}

const SENDING_HOURS = 24;
/** Hours after which a code is not needed any more. */
const CODE_HOURS = 1;

/** Hours for which the mail server is asked to take a mail: a day, but no longer than its link or code counts. */
export function hoursToSend(kind: MailKind): number {
  const shorter: Partial<Record<MailKind, number>> = { ...LINK_HOURS, PORTAL_CODE: CODE_HOURS };
  return Math.min(SENDING_HOURS, shorter[kind] ?? SENDING_HOURS);
}

export interface MailContent {
  /** One address, or several separated by commas. */
  to: string;
  subject: string;
  text: string;
}
