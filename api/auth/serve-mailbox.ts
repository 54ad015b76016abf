import type { Express } from 'express';
import { listKeptMails } from '../../db/mails/list-kept-mails.ts';
import type { Deps } from '../deps.ts';
import { isReachedFromElsewhere, ofThisMachine } from '../this-machine.ts';

const SHOWN = 50;

/**
 * Serves `/mailbox`: the mails that a trial on one machine would send, for whoever sits at it. Not in production, not with a
 * mail server, and only for requests of this machine to a loopback address; else the path is unknown.
 */
export function serveMailbox(app: Express, { db, settings }: Pick<Deps, 'db' | 'settings'>): void {
  const { ENVIRONMENT, SMTP_URL } = settings;
  if (ENVIRONMENT !== 'sandbox' || SMTP_URL !== undefined || isReachedFromElsewhere(settings)) return;
  app.get('/mailbox', ofThisMachine, async (_request, response) => {
    response.locals.route = '/mailbox';
    const mails = await listKeptMails(db, SHOWN);
    const texts = mails.map(
      ({ createdAt, to, subject, text }) =>
        `${createdAt.toISOString()}\nTo: ${to}\nSubject: ${subject}\n\n${text}`,
    );
    // Plain text: a browser runs nothing of what stands in it.
    response.type('text').end(texts.length === 0 ? 'No mails yet.\n' : texts.join('\n----------\n\n'));
  });
}
