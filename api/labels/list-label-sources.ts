import { z } from 'zod';
import { listSources } from '../../db/labels/label-imports.ts';
import { LabelSource } from '../../domain/labels/schema.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listLabelSourcesEndpoint = defineEndpoint({
  operationId: 'listLabelSources',
  method: 'GET',
  path: '/operator/labels',
  auth: 'OPERATOR',
  audit: 'NOTHING',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the sources of labels',
  responses: { 200: { description: 'All of them, by name.', schema: z.array(LabelSource) } },
  errors: [],
  async handle(_request, { db }) {
    return { status: 200, body: await listSources(db.pool) };
  },
});
