import { queueMail } from '../../db/mails/queue-mail.ts';
import { makeCode } from '../../db/portal/portal-codes.ts';
import { inTransaction } from '../../db/postgres.ts';
import { getTenant } from '../../db/tenants/get-tenant.ts';
import { countTry, triesOf, type TryLimit } from '../../db/users/counted-tries.ts';
import { codeMail } from '../../domain/mails/portal-mails.ts';
import { PortalMailSent } from '../../domain/portal/schema.ts';
import { requireMail } from '../auth/user-mails.ts';
import { defineEndpoint } from '../endpoint.ts';
import { openPortalLink } from './open-portal-link.ts';
import { requireOpen } from './require-open.ts';

const CODES: TryLimit = {
  purpose: 'codes-of-portal-link',
  max: 5,
  seconds: 3_600,
  refusal: 'Too many codes were asked for in this hour.',
};

export const requestPortalCodeEndpoint = defineEndpoint({
  operationId: 'requestPortalCode',
  method: 'POST',
  path: '/portal/code',
  auth: 'NONE',
  portal: 'LINK',
  limit: 'HOSTED',
  tag: 'E-mail portal',
  summary: 'Ask for a one-time code',
  description:
    'Sends six digits to the mailbox of the link, five times an hour at most. They count once, for ten minutes, and end the ' +
    'code before.',
  responses: { 202: { description: 'The mail is on its way.', schema: PortalMailSent } },
  errors: ['not_found', 'conflict', 'tenant_suspended', 'rate_limited'],
  async handle(request, deps) {
    const { db, settings, notifyWorkflows } = deps;
    const now = new Date();
    requireMail(settings);
    const open = await openPortalLink(deps, request);
    await requireOpen(db, open, now);
    const { id, tenantId, address } = open.link;
    await countTry(db.pool, triesOf(db, CODES, id), now);
    const { tenant } = await getTenant(db, tenantId);
    await db.vault.tenantKeys(tenantId);
    const outbox = await deps.writeInTurn(
      request.address,
      async () =>
        await inTransaction(db.pool, async (tx) => {
          const code = await makeCode(db, tx, id, now);
          const content = codeMail({ to: address, tenantName: tenant.name, code });
          return await queueMail(db, tx, { tenantId, kind: 'PORTAL_CODE', content, now });
        }),
    );
    notifyWorkflows(outbox);
    return { status: 202, body: { message: 'A mail with the code is on its way.' } };
  },
});
