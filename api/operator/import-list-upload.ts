import { setTimeout as delay } from 'node:timers/promises';
import { getVersion } from '../../db/sanctions-lists/list-versions.ts';
import { findUploadResult, withdrawUpload, type UploadResult } from '../../db/sanctions-lists/uploads.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import { ListFault, type ListFaultCode } from '../../readers/sanctions-lists/list-fault.ts';
import { checkRefusal } from '../../domain/sanctions-lists/import-checks.ts';
import type { Deps } from '../deps.ts';

const FIRST_POLL_MS = 20;
const SLOWEST_POLL_MS = 500;
/** A start takes at most 1.5 s. A busy Temporal server answers the second; a missing one must not keep the request for long. */
const START_TRIES = 3;

interface RunningUpload {
  id: string;
  code: string;
  /** True if an earlier request has begun it: then that may still wait for its result. */
  isRepeated: boolean;
}

/**
 * Lets the worker import the uploaded files of a list and returns the number of the version that is active afterwards.
 * Throws conflict for a rejected version, validation_failed for unreadable files, and temporarily_unavailable.
 */
export async function importUpload(
  deps: Deps,
  upload: RunningUpload,
  onTrouble: (error: unknown) => void,
): Promise<number> {
  const ended = await findUploadResult(deps.db.pool, upload.id);
  if (!ended) await start(deps, upload, onTrouble);
  const result = ended ?? (await waitForResult(deps, upload.id));
  if (result.outcome === 'UNREADABLE') throw unreadable(result.fault);
  if (result.version === null) throw unfinished();
  if (result.outcome === 'REJECTED') throw await rejected(deps, upload.code, result.version);
  return result.version;
}

async function start(deps: Deps, upload: RunningUpload, onTrouble: (error: unknown) => void): Promise<void> {
  for (let attempt = 1; attempt <= START_TRIES; attempt += 1) {
    try {
      await deps.startListUpdate({ code: upload.code, uploadId: upload.id });
      return;
    } catch (error) {
      onTrouble(error);
      if (await findUploadResult(deps.db.pool, upload.id)) return;
    }
  }
  // The worker may have been told although no answer came: without its files it finds nothing to import.
  if (upload.isRepeated || (await withdrawUpload(deps.db.pool, upload.id))) throw unfinished();
}

async function waitForResult(deps: Deps, id: string): Promise<UploadResult> {
  const until = Date.now() + deps.listImportLimitMs;
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(waitMs * 2, SLOWEST_POLL_MS)) {
    const result = await findUploadResult(deps.db.pool, id);
    if (result) return result;
    if (Date.now() > until) throw unfinished();
    await delay(waitMs);
  }
}

function unfinished(): DomainError {
  return new DomainError(
    'temporarily_unavailable',
    'The import has not ended yet, or could not be started. GET the versions of the list to see; sending the request again with its Idempotency-Key is safe.',
    { retryAfterSeconds: 60 },
  );
}

function unreadable(fault: string | null): DomainError {
  const { message, code } = new ListFault((fault ?? 'NOT_THIS_FORMAT') as ListFaultCode);
  return invalidField('/file', code.toLowerCase(), message);
}

async function rejected({ db }: Deps, code: string, version: number): Promise<DomainError> {
  const made = await getVersion(db.pool, code, version);
  const { rejectReason, entries, faults } = made;
  const active = entries - made.added + made.removed;
  return new DomainError('conflict', checkRefusal(rejectReason ?? 'EMPTY', { ...made, active }), {
    members: { rejectReason, version, entries, faults, activeEntries: active },
  });
}
