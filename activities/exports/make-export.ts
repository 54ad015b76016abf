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
import { readExported } from '../../db/transactions/read-exported.ts';
import { viewContext } from '../../db/transactions/show-transaction.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { sealStream } from '../../db/vault/sealed-stream.ts';
import { viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import type { Storage } from '../../storage/storage.ts';
import { exportText } from './export-texts.ts';

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
  const content = await writeFile({ db, storage }, attempt, signal);
  if (await storeExport(db.pool, attempt, content, now())) return content;
  await storage.delete(attempt.objectKey);
  throw anotherAttempt();
}

function anotherAttempt(): ApplicationFailure {
  return ApplicationFailure.retryable('Another attempt at this export has begun.', 'ANOTHER_ATTEMPT');
}

async function writeFile(
  { db, storage }: Pick<ExportDeps, 'db' | 'storage'>,
  attempt: ExportAttempt,
  signal: AbortSignal,
) {
  const { tenantId, objectKey, key } = attempt;
  const hash = createHash('sha256');
  const written = { rows: 0, sizeBytes: 0 };
  const measured = async function* () {
    for await (const text of textsOf(db, attempt, written)) {
      signal.throwIfAborted();
      const bytes = Buffer.from(text);
      hash.update(bytes);
      written.sizeBytes += bytes.length;
      yield bytes;
    }
  };
  const context = sealingContext.export.content(tenantId, objectKey);
  await storage.put(objectKey, sealStream(key, context, measured()));
  return { ...written, sha256: hash.digest('hex') };
}

/** The texts of a file, with the memory of one batch. */
async function* textsOf(
  db: Database,
  attempt: ExportAttempt,
  written: { rows: number },
): AsyncGenerator<string> {
  const { tenantId, format, filter, tenant } = attempt;
  const text = exportText(format, {
    name: tenant.name,
    show: async (records) => {
      const context = await viewContext(db, db.pool, records);
      return records.map((record) => viewTransaction(record, tenant.entityId, context));
    },
  });
  yield text.begin;
  for await (const records of readExported(db, tenantId, filter)) {
    yield await text.batch(records, written.rows === 0);
    const before = written.rows;
    written.rows += records.length;
    if (Math.floor(written.rows / NOTED_ROWS) > Math.floor(before / NOTED_ROWS))
      await noteProgress(db.pool, attempt, written.rows);
  }
  if (text.end !== '') yield text.end;
}
