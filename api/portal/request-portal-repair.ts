import { answerDeadline } from '../../db/counterparties/answer-deadline.ts';
import { mailedRecordOf } from '../../db/lifecycle/open-by-mail.ts';
import { whileCurrent } from '../../db/lifecycle/require-current-link.ts';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { COUNTERPARTY } from '../../domain/events/actor.ts';
import { PortalMessage } from '../../domain/portal/schema.ts';
import { viewMessage } from '../../domain/portal/view-message.ts';
import { requestRepair } from '../../domain/transactions/changing/request-repair.ts';
import { RepairBody } from '../../domain/transactions/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { openMessageSession } from './open-portal-link.ts';

export const requestPortalRepairEndpoint = defineEndpoint({
  operationId: 'requestPortalRepair',
  method: 'POST',
  path: '/portal/message/repair',
  auth: 'NONE',
  portal: 'SESSION',
  limit: 'HOSTED',
  tag: 'E-mail portal',
  summary: 'Ask the sender for data',
  description:
    'Like `POST /transactions/{id}/repair`: the sender is told at once, and a mail tells of what it gives. Another request takes ' +
    'the place of an open one.',
  body: RepairBody,
  example: { body: { fields: ['originator.placeOfBirth'], reason: 'We know two customers of this name.' } },
  responses: { 200: { description: 'Asked.', schema: PortalMessage } },
  errors: [
    'not_found',
    'unauthenticated',
    'conflict',
    'invalid_transition',
    'tenant_suspended',
    'rate_limited',
  ],
  async handle(request, deps) {
    const { db, writeInTurn, notifyWorkflows } = deps;
    const open = await openMessageSession(deps, request);
    const now = new Date();
    const mailed = await mailedRecordOf(db.pool, open.record);
    const { fields, reason = null } = request.body;
    const deadlineAt = await answerDeadline(db.pool, mailed.tenantId, null, now);
    const { record, outbox } = await writeInTurn(
      request.address,
      async () =>
        await changeTransaction(db, {
          ...mailed,
          now,
          decide: (own, counterpart) =>
            requestRepair(own, counterpart, { fields, reason, deadlineAt, actor: COUNTERPARTY, now }),
          complete: whileCurrent(db, open.link),
        }),
    );
    notifyWorkflows(outbox);
    return { status: 200, body: viewMessage(record) };
  },
});
