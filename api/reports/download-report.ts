import { z } from 'zod';
import { findReportFile } from '../../db/reports/find-reports.ts';
import { openMinuteLink } from '../../db/vault/minute-link.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { openLinkedFile } from '../uploads/open-linked-file.ts';
import { defineEndpoint } from '../endpoint.ts';

/** Descriptions of the headers. */
const HEADERS = {
  'Content-Type': 'Always `text/csv; charset=utf-8`.',
  'Content-Disposition': 'Always an attachment; the file name has the month.',
  'Content-Length': 'The exact size of the file in bytes.',
};

export const downloadReportEndpoint = defineEndpoint({
  operationId: 'downloadReport',
  method: 'GET',
  path: '/reports/{token}',
  auth: 'NONE',
  audit: 'OWN',
  refusesHead: true,
  limit: 'HOSTED',
  tag: 'Reports',
  summary: 'Download a report by its link',
  description:
    'The link needs no API key and is valid for 60 seconds; an expired, changed or invented one is 404. The file is CSV in ' +
    'UTF-8 (RFC 4180) with a header, oldest transaction first. Amounts are exact decimals. A cell that begins with `=`, ' +
    '`+`, `-`, `@`, a tab or a carriage return has an apostrophe in front, so that no spreadsheet takes it for a formula.',
  params: z.strictObject({ token: z.string().max(200) }),
  responses: { 200: { description: 'The file.', contentType: 'text/csv', headers: HEADERS } },
  errors: ['tenant_suspended', 'rate_limited'],
  async handle({ params, address, requestId, log }, deps) {
    const { db } = deps;
    const file = await findReportFile(db.pool, openMinuteLink(db.vault, 'report', params.token, new Date()));
    const context = sealingContext.report;
    const contexts = { key: context.key(file), content: context.content(file.tenantId, file.objectKey) };
    const request = { address, requestId, log };
    const body = await openLinkedFile(deps, file, { operation: 'downloadReport', contexts, request });
    return {
      status: 200,
      body,
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Length': String(file.sizeBytes),
        'Content-Disposition': `attachment; filename="report-${file.month}.csv"`,
      },
    };
  },
});
