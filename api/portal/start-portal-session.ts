import type { Database } from '../../db/database.ts';
import { openClaimByMail } from '../../db/lifecycle/open-claim-by-mail.ts';
import { openByMail } from '../../db/lifecycle/open-by-mail.ts';
import type { OpenPortalLink } from '../../db/lifecycle/find-portal-link.ts';
import { tryCode } from '../../db/portal/portal-codes.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import { PortalCodeBody, PortalSession } from '../../domain/portal/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { EXAMPLE_IDS } from '../openapi/example-ids.ts';
import { openPortalLink } from './open-portal-link.ts';
import { requireOpen } from './require-open.ts';

export const startPortalSessionEndpoint = defineEndpoint({
  operationId: 'startPortalSession',
  method: 'POST',
  path: '/portal/session',
  auth: 'NONE',
  portal: 'LINK',
  limit: 'HOSTED',
  tag: 'E-mail portal',
  summary: 'Open the message or claim with the code',
  description:
    'The first right code delivers the message or claim; each one is the event `EMAIL_OPENED` in the log of its sender. The session ' +
    'counts for an hour, in the place of the one before. After ten wrong codes the link is locked, whatever right ones came between. ' +
    'A right code with which nothing can be opened now (409) counts still.',
  body: PortalCodeBody,
  example: { body: { code: EXAMPLE_IDS.portalCode } },
  responses: { 201: { description: 'Opened.', schema: PortalSession } },
  errors: ['not_found', 'conflict', 'tenant_suspended', 'rate_limited'],
  async handle(request, deps) {
    const { db, writeInTurn, notifyWorkflows } = deps;
    const now = new Date();
    const open = await openPortalLink(deps, request);
    await requireOpen(db, open, now);
    const { link } = open;
    const { code } = request.body;
    const tried = await tryCode(db, { linkId: link.id, code }, now);
    if (!tried.isRight) throw wrongCode(tried.triesLeft);
    const { session, expiresAt, outbox } = await writeInTurn(
      request.address,
      async () => await openRecord(db, open, { code, now }),
    );
    notifyWorkflows(outbox);
    return { status: 201, body: { session, expiresAt: expiresAt.toISOString() } };
  },
});

async function openRecord(db: Database, open: OpenPortalLink, given: { code: string; now: Date }) {
  const { link } = open;
  return open.kind === 'CLAIM'
    ? await openClaimByMail(db, { link, record: open.record, ...given })
    : await openByMail(db, { link, record: open.record, ...given });
}

function wrongCode(triesLeft: number): DomainError {
  if (triesLeft === 0) {
    const text =
      'This link is locked after too many wrong codes. Ask for a new one: it goes to the same mailbox.';
    return new DomainError('conflict', text);
  }
  return invalidField('/code', 'wrong_code', `this code is wrong or over; tries left: ${triesLeft}`);
}
