import { CODE_MINUTES, LINK_DAYS } from '../portal/link.ts';
import { dayAt } from '../tenants/local-month.ts';
import { headerText } from './header-text.ts';
import type { MailContent } from './mail.ts';
import { paragraphs } from './paragraphs.ts';

interface ClaimMailInput {
  to: string;
  /** The tenant that claims the data. */
  tenantName: string;
  /** The address of the portal with the token in its fragment, which no server and no log gets. */
  link: string;
  /** Until when the claim can be answered. */
  deadlineAt: Date;
  /** The tenant's: a deadline is the end of a day there. */
  timeZone: string;
}

/** The mail by which a VASP on no network learns of a claim. It has no data of the transfer: mailboxes are read by many. */
export function claimMail({ to, tenantName, link, deadlineAt, timeZone }: ClaimMailInput): MailContent {
  const name = headerText(tenantName);
  return {
    to,
    subject: `${name} asks for the Travel Rule data of a transfer`,
    text: paragraphs(
      `${name} has received crypto-assets that seem to come from you, without the data of the originator and the beneficiary that has to go with them (FATF Recommendation 16; in the EU Regulation (EU) 2023/1113).`,
      `You need no account. Open this page; it sends a code to this mailbox, then shows which transfer it is and takes your answer:\n${link}`,
      `The answer is expected by ${dayOf(deadlineAt, timeZone)} (${timeZone}). The link counts for ${LINK_DAYS} days, a code for ${CODE_MINUTES} minutes. Whoever has only the link sees nothing without the code.`,
      'If this tells you nothing, do nothing.',
    ),
  };
}

/** The mail that reminds of a claim which nobody has opened. */
export function claimReminderMail(input: ClaimMailInput): MailContent {
  const mail = claimMail(input);
  return { ...mail, subject: `Reminder: ${mail.subject}` };
}

/** The mail that tells whoever has opened a claim that it waits still, was taken back or has expired. */
export function claimUpdateMail({ to, tenantName }: Pick<ClaimMailInput, 'to' | 'tenantName'>): MailContent {
  const name = headerText(tenantName);
  return {
    to,
    subject: `The question of ${name} about a transfer`,
    text: paragraphs(
      `${name} has asked you for the Travel Rule data of a transfer. Open the link in the earlier mail to see whether an answer is still expected, and until when; the page also sends a new link where that one has expired.`,
    ),
  };
}

function dayOf(date: Date, timeZone: string): string {
  return new Date(dayAt(date, timeZone)).toISOString().slice(0, 10);
}
