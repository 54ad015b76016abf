import { z } from 'zod';
import { answerDeadline } from '../../db/counterparties/answer-deadline.ts';
import { changeInTransaction } from '../../db/transactions/change-transaction.ts';
import { DomainError } from '../../domain/errors.ts';
import { COUNTERPARTY } from '../../domain/events/actor.ts';
import { PartnerTransaction } from '../../domain/partners/transaction-schema.ts';
import { viewWithoutParties } from '../../domain/partners/view-transaction.ts';
import { requestRepair } from '../../domain/transactions/changing/request-repair.ts';
import { RepairBody } from '../../domain/transactions/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const requestPartnerRepairEndpoint = defineEndpoint({
  operationId: 'requestPartnerRepair',
  method: 'POST',
  path: '/partners/me/transactions/{id}/repair',
  auth: 'PARTNER',
  limit: 'WRITES',
  tag: 'Partner',
  summary: 'Ask the originator VASP for data',
  description:
    'For an INCOMING message that is DELIVERED and whose destination you have confirmed. The originator VASP has 3 working days; ' +
    '`requestedFields` lists what it has not given yet. You may answer at any time.',
  params: z.strictObject({ id: UuidParam }),
  body: RepairBody,
  // Without a key a repeat of the same request changes nothing.
  idempotency: 'TRANSACTION',
  example: { body: { fields: ['originator.country'], reason: 'Our register needs it.' } },
  responses: { 200: { description: 'Asked; shown without parties.', schema: PartnerTransaction } },
  errors: ['invalid_transition', 'temporarily_unavailable'],
  async handle({ params: { id }, body, caller: { partnerId }, commit }, { db }) {
    const now = new Date();
    const deadlineAt = await answerDeadline(db.pool, partnerId, null, now);
    const { fields, reason = null } = body;
    const request = { fields, reason, deadlineAt, actor: COUNTERPARTY, now };
    return await commit(async (tx) => {
      const changed = await changeInTransaction(db, tx, {
        tenantId: partnerId,
        id,
        now,
        decide: (own, counterpart) => requestRepair(own, counterpart, request),
      });
      if (!changed) throw new DomainError('temporarily_unavailable', 'Try again.', { retryAfterSeconds: 1 });
      const { record, outbox } = changed;
      return { status: 200, body: viewWithoutParties(record), outbox, shows: { kind: 'TRANSACTION', id } };
    });
  },
});
