import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { eventually } from '../eventually.ts';

interface ReceivedMail {
  to: string[];
  /** As it came over the wire. */
  raw: string;
  subject: string;
  /** The text, decoded. */
  text: string;
}

/** A mail server of the test's own, which speaks SMTP. */
export interface TestSmtp {
  url: string;
  received: ReceivedMail[];
  /** Mailboxes that the server refuses for good. */
  refused: Set<string>;
  /** When mails to a mailbox are refused for good, though they are offered before. */
  refusedAfter: Map<string, Promise<void>>;
  /** Waits until a mail to a mailbox is offered. */
  asked: (address: string) => Promise<void>;
  /** When mails to a mailbox are taken, though they have arrived. */
  takenAfter: Map<string, Promise<void>>;
  /** The newest mail to a mailbox after the first `after` ones, once it is there. */
  mailTo: (address: string, after?: number) => Promise<ReceivedMail>;
  stop: () => Promise<void>;
}

export async function startSmtp(): Promise<TestSmtp> {
  const received: ReceivedMail[] = [];
  const refused = new Set<string>();
  const refusedAfter = new Map<string, Promise<void>>();
  const offered: string[] = [];
  const takenAfter = new Map<string, Promise<void>>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      offered.push(address);
      const refusal = Object.assign(new Error('no such mailbox'), { responseCode: 550 });
      const later = refusedAfter.get(address);
      if (later) return void later.then(() => done(refusal));
      return refused.has(address) ? done(refusal) : done();
    },
    onData(stream, session, done) {
      void text(stream).then(async (raw) => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        received.push({ to, raw, ...partsOf(raw) });
        for (const address of to) await takenAfter.get(address);
        done();
      }, done);
    },
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refused,
    refusedAfter,
    takenAfter,
    asked: async (address) => void (await eventually(() => offered.includes(address), Boolean)),
    mailTo: async (address, after = 0) => {
      const found = await eventually(
        () => received.filter(({ to }) => to.includes(address)),
        (mails) => mails.length > after,
      );
      const last = found.at(-1);
      if (!last) throw new Error(`no mail to ${address}`);
      return last;
    },
    stop: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function partsOf(raw: string): { subject: string; text: string } {
  const end = raw.indexOf('\r\n\r\n');
  const head = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  const [, subject = ''] = /^Subject: (.*)$/im.exec(head) ?? [];
  const body = raw.slice(end + 4);
  const isQuoted = /^Content-Transfer-Encoding: quoted-printable/im.test(head);
  const isBase64 = /^Content-Transfer-Encoding: base64/im.test(head);
  if (isBase64) return { subject, text: Buffer.from(body, 'base64').toString() };
  return { subject, text: isQuoted ? unquoted(body) : body };
}

function unquoted(body: string): string {
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
