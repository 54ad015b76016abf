import { z } from 'zod';
import { findExportFile } from '../../db/exports/read-exports.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { openMinuteLink } from '../../db/vault/minute-link.ts';
import type { ExportFormat } from '../../domain/exports/export.ts';
import { defineEndpoint } from '../endpoint.ts';
import { openLinkedFile } from '../uploads/open-linked-file.ts';

/** Descriptions of the headers. */
const HEADERS = {
  'Content-Type': '`text/csv; charset=utf-8` or `application/json`.',
  'Content-Disposition': 'Always an attachment; the file name has the id of the export.',
  'Content-Length': 'The exact size of the file in bytes.',
};

const TYPES: Record<ExportFormat, { contentType: string; ending: string }> = {
  CSV: { contentType: 'text/csv; charset=utf-8', ending: 'csv' },
  JSON: { contentType: 'application/json', ending: 'json' },
  IVMS101: { contentType: 'application/json', ending: 'ivms101.json' },
};

export const downloadExportEndpoint = defineEndpoint({
  operationId: 'downloadExport',
  method: 'GET',
  path: '/export-files/{token}',
  auth: 'NONE',
  audit: 'OWN',
  refusesHead: true,
  limit: 'HOSTED',
  tag: 'Exports',
  summary: 'Download the file of an export by its link',
  description:
    'The link needs no API key and is valid for 60 seconds, however often it is used; an expired, changed or invented one is ' +
    '404, and so is one of an export that was removed.',
  params: z.strictObject({ token: z.string().max(200) }),
  responses: { 200: { description: 'The file.', contentType: 'text/csv', headers: HEADERS } },
  errors: ['tenant_suspended', 'rate_limited'],
  async handle({ params, address, requestId, log }, deps) {
    const { db } = deps;
    const file = await findExportFile(db.pool, openMinuteLink(db.vault, 'export', params.token, new Date()));
    const context = sealingContext.export;
    const contexts = { key: context.key(file), content: context.content(file.tenantId, file.objectKey) };
    const request = { address, requestId, log };
    const body = await openLinkedFile(deps, file, { operation: 'downloadExport', contexts, request });
    const { contentType, ending } = TYPES[file.format];
    return {
      status: 200,
      body,
      headers: {
        'Content-Type': contentType,
        'Content-Length': String(file.sizeBytes),
        'Content-Disposition': `attachment; filename="export-${file.id}.${ending}"`,
      },
    };
  },
});
