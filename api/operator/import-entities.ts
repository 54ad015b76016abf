import type pg from 'pg';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { applyImport } from '../../db/entities/apply-import.ts';
import { removeStaged, requireStaged, stageRows, type EntityImport } from '../../db/entities/stage-import.ts';
import { newId } from '../../db/new-id.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { OPERATOR_SOURCE } from '../../domain/entities/entity.ts';
import { IMPORT_COLUMNS, IMPORT_LIMITS, importRefused } from '../../domain/entities/import-row.ts';
import { defineEndpoint } from '../endpoint.ts';
import { readEntityFile, type ReadEntities } from '../../readers/entities/read-entity-file.ts';

const EntityImportResult = z
  .strictObject({
    total: z.int().describe('Number of entities in the file.'),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int().describe('Entities that already agree with the file, or that are tenants.'),
    durationMs: z.int(),
  })
  .meta({ id: 'EntityImportResult' });

export const importEntitiesEndpoint = defineEndpoint({
  operationId: 'importEntities',
  method: 'POST',
  path: '/operator/entities/import',
  auth: 'OPERATOR',
  limit: 'WRITES',
  tag: 'Operator',
  summary: 'Import entities from a file',
  description:
    'CSV with a header, or JSON as an array or one object per line; UTF-8, up to 1,000,000 entities and 500 MB. Columns ' +
    `or fields: ${IMPORT_COLUMNS.map((name) => `\`${name}\``).join(', ')}; \`name\` and \`type\` are required, and \`;\` ` +
    'separates several values in a cell. An entity is identified by `id`, else by `source` and `sourceId`, and without ' +
    '`sourceId` by its name. The file replaces the data of known entities, except an assessed risk and a merge that it ' +
    'does not mention. If it has a fault, nothing is imported and 400 `csv_invalid` lists the first 1,000 by row.',
  multipart: {
    file: {
      kind: 'FILE',
      description: 'The file.',
      maxBytes: IMPORT_LIMITS.fileBytes,
      maxCount: 1,
      required: true,
    },
  },
  example: { form: { file: 'name,type,countries\nCedar Bank,bank,LB\n' } },
  responses: { 201: { description: 'Imported.', schema: EntityImportResult } },
  errors: ['csv_invalid', 'conflict'],
  idempotency: 'LEASE',
  async handle({ readForm, commit }, { db }) {
    const now = new Date();
    const staged: EntityImport = { id: newId(now), begunAt: now };
    let file: ReadEntities = { total: 0, faults: [] };
    try {
      const { once } = await readForm(async ({ content }) => {
        file = await stageFile(db, staged, content);
      });
      return await once(async () => {
        if (file.faults.length > 0) throw importRefused(file.faults);
        return await commit(async (tx) => await applyStaged(tx, staged, file.total));
      });
    } finally {
      await removeStaged(db.pool, staged);
    }
  },
});

async function stageFile(
  db: Database,
  staged: EntityImport,
  content: AsyncIterable<Buffer>,
): Promise<ReadEntities> {
  return await readEntityFile(content, {
    source: OPERATOR_SOURCE,
    now: staged.begunAt,
    take: async (entities) => await stageRows(db, staged, entities),
  });
}

async function applyStaged(
  tx: pg.PoolClient,
  staged: EntityImport,
  total: number,
): Promise<{ status: number; body: z.infer<typeof EntityImportResult>; outbox: OutboxEntry[] }> {
  await requireStaged(tx, staged, total);
  const { created, updated, outbox } = await applyImport(tx, staged);
  const durationMs = Date.now() - staged.begunAt.getTime();
  const unchanged = total - created - updated;
  return { status: 201, body: { total, created, updated, unchanged, durationMs }, outbox };
}
