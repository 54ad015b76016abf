import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { storedFiles, UploadLost } from '../../db/sanctions-lists/chunks.ts';
import { noteFailure } from '../../db/sanctions-lists/check-list.ts';
import { inTransaction } from '../../db/postgres.ts';
import { stageEntries } from '../../db/sanctions-lists/stage-entries.ts';
import { endAsSame, switchVersion } from '../../db/sanctions-lists/switch-version.ts';
import {
  clearUpload,
  endUpload,
  findUploadResult,
  type ArrivedUpload,
  type UploadResult,
} from '../../db/sanctions-lists/uploads.ts';
import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import { ListFault } from '../../readers/sanctions-lists/list-fault.ts';
import type { ListFile } from '../../readers/sanctions-lists/list-text.ts';
import { readList, type ListReading } from '../../readers/sanctions-lists/read-list.ts';

/**
 * Reads the files of an upload and makes them a version of their list. Unreadable files end the upload; only database
 * errors are thrown. A repeat starts again, or finds that nothing is left to do.
 */
export async function importFiles(
  db: Database,
  upload: ArrivedUpload,
  signal: AbortSignal,
  files: readonly ListFile[] = storedFiles(db.pool, upload),
): Promise<UploadResult> {
  try {
    const isSame = upload.source === 'UPLOAD' && (await endAsSame(db.pool, upload));
    if (!isSame) await readAndSwitch(db, upload, readList(upload.format, upload.code, files), signal);
  } catch (error) {
    const result = resultOf(error);
    if (!result) throw error;
    await giveUp(db, upload, result);
  }
  await clearUpload(db.pool, upload.id);
  return (await findUploadResult(db.pool, upload.id)) ?? { outcome: 'LOST', fault: null, version: null };
}

async function readAndSwitch(
  db: Database,
  upload: ArrivedUpload,
  reading: ListReading,
  signal: AbortSignal,
): Promise<void> {
  const run = { runId: randomUUID(), uploadId: upload.id };
  const unusable = await stageEntries(db.pool, run, untilAborted(reading.entries, signal));
  const publishedAt = publishedOf(upload, reading);
  await switchVersion(db.pool, {
    upload,
    runId: run.runId,
    faults: reading.faults() + unusable,
    publishedAt,
    // The snapshot was last known to be current when it was published.
    currentAt: upload.source === 'BUNDLED' ? publishedAt : null,
  });
}

/** Ends an upload that became no version, and records the failed check if the list is fetched regularly. */
export async function giveUp(db: Database, upload: ArrivedUpload, result: UploadResult): Promise<void> {
  const { outcome, fault } = result;
  await inTransaction(db.pool, async (tx) => {
    const isFirst = await endUpload(tx, upload.id, result);
    if (!isFirst || upload.source !== 'FETCH') return;
    if (outcome === 'UNREADABLE') await noteFailure(tx, upload.code, 'UNREADABLE', fault ?? outcome);
    else await noteFailure(tx, upload.code, 'FETCH_FAILED', outcome);
  });
}

function resultOf(error: unknown): UploadResult | undefined {
  if (error instanceof ListFault) return { outcome: 'UNREADABLE', fault: error.code, version: null };
  if (error instanceof UploadLost) return { outcome: 'LOST', fault: null, version: null };
  return undefined;
}

/** The publication date given by the caller, otherwise by the file, otherwise by the Last-Modified header. */
function publishedOf({ publishedAt, validators }: ArrivedUpload, reading: ListReading): Date | null {
  const statedDate = publishedAt ?? dateOf(reading.publishedAt());
  if (statedDate) return statedDate;
  const changes = validators.map(({ lastModified }) => dateOf(lastModified ?? undefined)?.getTime() ?? NaN);
  return dateOf(changes.length > 0 ? Math.max(...changes) : undefined);
}

function dateOf(text: string | number | undefined): Date | null {
  const date = new Date(text ?? NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Stops reading when the worker stops; the next worker repeats the import. */
async function* untilAborted(
  entries: AsyncIterable<ListEntry>,
  signal: AbortSignal,
): AsyncGenerator<ListEntry> {
  for await (const entry of entries) {
    signal.throwIfAborted();
    yield entry;
  }
}
