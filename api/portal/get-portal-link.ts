import { isMailRefused } from '../../db/portal/portal-links.ts';
import { getTenant } from '../../db/tenants/get-tenant.ts';
import { earliest } from '../../domain/durations.ts';
import { addressHint } from '../../domain/portal/link.ts';
import { PortalLinkView } from '../../domain/portal/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import type { OpenPortalLink } from '../../db/lifecycle/find-portal-link.ts';
import { openPortalLink } from './open-portal-link.ts';
import { stateNow } from './require-open.ts';

export const getPortalLinkEndpoint = defineEndpoint({
  operationId: 'getPortalLink',
  method: 'GET',
  path: '/portal/link',
  auth: 'NONE',
  portal: 'LINK',
  limit: 'HOSTED',
  tag: 'E-mail portal',
  summary: 'Read what a link leads to',
  description:
    'Used by the page of the portal, which sends the token of the link as X-Portal-Token. A wrong token is 404. Reading has no ' +
    'effect, so that scanners of links do none. `kind` says which calls read and answer what it leads to.',
  responses: { 200: { description: 'Nothing of the message or claim itself.', schema: PortalLinkView } },
  errors: ['not_found', 'tenant_suspended', 'rate_limited'],
  async handle(request, deps) {
    const now = new Date();
    const open = await openPortalLink(deps, request);
    const { link } = open;
    const { tenant } = await getTenant(deps.db, link.tenantId);
    const state = await stateNow(deps.db, open, now);
    const isNewLinkRefused = state === 'REPLACED' && (await isMailRefused(deps.db.pool, link));
    const body: PortalLinkView = {
      state,
      kind: open.kind,
      tenantName: tenant.name,
      mailbox: addressHint(link.address),
      expiresAt: endOf(open).toISOString(),
      isNewLinkRefused,
      senderEmail: isNewLinkRefused ? tenant.email : null,
    };
    return { status: 200, body };
  },
});

/** Until when a link counts; one to a claim no longer than that can be answered. */
function endOf({ kind, link, record }: OpenPortalLink): Date {
  return kind === 'CLAIM' ? earliest(link.expiresAt, record.deadlineAt) : link.expiresAt;
}
