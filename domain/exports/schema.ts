import { z } from 'zod';
import { DIRECTIONS } from '../direction.ts';
import { listQuery, Timestamp } from '../list-query.ts';
import { text } from '../schema-fields.ts';
import { STATUSES } from '../transactions/state.ts';
import { EXPORT_FORMATS, EXPORT_RESOURCES, EXPORT_STATES, type ExportRecord } from './export.ts';

const Filter = z
  .strictObject({
    from: Timestamp.optional().describe('Only what was made then or later.'),
    until: Timestamp.optional().describe('Only what was made before that.'),
    direction: z.enum(DIRECTIONS).optional().describe('Only this direction.'),
    status: z.array(z.enum(STATUSES)).min(1).max(STATUSES.length).optional().describe('Only these statuses.'),
  })
  .refine(({ from, until }) => !from || !until || from < until, {
    path: ['until'],
    message: '`until` must come after `from`.',
  })
  .meta({ id: 'ExportFilter' });

/** The body of `POST /exports`. */
export const CreateExportBody = z
  .strictObject({
    resource: z.enum(EXPORT_RESOURCES).describe('What is exported.'),
    filter: Filter.default({}).describe('Which records; all without it.'),
    format: z
      .enum(EXPORT_FORMATS)
      .describe(
        'CSV (RFC 4180), JSON (a list of what `GET /transactions/{id}` answers), or IVMS101 (a list of payloads, version 101.2023).',
      ),
    purpose: text(500).describe('What the copy is for; stored encrypted.'),
  })
  .meta({ id: 'CreateExport' });

const ShownFilter = z
  .strictObject({
    from: z.string().optional().describe('Only what was made then or later.'),
    until: z.string().optional().describe('Only what was made before that.'),
    direction: z.enum(DIRECTIONS).optional().describe('Only this direction.'),
    status: z.array(z.enum(STATUSES)).optional().describe('Only these statuses.'),
  })
  .meta({ id: 'ShownExportFilter' });

/** An export as its tenant reads it. */
export const Export = z
  .strictObject({
    id: z.uuid(),
    resource: z.enum(EXPORT_RESOURCES).describe('What is exported.'),
    format: z.enum(EXPORT_FORMATS).describe('The format of the file.'),
    filter: ShownFilter.describe('Which records.'),
    purpose: z.string().describe('What the copy is for.'),
    requestedBy: z
      .strictObject({
        kind: z.enum(['API_KEY', 'USER']).describe('What it is.'),
        id: z.uuid().describe('The id of the key or user.'),
      })
      .meta({ id: 'ExportRequester' })
      .describe('Who asked for it.'),
    status: z
      .enum(EXPORT_STATES)
      .describe('MAKING: the file is being written. FAILED: it could not be made.'),
    rows: z.int().describe('Records in the file; while it is made, those that were written so far.'),
    sizeBytes: z.int().nullable().describe('Size of the file in bytes; null until it is made.'),
    sha256: z.string().nullable().describe('SHA-256 of the file, in hex; null until it is made.'),
    createdAt: z.iso.datetime().describe('When it was asked for.'),
    finishedAt: z.iso.datetime().nullable().describe('When the file was made, or given up.'),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .describe('When the file is removed, seven days after it was made.'),
  })
  .meta({ id: 'Export' });
type Export = z.infer<typeof Export>;

/** A link under which the file of an export can be fetched for a short time. */
export const ExportLink = z
  .strictObject({
    url: z.string().describe('Needs no key: anybody who has it can fetch the file until it expires.'),
    expiresAt: z.iso.datetime().describe('When the link ends.'),
  })
  .meta({ id: 'ExportLink' });

/** The query of `GET /exports`. */
export const ListExportsQuery = listQuery({
  sortable: ['createdAt'],
  filters: { _status: z.enum(EXPORT_STATES).describe('Only exports with this status.') },
});
export type ExportList = z.output<typeof ListExportsQuery>;

export function viewExport(record: ExportRecord): Export {
  const { tenantId: _tenant, state: status, createdAt, finishedAt, expiresAt, ...rest } = record;
  return {
    ...rest,
    status,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
