import { z } from 'zod';
import { getExport } from '../../db/exports/read-exports.ts';
import { ExportManifest, viewManifest } from '../../domain/exports/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { noFileYet } from './no-file-yet.ts';

export const getExportManifestEndpoint = defineEndpoint({
  operationId: 'getExportManifest',
  method: 'GET',
  path: '/exports/{id}/manifest',
  auth: 'TENANT',
  permission: 'EXPORT',
  limit: 'READS',
  tag: 'Exports',
  summary: 'Read the manifest of an export',
  description:
    'Keep it beside the file: it says what the file is, who asked for it and why, and by `sha256` whether it is whole. 409 ' +
    '`conflict` while there is no file.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The manifest.', schema: ExportManifest } },
  errors: ['conflict'],
  async handle({ params: { id }, caller: { tenantId, tenant } }, { db }) {
    const record = await getExport(db, tenantId, id);
    const manifest = viewManifest(record, { id: tenantId, name: tenant.name });
    if (!manifest) throw noFileYet(record);
    return { status: 200, body: manifest };
  },
});
