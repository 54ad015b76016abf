import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../db/database.ts';
import {
  beginExport,
  noteProgress,
  storeExport,
  type ExportAttempt,
  type UnmadeExport,
} from '../../db/exports/store-export.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { sealStream } from '../../db/vault/sealed-stream.ts';
import type { ExportContent } from '../../domain/exports/export.ts';
import { PRODUCT_VERSION } from '../../domain/product-version.ts';
import type { Storage } from '../../storage/storage.ts';
import { EXPORT_WRITERS } from './export-writers.ts';

export interface ExportDeps {
  db: Database;
  storage: Storage;
  now: () => Date;
}

/** Rows between two notes of the progress. */
const NOTED_ROWS = 5_000;

/**
 * Writes the file of an export into the storage, then makes it that of the export. What an earlier attempt left in the storage
 * is deleted first. Throws ApplicationFailure when another attempt has begun meanwhile.
 */
export async function makeExportFile(
  { db, storage, now }: ExportDeps,
  unmade: UnmadeExport,
  signal: AbortSignal,
): Promise<{ rows: number }> {
  if (unmade.leftObjectKey !== null) await storage.delete(unmade.leftObjectKey);
  const attempt = await beginExport(db, unmade);
  if (!attempt) throw anotherAttempt();
  const content = await writeFile({ db, storage, now }, attempt, signal);
  if (await storeExport(db.pool, attempt, content, now())) return content;
  await storage.delete(attempt.objectKey);
  throw anotherAttempt();
}

function anotherAttempt(): ApplicationFailure {
  return ApplicationFailure.retryable('Another attempt at this export has begun.', 'ANOTHER_ATTEMPT');
}

async function writeFile(
  { db, storage, now }: ExportDeps,
  attempt: ExportAttempt,
  signal: AbortSignal,
): Promise<ExportContent> {
  const { tenantId, objectKey, key, resource, format } = attempt;
  const { pieces, columnsOf } = EXPORT_WRITERS[resource];
  const hash = createHash('sha256');
  const written = { rows: 0, sizeBytes: 0 };
  const measured = async function* () {
    for await (const { text, rows } of pieces(db, { ...attempt, now: now() })) {
      signal.throwIfAborted();
      const bytes = Buffer.from(text);
      hash.update(bytes);
      written.sizeBytes += bytes.length;
      yield bytes;
      await countRows(db, attempt, { written, rows });
    }
  };
  const context = sealingContext.export.content(tenantId, objectKey);
  await storage.put(objectKey, sealStream(key, context, measured()));
  return {
    ...written,
    sha256: hash.digest('hex'),
    columns: columnsOf(format),
    productVersion: PRODUCT_VERSION,
  };
}

async function countRows(
  { pool }: Database,
  attempt: ExportAttempt,
  { written, rows }: { written: { rows: number }; rows: number },
): Promise<void> {
  const before = written.rows;
  written.rows += rows;
  if (Math.floor(written.rows / NOTED_ROWS) > Math.floor(before / NOTED_ROWS))
    await noteProgress(pool, attempt, written.rows);
}
