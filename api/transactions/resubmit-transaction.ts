import { z } from 'zod';
import { newId } from '../../db/new-id.ts';
import { getTransaction } from '../../db/transactions/find-transaction.ts';
import { resubmitTransaction } from '../../domain/transactions/exchanging/resubmit.ts';
import { ResubmitBody, Transaction } from '../../domain/transactions/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { acceptTransaction } from './accept-transaction.ts';

export const resubmitTransactionEndpoint = defineEndpoint({
  operationId: 'resubmitTransaction',
  method: 'POST',
  path: '/transactions/{id}/resubmit',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'OWN_STATEMENT',
  tag: 'Transactions',
  summary: 'Resubmit a transaction that a rule has cancelled',
  description:
    'Corrects a decision of a wrong rule: creates a new transaction with the same data and `resubmissionOf`. The rules as ' +
    'they are now decide on it. Only for an OUTGOING transaction that is CANCELLED with `subStatus` BLOCKED_BY_RULE, ' +
    'which does not change.',
  params: z.strictObject({ id: UuidParam }),
  body: ResubmitBody,
  bodyOptional: true,
  example: { body: {} },
  responses: { 201: { description: 'Accepted and stored.', schema: Transaction } },
  errors: ['conflict', 'invalid_transition'],
  async handle({ params, body, caller, idempotency }, deps) {
    const now = new Date();
    const blocked = await getTransaction(deps.db, caller.tenantId, params.id);
    const accepted = resubmitTransaction(blocked, {
      id: newId(now),
      reference: body.reference ?? null,
      actor: actorOf(caller),
      now,
      price: deps.priceOf(blocked.asset),
    });
    return await acceptTransaction(deps, caller, accepted, idempotency());
  },
});
