import { z } from 'zod';
import { changeAndRelate } from '../../db/lifecycle/relate-transfer.ts';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { hashFields } from '../../domain/normalised-places.ts';
import { patchMessage } from '../../domain/partners/patch-message.ts';
import { PatchPartnerTransactionBody } from '../../domain/partners/transaction-schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const patchPartnerTransactionEndpoint = defineEndpoint({
  operationId: 'patchPartnerTransaction',
  method: 'PATCH',
  path: '/partners/me/transactions/{id}',
  auth: 'PARTNER',
  limit: 'WRITES',
  tag: 'Partner',
  summary: 'Answer a message, or change your own',
  description:
    'An INCOMING message can become CONFIRMED, once its destination is confirmed, or DECLINED; both may come in one request. ' +
    'An OUTGOING one takes a transaction hash and data of the parties, such as `requestedFields`, and can become CANCELLED. The other side is told at once. `allowed` of a 409 ' +
    '`invalid_transition` lists the statuses that would be accepted now.',
  params: z.strictObject({ id: UuidParam }),
  body: PatchPartnerTransactionBody,
  example: { body: { destinationConfirmed: true, status: 'CONFIRMED' } },
  responses: { 200: { description: 'Done; the body is empty.', schema: null } },
  errors: ['invalid_transition'],
  async handle({ params, body, caller }, { db, writeInTurn, notifyWorkflows }) {
    const now = new Date();
    const { outbox } = await writeInTurn(
      caller.partnerId,
      async () =>
        await changeStored({
          tenantId: caller.partnerId,
          id: params.id,
          now,
          decide: (own, counterpart) => patchMessage(own, counterpart, body, now),
        }),
    );
    notifyWorkflows(outbox);
    return { status: 200 };

    /** A changed hash may tell which own record of the other side is of the same transfer. */
    async function changeStored(command: Parameters<typeof changeTransaction>[1]) {
      const { transactionHash } = body;
      if (transactionHash === undefined) return await changeTransaction(db, command);
      return await changeAndRelate(db, command, hashFields(transactionHash).hashNormal);
    }
  },
});
