import { z } from 'zod';
import { getTransaction } from '../../db/transactions/find-transaction.ts';
import { claimOfRecord } from '../../domain/claims/claim-of-record.ts';
import { ClaimTransactionBody, TransferClaim } from '../../domain/claims/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { makeClaim } from './make-claim.ts';

export const claimTransactionEndpoint = defineEndpoint({
  operationId: 'claimTransaction',
  method: 'POST',
  path: '/transactions/{id}/claim',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Claims',
  summary: 'Ask the originator VASP for the data of a recorded deposit',
  description:
    'For an INCOMING transaction that you have recorded yourself and that no message has reached: a claim of its asset, ' +
    'blockchain, hash and addresses, as `POST /claims` makes it. 409 if the transaction has no hash or no blockchain, was ' +
    'declined, came from a self-hosted wallet, or has its message; if it names the beneficiary otherwise; or, with its `id`, if there is an open claim.',
  params: z.strictObject({ id: UuidParam }),
  body: ClaimTransactionBody,
  example: { body: { vaspInfo: { originatorVaspName: 'Silent Test VASP' } } },
  responses: { 201: { description: 'Stored; the delivery follows.', schema: TransferClaim } },
  errors: ['conflict'],
  async handle({ params, body, caller, commit }, { db }) {
    const record = await getTransaction(db, caller.tenantId, params.id);
    const claimed = claimOfRecord(record, body);
    return await makeClaim(db, { body: claimed, recordId: record.id, caller, commit });
  },
});
