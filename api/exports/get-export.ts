import { z } from 'zod';
import { getExport } from '../../db/exports/read-exports.ts';
import { Export, viewExport } from '../../domain/exports/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getExportEndpoint = defineEndpoint({
  operationId: 'getExport',
  method: 'GET',
  path: '/exports/{id}',
  auth: 'TENANT',
  permission: 'EXPORT',
  limit: 'READS',
  tag: 'Exports',
  summary: 'Read how far an export has come',
  description:
    'While the file is made, `rows` grows; afterwards `rows`, `sizeBytes` and `sha256` tell what belongs into it.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The export.', schema: Export } },
  errors: [],
  async handle({ params: { id }, caller: { tenantId } }, { db }) {
    return { status: 200, body: viewExport(await getExport(db, tenantId, id)) };
  },
});
