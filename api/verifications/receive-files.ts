import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Queryable } from '../../db/postgres.ts';
import { sealStream } from '../../db/vault/sealed-stream.ts';
import { discardFiles } from '../../db/verifications/remove-files.ts';
import type { OpenVerification } from '../../db/verifications/row.ts';
import { beginFile, keepFiles, type ArrivingFile } from '../../db/verifications/stored-files.ts';
import { DomainError } from '../../domain/errors.ts';
import type { FileDetails, FileKind } from '../../domain/verifications/files.ts';
import type { Deps } from '../deps.ts';
import type { IncomingFile, TakeFile } from '../uploads/read-multipart.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { inspectFile } from './inspect-file.ts';

/** The files of one form. They are stored while they arrive, and belong to the verification only after `keep`. */
export interface ReceivedFiles {
  takeFile: TakeFile;
  /** The stored files, in the order of the form. */
  all: () => { id: string; details: FileDetails; createdAt: Date }[];
  /** True if this submission was counted against the attempt limit of its verification. */
  isCounted: () => boolean;
  /** Attaches the files to the verification, in the database transaction that accepts them. */
  keep: (tx: Queryable) => Promise<void>;
  /** Removes the files that were not kept. Must always be called. If it fails, housekeeping removes them. */
  discard: () => Promise<void>;
}

interface FileReceiving {
  kind: FileKind;
  log: Logger;
  /** Called before the first file is stored. Null: the files are read but not stored, since the form will be refused. */
  admit: () => Promise<OpenVerification | null>;
}

/** Prepares to receive the files of a form: checks, encrypts and stores each file while it arrives. */
export function receiveFiles(deps: Deps, { kind, log, admit }: FileReceiving): ReceivedFiles {
  const { db, storage } = deps;
  const now = new Date();
  const begun: ArrivingFile[] = [];
  let places = 0;
  const stored: { file: ArrivingFile; details: FileDetails; createdAt: Date }[] = [];
  let admitted: Promise<OpenVerification | null> | undefined;
  let open: OpenVerification | null = null;
  const deleteObject = async (key: string) => await storage.delete(key);
  return {
    async takeFile(incoming) {
      // Several files can arrive at the same time, so the place is taken before anything is awaited.
      const place = places;
      places += 1;
      admitted ??= admit();
      open = await admitted;
      if (!open) return;
      const { type, chunks } = await inspectFile(incoming, kind, deps.scanner);
      const file = await beginFile(db.pool, open, { kind, place, now });
      begun.push(file);
      const seen = { bytes: 0, hash: createHash('sha256') };
      const content = noted(chunks, seen);
      const context = sealingContext.verificationFile.content(file);
      await store(storage, { file, sealed: sealStream(open.key, context, content.chunks), content, log });
      const details = detailsOf(incoming, type, seen);
      stored[place] = { file, details, createdAt: now };
    },
    all: () => stored.map(({ file, details, createdAt }) => ({ id: file.id, details, createdAt })),
    isCounted: () => open !== null,
    async keep(tx) {
      if (open) await keepFiles(db, tx, open, stored);
    },
    async discard() {
      if (begun.length === 0) return;
      const ids = begun.map(({ id }) => id);
      await discardFiles(db.pool, deleteObject, ids).catch((err: unknown) =>
        log.warn({ err }, 'files that were not needed could not be removed yet'),
      );
    },
  };
}

function detailsOf(
  { fileName }: IncomingFile,
  type: string,
  { bytes, hash }: { bytes: number; hash: ReturnType<typeof createHash> },
): FileDetails {
  return { name: fileName.slice(0, 255), type, bytes, sha256: hash.digest('hex') };
}

interface NotedFile {
  chunks: AsyncGenerator<Buffer>;
  /** True if reading the content failed, so that the error is not the storage's. */
  hasFailed: () => boolean;
}

function noted(
  content: AsyncIterable<Buffer>,
  seen: { bytes: number; hash: ReturnType<typeof createHash> },
): NotedFile {
  let failed = false;
  const read = async function* () {
    try {
      for await (const chunk of content) {
        seen.bytes += chunk.length;
        seen.hash.update(chunk);
        yield chunk;
      }
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  return { chunks: read(), hasFailed: () => failed };
}

interface StoredContent {
  file: ArrivingFile;
  sealed: AsyncIterable<Buffer>;
  content: NotedFile;
  log: Logger;
}

async function store(storage: Deps['storage'], { file, sealed, content, log }: StoredContent): Promise<void> {
  try {
    await storage.put(file.objectKey, sealed);
  } catch (error) {
    if (content.hasFailed()) throw error;
    log.error({ err: error }, 'a file could not be stored');
    throw new DomainError('temporarily_unavailable', 'Files cannot be stored at the moment.', {
      retryAfterSeconds: 30,
    });
  }
}
