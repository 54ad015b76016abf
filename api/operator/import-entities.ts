import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { applyImport } from '../../db/entities/apply-import.ts';
import { removeStaged, stageRows, type EntityImport } from '../../db/entities/stage-import.ts';
import { newId } from '../../db/new-id.ts';
import { OPERATOR_SOURCE } from '../../domain/entities/entity.ts';
import { IMPORT_COLUMNS, IMPORT_LIMITS, importRefused } from '../../domain/entities/import-row.ts';
import type { Deps } from '../deps.ts';
import { defineEndpoint } from '../endpoint.ts';
import { readEntityFile, type ReadEntities } from '../../readers/entities/read-entity-file.ts';

const EntityImportResult = z
  .strictObject({
    total: z.int().describe('Entities of the file.'),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int().describe('Already as the file says, or left out because the entity is a tenant.'),
    durationMs: z.int(),
  })
  .meta({ id: 'EntityImportResult' });

export const importEntitiesEndpoint = defineEndpoint({
  method: 'POST',
  path: '/operator/entities/import',
  auth: 'OPERATOR',
  limit: 'WRITES',
  tag: 'Operator',
  summary: 'Import entities from a file',
  description:
    'CSV with a header, or JSON as an array or one object per line; UTF-8, up to 1,000,000 entities and 500 MB. Columns ' +
    `or fields: ${IMPORT_COLUMNS.map((name) => `\`${name}\``).join(', ')}; \`name\` and \`type\` are required, several ` +
    'values of a cell are joined by `;`. An entity is known by `id`, else by `source` and `sourceId`, without a ' +
    '`sourceId` by its name. What is known is replaced by what the file says; an assessed risk and a merge stay unless ' +
    'the file brings its own. With one fault nothing is imported, and 400 `csv_invalid` names the first 1,000 by row.',
  multipart: {
    file: {
      kind: 'FILE',
      description: 'The file.',
      maxBytes: IMPORT_LIMITS.fileBytes,
      maxCount: 1,
      required: true,
    },
  },
  responses: { 201: { description: 'Imported.', schema: EntityImportResult } },
  errors: ['csv_invalid', 'conflict'],
  // The same file again finds everything as it says: there is no answer to keep.
  idempotency: 'NONE',
  async handle({ readForm }, deps) {
    const now = new Date();
    const place: EntityImport = { id: newId(now), begunAt: now };
    let file: ReadEntities = { total: 0, faults: [] };
    try {
      await readForm(async ({ content }) => {
        file = await stageFile(deps.db, place, content);
      });
      if (file.faults.length > 0) throw importRefused(file.faults);
      return { status: 201, body: await takeOver(deps, place, file.total) };
    } finally {
      await removeStaged(deps.db.pool, place);
    }
  },
});

async function stageFile(
  db: Database,
  place: EntityImport,
  content: AsyncIterable<Buffer>,
): Promise<ReadEntities> {
  return await readEntityFile(content, {
    source: OPERATOR_SOURCE,
    now: place.begunAt,
    take: async (entities) => await stageRows(db, place, entities),
  });
}

async function takeOver(
  { db, notifyWorkflows }: Deps,
  place: EntityImport,
  total: number,
): Promise<z.infer<typeof EntityImportResult>> {
  const { created, updated, outbox } = await applyImport(db, place);
  notifyWorkflows(outbox);
  const durationMs = Date.now() - place.begunAt.getTime();
  return { total, created, updated, unchanged: total - created - updated, durationMs };
}
