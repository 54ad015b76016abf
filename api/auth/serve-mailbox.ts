import type { Express, RequestHandler } from 'express';
import { listKeptMails } from '../../db/mails/list-kept-mails.ts';
import type { Settings } from '../../process/settings.ts';
import type { Deps } from '../deps.ts';
import { hostOf, isLoopback } from '../loopback.ts';

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

function isReachedFromElsewhere({ HOST, PUBLIC_URL, TRUST_PROXY }: Settings): boolean {
  const publicHost = PUBLIC_URL === undefined ? HOST : hostOf(new URL(PUBLIC_URL).host);
  return TRUST_PROXY || !isLoopback(HOST) || !isLoopback(publicHost);
}

/** What a proxy on this machine says of the request that it hands on. */
const FORWARDED = ['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP'];

/** A name that leads to this machine may be of somebody else's page, so the Host header counts too. */
const ofThisMachine: RequestHandler = (request, _response, next) => {
  const isDirect = FORWARDED.every((name) => request.get(name) === undefined);
  const isHere =
    isLoopback(hostOf(request.get('Host') ?? '')) && isLoopback(request.socket.remoteAddress ?? '');
  next(isDirect && isHere ? undefined : 'route');
};
