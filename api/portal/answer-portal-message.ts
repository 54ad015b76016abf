import { mailedRecordOf } from '../../db/lifecycle/open-by-mail.ts';
import { whileCurrent } from '../../db/lifecycle/require-current-link.ts';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { answerMessage } from '../../domain/portal/answer-message.ts';
import { AnswerMessageBody, PortalMessage } from '../../domain/portal/schema.ts';
import { viewMessage } from '../../domain/portal/view-message.ts';
import { defineEndpoint } from '../endpoint.ts';
import { openMessageSession } from './open-portal-link.ts';

export const answerPortalMessageEndpoint = defineEndpoint({
  operationId: 'answerPortalMessage',
  method: 'PATCH',
  path: '/portal/message',
  auth: 'NONE',
  portal: 'SESSION',
  limit: 'HOSTED',
  tag: 'E-mail portal',
  summary: 'Answer the message',
  description:
    'Says that the destination is yours, gives what you know of the beneficiary, confirms or declines; all of it may come in ' +
    'one request. The sender is told at once. `allowed` of a 409 `invalid_transition` lists the statuses that are possible now.',
  body: AnswerMessageBody,
  example: { body: { destinationConfirmed: true, status: 'CONFIRMED' } },
  responses: { 200: { description: 'The message after the answer.', schema: PortalMessage } },
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
    const { record, outbox } = await writeInTurn(
      request.address,
      async () =>
        await changeTransaction(db, {
          ...(await mailedRecordOf(db.pool, open.record)),
          now,
          decide: (own, counterpart) => answerMessage(own, counterpart, request.body, now),
          complete: whileCurrent(db, open.link),
        }),
    );
    notifyWorkflows(outbox);
    return { status: 200, body: viewMessage(record) };
  },
});
