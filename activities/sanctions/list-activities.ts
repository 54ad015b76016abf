import { createHash } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { Database } from '../../db/database.ts';
import { findLastFetch, noteFailure, noteUnchanged } from '../../db/sanctions-lists/check-list.ts';
import { storeFile } from '../../db/sanctions-lists/chunks.ts';
import {
  beginUpload,
  clearUpload,
  completeUpload,
  ensureList,
  findRunningUpload,
  findUploadResult,
  removeStaleUploads,
  removeUpload,
} from '../../db/sanctions-lists/uploads.ts';
import { newId } from '../../db/new-id.ts';
import type { ListSource } from '../../domain/sanctions-lists/list-source.ts';
import { hashOfFiles, type UpdateOutcome, type Validator } from '../../domain/sanctions-lists/update.ts';
import { whileHeartbeating } from '../heartbeat.ts';
import { createTurns } from '../wallet-imports/take-turns.ts';
import { fetchFile, FetchFault, type FetchedFile, type FetchOptions } from './fetch-file.ts';
import { giveUp, importFiles } from './import-list.ts';

export interface ListDeps {
  db: Database;
  /** The lists that are fetched. */
  lists: readonly ListSource[];
  /** Limits and connections of fetches that differ from the usual ones. */
  fetching?: FetchOptions;
  now: () => Date;
}

const HEARTBEAT_MS = 1_000;
/** Reading a list keeps a processor busy for seconds, and one must be left for transactions. */
const AT_ONCE = 1;

interface UploadPlace {
  code: string;
  uploadId: string;
}

/** The steps of `sanctionsListUpdate`. Each may be repeated, or done by two workers at once. */
export function listActivities(deps: ListDeps) {
  const inTurn = createTurns(AT_ONCE);
  const { db } = deps;
  return {
    /** Fetches a list; null when there is nothing new, or nobody to ask. */
    async fetchList({ code }: { code: string }): Promise<{ uploadId: string | null }> {
      const source = deps.lists.find((list) => list.code === code);
      if (!source) return { uploadId: null };
      return await whileHeartbeating(HEARTBEAT_MS, async (signal) => ({
        uploadId: await fetchSource(deps, source, signal),
      }));
    },
    /** Makes the files of an upload a version of their list, or a rejected one. */
    async importList({ uploadId }: UploadPlace): Promise<{ outcome: UpdateOutcome; version: number | null }> {
      return await whileHeartbeating(HEARTBEAT_MS, async (signal) => {
        await inTurn(async () => {
          const upload = await findRunningUpload(db.pool, uploadId);
          if (upload) await importFiles(db, upload, signal);
        });
        const { outcome, version } = (await findUploadResult(db.pool, uploadId)) ?? LOST;
        return { outcome, version };
      });
    },
    /** Gives up: whoever waits is told, and a fetched list counts as not fetched. */
    async giveListUp({ uploadId }: UploadPlace): Promise<void> {
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
  await removeStaleUploads(db.pool);
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

interface Fetch {
  uploadId: string;
  signal: AbortSignal;
}

/** True when the files are there and new; else the look is noted. */
async function fetchInto(
  { db, fetching }: ListDeps,
  source: ListSource,
  { uploadId, signal }: Fetch,
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

/** The results in the order of the addresses; undefined when no file is another one than before. */
async function fetchAll<T>(
  urls: readonly string[],
  validators: readonly Validator[],
  options: FetchOptions,
  store: (file: FetchedFile, index: number) => Promise<T>,
): Promise<T[] | undefined> {
  const results = new Map<number, T>();
  const held: number[] = [];
  for (const [index, url] of urls.entries()) {
    const known = validators.find((validator) => validator.url === url);
    const file = await fetchFile(url, isUseful(known) ? known : undefined, options);
    if (file) results.set(index, await store(file, index));
    else held.push(index);
  }
  if (results.size === 0) return undefined;
  // One file has changed: the list is made of all of them.
  for (const index of held) {
    const file = await fetchFile(urls[index] ?? '', undefined, options);
    if (file) results.set(index, await store(file, index));
  }
  return urls.map((_url, index) => results.get(index) as T);
}

function isUseful(known: Validator | undefined): boolean {
  return known?.etag != null || known?.lastModified != null;
}

async function storeHashed(
  db: Database,
  uploadId: string,
  index: number,
  { content, validator }: FetchedFile,
): Promise<{ sha256: Buffer; validator: Validator }> {
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

/** The readers tell the parts of an OFAC list by their names. */
function nameOf(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
