import { mailedRecordOf } from '../../db/lifecycle/open-by-mail.ts';
import { getTransaction } from '../../db/transactions/find-transaction.ts';
import { PortalMessage } from '../../domain/portal/schema.ts';
import { viewMessage } from '../../domain/portal/view-message.ts';
import { defineEndpoint } from '../endpoint.ts';
import { openMessageSession } from './open-portal-link.ts';

export const getPortalMessageEndpoint = defineEndpoint({
  operationId: 'getPortalMessage',
  method: 'GET',
  path: '/portal/message',
  auth: 'NONE',
  portal: 'SESSION',
  limit: 'HOSTED',
  tag: 'E-mail portal',
  summary: 'Read the message',
  description:
    'While it is `sealed`, parties are null: confirm first that the destination belongs to your customers.',
  responses: { 200: { description: 'The message as it is now.', schema: PortalMessage } },
  errors: ['not_found', 'unauthenticated', 'conflict', 'tenant_suspended', 'rate_limited'],
  async handle(request, deps) {
    const { record } = await openMessageSession(deps, request);
    const { tenantId, id } = await mailedRecordOf(deps.db.pool, record);
    return { status: 200, body: viewMessage(await getTransaction(deps.db, tenantId, id)) };
  },
});
