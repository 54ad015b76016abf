import { z } from 'zod';
import { inTransaction } from '../../db/postgres.ts';
import { deleteSource } from '../../db/labels/label-imports.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { BUNDLED_SOURCE, SourceName } from '../../domain/labels/schema.ts';
import { defineEndpoint } from '../endpoint.ts';

export const deleteLabelSourceEndpoint = defineEndpoint({
  operationId: 'deleteLabelSource',
  method: 'DELETE',
  path: '/operator/labels/{source}',
  auth: 'OPERATOR',
  limit: 'WRITES',
  tag: 'Operator',
  summary: 'Remove the labels of a source',
  description: 'The labels that come with the product cannot be removed: 409.',
  params: z.strictObject({ source: SourceName }),
  responses: { 204: { description: 'Removed.', schema: null } },
  errors: ['conflict'],
  async handle({ params: { source } }, { db }) {
    if (source === BUNDLED_SOURCE) {
      throw new DomainError('conflict', 'The labels that come with the product cannot be removed.');
    }
    const isDeleted = await inTransaction(db.pool, async (tx) => await deleteSource(tx, source));
    if (!isDeleted) throw notFound('source of labels');
    return { status: 204 };
  },
});
