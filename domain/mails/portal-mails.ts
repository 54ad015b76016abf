import { CODE_MINUTES, LINK_DAYS } from '../portal/link.ts';
import { headerText } from './header-text.ts';
import type { MailContent } from './mail.ts';
import { paragraphs } from './paragraphs.ts';

interface PortalMail {
  to: string;
  /** The tenant that sends the message. */
  tenantName: string;
}

interface LinkMailInput extends PortalMail {
  /** The address of the portal with the token in its fragment, which no server and no log gets. */
  link: string;
}

/** The mail by which a VASP on no network learns of a message. It has no personal data: mailboxes are read by many. */
export function linkMail({ to, tenantName, link }: LinkMailInput): MailContent {
  const name = headerText(tenantName);
  return {
    to,
    subject: `${name} has Travel Rule data of a transfer for you`,
    text: paragraphs(
      `${name} sends crypto-assets to an address that seems to be yours, and has to give you the data of the originator and the beneficiary (FATF Recommendation 16; in the EU Regulation (EU) 2023/1113).`,
      `You need no account. Open this page; it sends a code to this mailbox and then shows the message:\n${link}`,
      `The link counts for ${LINK_DAYS} days. Whoever has only the link sees nothing without the code.`,
      'If this tells you nothing, do nothing.',
    ),
  };
}

/** The mail that reminds of a link which nobody has opened. */
export function reminderMail(input: LinkMailInput): MailContent {
  const mail = linkMail(input);
  return { ...mail, subject: `Reminder: ${mail.subject}` };
}

/** The mail that reminds whoever has opened a message that it waits for an answer. */
export function answerReminderMail({ to, tenantName, link }: LinkMailInput): MailContent {
  const name = headerText(tenantName);
  return {
    to,
    subject: `Reminder: ${name} waits for your answer to a Travel Rule message`,
    text: paragraphs(
      `Somebody with access to this mailbox has opened a message of ${name}, and it has no answer yet. The transfer waits for it.`,
      `Open the page again, and confirm or decline the message:\n${link}`,
      'Where the link has expired, the page sends a new one to this mailbox. You get this reminder once.',
    ),
  };
}

/** The mail with the one-time code. */
export function codeMail({ to, tenantName, code }: PortalMail & { code: string }): MailContent {
  const name = headerText(tenantName);
  return {
    to,
    subject: `${code} is your code for the message of ${name}`,
    text: paragraphs(
      `The code is ${code}. It counts once, for ${CODE_MINUTES} minutes, on the page that asked for it.`,
      `Somebody, probably you, has opened the link to a message of ${name}. Never tell this code to anybody, whoever asks.`,
    ),
  };
}

/** The mail that tells of a change of a message that was opened before: withdrawn, new data, a hash. */
export function updateMail({ to, tenantName }: PortalMail): MailContent {
  const name = headerText(tenantName);
  return {
    to,
    subject: `${name} has changed a Travel Rule message to you`,
    text: paragraphs(
      `${name} has changed a message that you have received. Open the link in the earlier mail to see it as it is now; the page also sends a new link where that one has expired.`,
    ),
  };
}
