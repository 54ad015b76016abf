import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../db/database.ts';
import { fairTurns } from '../../db/fair-turns.ts';
import { findLastFetch, noteFailure, noteUnchanged } from '../../db/sanctions-lists/check-list.ts';
import { storeFile } from '../../db/sanctions-lists/chunks.ts';
import {
  beginUpload,
  clearUpload,
  completeUpload,
  ensureList,
  findRunningUpload,
  findUploadResult,
  removeUpload,
} from '../../db/sanctions-lists/uploads.ts';
import { newId } from '../../db/new-id.ts';
import type { ListSource } from '../../domain/sanctions-lists/list-source.ts';
import { hashOfFiles, type UpdateOutcome, type HttpValidator } from '../../domain/sanctions-lists/update.ts';
import { whileHeartbeating } from '../heartbeat.ts';
import { fetchFile, FetchFault, type FetchedFile, type FetchOptions } from './fetch-file.ts';
import { giveUp, importFiles } from './import-list.ts';

export interface ListDeps {
  db: Database;
  /** The lists that are fetched from their publishers. */
  lists: readonly ListSource[];
  /** Limits and connections of fetches, where they differ from the defaults. */
  fetching?: FetchOptions;
  now: () => Date;
}

const HEARTBEAT_MS = 1_000;
/** Imports at the same time: reading a list uses a processor for seconds, and one must be left for transactions. */
const AT_ONCE = 1;

interface ListUploadRef {
  code: string;
  uploadId: string;
}

/** The activities of `sanctionsListUpdate`. Each may be repeated, or run by two workers at once. */
export function listActivities(deps: ListDeps) {
  const inTurn = fairTurns({ atOnce: AT_ONCE });
  const { db } = deps;
  return {
    /** Fetches a list; null when it has not changed or has no source. */
    async fetchList({ code }: { code: string }): Promise<{ uploadId: string | null }> {
      const source = deps.lists.find((list) => list.code === code);
      if (!source) return { uploadId: null };
      return await whileHeartbeating(HEARTBEAT_MS, async (signal) => ({
        uploadId: await fetchSource(deps, source, signal),
      }));
    },
    /** Makes the files of an upload a version of their list, or a rejected one. */
    async importList({
      code,
      uploadId,
    }: ListUploadRef): Promise<{ outcome: UpdateOutcome; version: number | null }> {
      return await whileHeartbeating(HEARTBEAT_MS, async (signal) => {
        await inTurn(code, async () => {
          const upload = await findRunningUpload(db.pool, uploadId);
          if (upload) await importFiles(db, upload, signal);
        });
        const { outcome, version } = (await findUploadResult(db.pool, uploadId)) ?? LOST;
        return { outcome, version };
      });
    },
    /** Ends an upload as FAILED after its retries; a fetched list counts as not fetched. */
    async giveListUp({ uploadId }: ListUploadRef): Promise<void> {
      const upload = await findRunningUpload(db.pool, uploadId);
      if (upload) await giveUp(db, upload, { outcome: 'FAILED', fault: null, version: null });
      await clearUpload(db.pool, uploadId);
    },
  };
}

const LOST = { outcome: 'LOST', version: null } as const;

async function fetchSource(deps: ListDeps, source: ListSource, signal: AbortSignal): Promise<string | null> {
  const { db, now } = deps;
  await ensureList(db.pool, source.code);
  const uploadId = newId(now());
  try {
    const isNew = await fetchInto(deps, source, { uploadId, signal });
    if (!isNew) await removeUpload(db.pool, uploadId);
    return isNew ? uploadId : null;
  } catch (error) {
    await removeUpload(db.pool, uploadId).catch(() => undefined);
    if (!(error instanceof FetchFault)) throw error;
    await noteFailure(db.pool, source.code, 'FETCH_FAILED', error.code);
    throw ApplicationFailure.retryable('The list could not be fetched.', error.code);
  }
}

interface ListFetch {
  uploadId: string;
  signal: AbortSignal;
}

/** True when new files were stored; otherwise the check is recorded. */
async function fetchInto(
  { db, fetching }: ListDeps,
  source: ListSource,
  { uploadId, signal }: ListFetch,
): Promise<boolean> {
  const { code, format, urls } = source;
  const last = await findLastFetch(db.pool, code);
  await beginUpload(db.pool, { id: uploadId, code, source: 'FETCH' });
  const files = await fetchAll(urls, last.validators, { ...fetching, signal }, async (file, index) =>
    storeHashed(db, uploadId, index, file),
  );
  if (!files) {
    await noteUnchanged(db.pool, code, last.validators);
    return false;
  }
  const sha256 = hashOfFiles(files.map((file) => file.sha256));
  const validators = files.map((file) => file.validator);
  if (last.sha256?.equals(sha256)) {
    await noteUnchanged(db.pool, code, validators);
    return false;
  }
  await completeUpload(db.pool, {
    id: uploadId,
    code,
    source: 'FETCH',
    format,
    files: urls.map(nameOf),
    sha256,
    validators,
    publishedAt: null,
    acceptShrink: false,
  });
  return true;
}

/** Fetches the files; the results are in the order of the URLs, undefined when no file has changed. */
async function fetchAll<T>(
  urls: readonly string[],
  validators: readonly HttpValidator[],
  options: FetchOptions,
  store: (file: FetchedFile, index: number) => Promise<T>,
): Promise<T[] | undefined> {
  const results = new Map<number, T>();
  const unchanged: number[] = [];
  for (const [index, url] of urls.entries()) {
    const known = validators.find((validator) => validator.url === url);
    const file = await fetchFile(url, isUseful(known) ? known : undefined, options);
    if (file) results.set(index, await store(file, index));
    else unchanged.push(index);
  }
  if (results.size === 0) return undefined;
  // A list is made of all its files, so when one has changed, the unchanged ones are fetched too.
  for (const index of unchanged) {
    const file = await fetchFile(urls[index] ?? '', undefined, options);
    if (file) results.set(index, await store(file, index));
  }
  return urls.map((_url, index) => results.get(index) as T);
}

function isUseful(known: HttpValidator | undefined): boolean {
  return known?.etag != null || known?.lastModified != null;
}

async function storeHashed(
  db: Database,
  uploadId: string,
  index: number,
  { content, validator }: FetchedFile,
): Promise<{ sha256: Buffer; validator: HttpValidator }> {
  const hash = createHash('sha256');
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      hash.update(chunk);
      yield chunk;
    }
  }
  await storeFile(db.pool, uploadId, index, hashed());
  return { sha256: hash.digest(), validator };
}

/** The file name in a URL, by which the reader recognises the parts of an OFAC list. */
function nameOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
