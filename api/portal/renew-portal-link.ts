import { renewClaimLink } from '../../db/lifecycle/renew-claim-link.ts';
import { renewLink } from '../../db/lifecycle/renew-link.ts';
import { countTry, triesOf, type TryLimit } from '../../db/users/counted-tries.ts';
import { PortalMailSent } from '../../domain/portal/schema.ts';
import { portalUrlOf } from '../../process/settings.ts';
import { requireMail } from '../auth/user-mails.ts';
import { defineEndpoint } from '../endpoint.ts';
import { openPortalLink } from './open-portal-link.ts';
import { requireRenewable } from './require-open.ts';

const LINKS: TryLimit = {
  purpose: 'links-of-portal-record',
  max: 3,
  seconds: 86_400,
  refusal: 'Too many new links were asked for today.',
};

export const renewPortalLinkEndpoint = defineEndpoint({
  operationId: 'renewPortalLink',
  method: 'POST',
  path: '/portal/new-link',
  auth: 'NONE',
  portal: 'LINK',
  limit: 'HOSTED',
  tag: 'E-mail portal',
  summary: 'Ask for a new link',
  description:
    'For a link that has expired or is locked, and for a mail that was lost. The new link goes to the mailbox of the first one ' +
    'and nowhere else, counts for 14 days and ends the one before. Three a day.',
  responses: { 202: { description: 'The mail is on its way.', schema: PortalMailSent } },
  errors: ['not_found', 'conflict', 'tenant_suspended', 'rate_limited'],
  async handle(request, deps) {
    const { db, settings, notifyWorkflows } = deps;
    const now = new Date();
    requireMail(settings);
    const open = await openPortalLink(deps, request);
    await requireRenewable(db, open, now);
    const { tenantId, subject, address } = open.link;
    await countTry(db.pool, triesOf(db, LINKS, subject.id), now);
    const renewed = { tenantId, id: subject.id, address, portalUrl: portalUrlOf(settings), now };
    notifyWorkflows(await (open.kind === 'CLAIM' ? renewClaimLink : renewLink)(db, renewed));
    return { status: 202, body: { message: 'A mail with a new link is on its way.' } };
  },
});
