import { Readable } from 'node:stream';
import { z } from 'zod';
import { findReportFile, type ReportFile } from '../../db/reports/find-reports.ts';
import { openReportLink } from '../../db/reports/report-link.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { openStream } from '../../db/vault/sealed-stream.ts';
import { requireActive } from '../../db/tenants/require-active.ts';
import type { AuditDraft } from '../../domain/audit/entry.ts';
import { fetchObject, noteUnreadable } from '../uploads/fetch-object.ts';
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
  async handle({ params, address, requestId, log }, { db, storage, audit }) {
    const file = await findReportFile(db.pool, openReportLink(db.vault, params.token, new Date()));
    await requireActive(db.pool, file.tenantId);
    const sealed = await fetchObject(storage, file.objectKey, log);
    const keys = await db.vault.tenantKeys(file.tenantId, [file.recordKey]);
    const key = keys.openRecordKey(file.recordKey, sealingContext.report.key(file));
    const context = sealingContext.report.content(file.tenantId, file.objectKey);
    await audit.write(entryOfDownload(file, { address, requestId })).catch((error: unknown) => {
      sealed.destroy();
      throw error;
    });
    return {
      status: 200,
      body: Readable.from(noteUnreadable(openStream(key, context, sealed), log), { objectMode: false }),
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Length': String(file.sizeBytes),
        'Content-Disposition': `attachment; filename="report-${file.month}.csv"`,
      },
    };
  },
});

/** Who has the link is not known. */
function entryOfDownload({ id, tenantId }: ReportFile, origin: AuditDraft['origin']): AuditDraft {
  return {
    tenantId,
    actor: { kind: 'UNKNOWN' },
    operation: 'downloadReport',
    status: 200,
    code: null,
    recordId: id,
    items: null,
    parameters: {},
    origin,
    hour: null,
    requests: 1,
  };
}
