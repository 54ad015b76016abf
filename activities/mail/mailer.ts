import { createTransport } from 'nodemailer';
import type { MailContent } from '../../domain/mails/mail.ts';
import type { Settings } from '../../process/settings.ts';

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

export interface Mailer {
  /** Hands a mail to the mail server. Throws what the server or the network said. */
  send: (mail: MailContent & { id: string }) => Promise<void>;
}

type MailSettings = Pick<Settings, 'SMTP_URL' | 'MAIL_FROM' | 'ENVIRONMENT'>;

/** The mail server of SMTP_URL; undefined without one: mails are then kept for the mailbox page. */
export function openMailer({ SMTP_URL, MAIL_FROM, ENVIRONMENT }: MailSettings): Mailer | undefined {
  if (SMTP_URL === undefined) return undefined;
  const transport = createTransport({
    url: SMTP_URL,
    // A password must not cross a network readable.
    requireTLS: ENVIRONMENT === 'production',
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ id, to, subject, text }) {
      // A mail that is sent again after a crash is recognised by its id.
      const messageId = `<${id}@${MAIL_FROM.split('@').at(-1)?.replace('>', '')}>`;
      const headers = { 'Auto-Submitted': 'auto-generated' };
      await transport.sendMail({ from: MAIL_FROM, to, subject, text, messageId, headers });
    },
  };
}
