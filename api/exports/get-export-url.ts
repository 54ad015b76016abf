import { z } from 'zod';
import { getExport } from '../../db/exports/read-exports.ts';
import { makeMinuteLink } from '../../db/vault/minute-link.ts';
import { ExportLink } from '../../domain/exports/schema.ts';
import { apiUrlOf } from '../../process/settings.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { noFileYet } from './no-file-yet.ts';

export const getExportUrlEndpoint = defineEndpoint({
  operationId: 'getExportUrl',
  method: 'GET',
  path: '/exports/{id}/download-url',
  auth: 'TENANT',
  permission: 'EXPORT',
  limit: 'READS',
  tag: 'Exports',
  summary: 'Get a link to the file of an export',
  description: 'The link is valid for 60 seconds. 409 `conflict` while there is no file.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The link.', schema: ExportLink } },
  errors: ['conflict'],
  async handle({ params: { id }, caller: { tenantId } }, { db, settings }) {
    const record = await getExport(db, tenantId, id);
    if (record.state !== 'READY') throw noFileYet(record);
    const { token, expiresAt } = makeMinuteLink(db.vault, { what: 'export', id }, new Date());
    const url = `${apiUrlOf(settings)}/export-files/${token}`;
    return { status: 200, body: { url, expiresAt: expiresAt.toISOString() } };
  },
});
