import { z } from 'zod';
import { DIRECTIONS } from '../direction.ts';
import { listQuery } from '../list-query.ts';
import { EXPORT_FORMATS, EXPORT_RESOURCES, EXPORT_STATES, type ExportRecord } from './export.ts';

const texts = z.array(z.string());

const ShownFilter = z
  .strictObject({
    from: z.string().optional().describe('Only what was made then or later.'),
    until: z.string().optional().describe('Only what was made before that.'),
    direction: z.enum(DIRECTIONS).optional().describe('Only this direction.'),
    status: texts.optional().describe('Only these statuses.'),
    source: texts.optional().describe('Only wallets from these sources.'),
    flow: texts.optional().describe('Only verifications by these ways of proof.'),
    step: texts.optional().describe('Only verifications with an additional step of these statuses.'),
    kind: z.string().optional().describe('Only screenings of this kind.'),
    sanctioned: z.boolean().optional().describe('Only screenings with this result.'),
    actor: texts.optional().describe('Only requests by these kinds of actors.'),
    operation: texts.optional().describe('Only these operations.'),
    userId: z.string().optional().describe('Only requests of this user.'),
    apiKeyId: z.string().optional().describe('Only requests of this API key.'),
    customerIdentification: z.string().optional().describe('The customer of a dossier.'),
  })
  .meta({ id: 'ShownExportFilter' });

const ABOUT = {
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
};

/** An export as its tenant reads it. */
export const Export = z
  .strictObject({
    id: z.uuid(),
    ...ABOUT,
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

/** What goes with the file of an export, so that whoever gets it can tell what it is and that it is whole. */
export const ExportManifest = z
  .strictObject({
    exportId: z.uuid().describe('The id of the export.'),
    tenant: z
      .strictObject({
        id: z.uuid().describe('The id of the tenant.'),
        name: z.string().describe('Its name.'),
      })
      .meta({ id: 'ExportingTenant' })
      .describe('Whose records they are.'),
    ...ABOUT,
    columns: texts.nullable().describe('The columns of CSV, in order; null for other formats.'),
    rows: z.int().describe('How many records the file has.'),
    sizeBytes: z.int().describe('Size of the file in bytes.'),
    sha256: z.string().describe('SHA-256 of the file, in hex.'),
    createdAt: z.iso.datetime().describe('When it was asked for.'),
    finishedAt: z.iso.datetime().describe('When the file was made.'),
    productVersion: z.string().describe('The version of the product that made it.'),
  })
  .meta({ id: 'ExportManifest' });
type ExportManifest = z.infer<typeof ExportManifest>;

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
  const { tenantId: _tenant, columns: _columns, productVersion: _version, ...shown } = record;
  const { state: status, createdAt, finishedAt, expiresAt, ...rest } = shown;
  return {
    ...rest,
    status,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/** The manifest of a finished export; null while there is no file. */
export function viewManifest(
  record: ExportRecord,
  tenant: { id: string; name: string },
): ExportManifest | null {
  const { id: exportId, tenantId: _tenant, state, expiresAt: _expires, ...rest } = record;
  const { sizeBytes, sha256, columns, productVersion, createdAt, finishedAt, ...about } = rest;
  if (state !== 'READY' || sizeBytes === null || sha256 === null || !finishedAt) return null;
  return {
    exportId,
    tenant: { id: tenant.id, name: tenant.name },
    ...about,
    columns: columns && [...columns],
    sizeBytes,
    sha256,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    productVersion: productVersion ?? '',
  };
}
