import { insertExport } from '../../db/exports/insert-export.ts';
import { newId } from '../../db/new-id.ts';
import { CreateExportBody } from '../../domain/exports/body.ts';
import type { ExportFilter, ExportRecord } from '../../domain/exports/export.ts';
import { Export, viewExport } from '../../domain/exports/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';

export const createExportEndpoint = defineEndpoint({
  operationId: 'createExport',
  method: 'POST',
  path: '/exports',
  auth: 'TENANT',
  permission: 'EXPORT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Exports',
  summary: 'Export records as a file',
  description:
    'The file is made in the background, from one state of the database, oldest record first: read `GET /exports/{id}` until ' +
    '`status` is READY, then fetch it by a link. It is kept for seven days. `resource` is transactions, claims, wallets, ' +
    'verifications, screenings (of sanctions), audit (the audit log) or dossier; each takes the `filter` that is shown for it. ' +
    'Deleted records are in no export, and of a sealed one the parties are missing. In CSV a cell that a spreadsheet would take ' +
    'for a formula has an apostrophe in front. IVMS101 is for transactions alone. A dossier has the records of one customer as ' +
    'JSON; its `purpose` says for whom: AUTHORITY has everything, DATA_SUBJECT only the data of the customer, without ' +
    'screenings, holds, reasons, notes, and data of others. Of an unknown customer it has no records and says so. Three exports ' +
    'at once and 100 in 24 hours; more are 429 `rate_limited`.',
  body: CreateExportBody,
  example: {
    body: {
      resource: 'transactions',
      filter: { from: '2026-01-01T00:00:00Z', until: '2027-01-01T00:00:00Z', direction: 'OUTGOING' },
      format: 'CSV',
      purpose: 'Yearly audit.',
    },
  },
  // The purpose of a dossier is one of two; any other one is a text.
  auditedBody: ({ resource, format, purpose }) => ({
    resource,
    format,
    purpose: resource === 'dossier' ? purpose : null,
  }),
  responses: { 202: { description: 'The file is being made.', schema: Export } },
  errors: [],
  async handle({ body, caller, commit }, { db }) {
    const now = new Date();
    const record: ExportRecord = {
      id: newId(now),
      tenantId: caller.tenantId,
      resource: body.resource,
      format: body.format,
      filter: storedFilter(body.filter),
      purpose: body.purpose,
      requestedBy: actorOf(caller),
      state: 'MAKING',
      rows: 0,
      sizeBytes: null,
      sha256: null,
      columns: null,
      productVersion: null,
      createdAt: now,
      finishedAt: null,
      expiresAt: null,
    };
    const keys = await db.vault.tenantKeys(caller.tenantId);
    return await commit(async (tx) => {
      const outbox = await insertExport(tx, record, keys);
      return { status: 202, body: viewExport(record), outbox };
    });
  },
});

/** The filter as JSON, with times as texts. */
function storedFilter(filter: CreateExportBody['filter']): ExportFilter {
  return JSON.parse(JSON.stringify(filter)) as ExportFilter;
}
