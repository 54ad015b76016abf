import { insertExport } from '../../db/exports/insert-export.ts';
import { newId } from '../../db/new-id.ts';
import type { ExportRecord } from '../../domain/exports/export.ts';
import { CreateExportBody, Export, viewExport } from '../../domain/exports/schema.ts';
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
    '`status` is READY, then fetch it by a link. It is kept for seven days. Deleted records are in no export, and of a sealed one ' +
    'the parties are missing. In CSV a cell that a spreadsheet would take for a formula has an apostrophe in front. Three exports ' +
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
  responses: { 202: { description: 'The file is being made.', schema: Export } },
  errors: [],
  async handle({ body, caller, commit }, { db }) {
    const now = new Date();
    const { from, until, direction, status } = body.filter;
    const record: ExportRecord = {
      id: newId(now),
      tenantId: caller.tenantId,
      resource: body.resource,
      format: body.format,
      filter: {
        ...(from && { from: from.toISOString() }),
        ...(until && { until: until.toISOString() }),
        ...(direction && { direction }),
        ...(status && { status }),
      },
      purpose: body.purpose,
      requestedBy: actorOf(caller),
      state: 'MAKING',
      rows: 0,
      sizeBytes: null,
      sha256: null,
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
