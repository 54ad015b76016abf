import { z } from 'zod';
import { logReading } from '../../db/lifecycle/log-reading.ts';
import { getTransaction } from '../../db/transactions/find-transaction.ts';
import { PartnerTransaction } from '../../domain/partners/transaction-schema.ts';
import { viewPartnerTransaction } from '../../domain/partners/view-transaction.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getPartnerTransactionEndpoint = defineEndpoint({
  operationId: 'getPartnerTransaction',
  method: 'GET',
  path: '/partners/me/transactions/{id}',
  auth: 'PARTNER',
  limit: 'READS',
  tag: 'Partner',
  summary: 'Read a message to or from your network',
  description:
    'While it is `sealed`, parties are null: confirm first that the destination belongs to your network. Each reading of the ' +
    'personal data of a message to you is an event in its log.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The transaction.', schema: PartnerTransaction } },
  errors: [],
  async handle({ params, caller: { partnerId } }, { db, writeInTurn }) {
    const record = await getTransaction(db, partnerId, params.id);
    const isReading = record.direction === 'INCOMING' && !record.sealed;
    const read = isReading
      ? await writeInTurn(
          partnerId,
          async () => await logReading(db, { tenantId: partnerId, id: params.id, now: new Date() }),
        )
      : record;
    return { status: 200, body: viewPartnerTransaction(read) };
  },
});
