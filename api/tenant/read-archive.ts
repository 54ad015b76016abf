import { z } from 'zod';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { readFromArchive } from '../../domain/transactions/delete-transaction.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import { showTransaction } from '../../db/transactions/show-transaction.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

const ReadArchiveQuery = z.strictObject({
  reason: z.string().min(1).max(500).describe('Why the record is read; stored with the event.'),
});

export const readArchiveEndpoint = defineEndpoint({
  operationId: 'getArchivedTransaction',
  method: 'GET',
  path: '/tenant/me/archive/{id}',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'READS',
  tag: 'Tenant',
  summary: 'Read a deleted transaction',
  description:
    'A deleted record is archived for years, because the law requires it. An ADMIN may read it with a reason; ' +
    "each reading is an event in the record's log.",
  params: z.strictObject({ id: UuidParam }),
  query: ReadArchiveQuery,
  example: { query: { reason: 'Question of the supervisor' } },
  responses: { 200: { description: 'The record as it was when it was deleted.', schema: Transaction } },
  errors: [],
  async handle({ params, query, caller }, { db, writeInTurn }) {
    const now = new Date();
    const { record } = await writeInTurn(
      caller.tenantId,
      async () =>
        await changeTransaction(db, {
          tenantId: caller.tenantId,
          id: params.id,
          now,
          deleted: true,
          decide: (own) => readFromArchive(own, { actor: actorOf(caller), reason: query.reason }, now),
        }),
    );
    return { status: 200, body: await showTransaction(db, db.pool, record, caller.tenant.entityId) };
  },
});
