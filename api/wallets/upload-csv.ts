import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { inChunks } from '../../db/in-chunks.ts';
import { newId } from '../../db/new-id.ts';
import { inTransaction } from '../../db/postgres.ts';
import type { TenantKeys } from '../../db/vault/tenant-keys.ts';
import { beginImport } from '../../db/wallet-imports/begin-import.ts';
import { deleteChunks, insertChunk, uploadBegin, type UploadRef } from '../../db/wallet-imports/chunks.ts';
import { getImport, getImportState, markResultReceived } from '../../db/wallet-imports/get-import.ts';
import { CSV_LIMITS } from '../../domain/wallets/wallet-file.ts';
import { importUnfinished, resultOf, WalletImportResult } from '../../domain/wallets/wallet-import.ts';
import type { Deps } from '../deps.ts';
import { defineEndpoint, type ReadForm } from '../endpoint.ts';
import type { LeasedEffect } from '../idempotency.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import type { TakeFile } from '../uploads/read-multipart.ts';

const FIRST_POLL_MS = 10;
const SLOWEST_POLL_MS = 500;
/** A start takes at most 1.5 s. A busy Temporal server answers the second; a missing one must not keep the request for long. */
const START_TRIES = 3;

export const uploadCsvEndpoint = defineEndpoint({
  operationId: 'importWallets',
  method: 'POST',
  path: '/wallets/upload-csv',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'LEASE',
  tag: 'Wallets',
  summary: 'Import wallets from a CSV file',
  description:
    'UTF-8, a header and up to 50,000 rows, at most 15 MB, cells quoted by RFC 4180. Columns in any order: `address`, ' +
    '`asset` (`*`: all assets), `blockchain`, and optionally `tag`, `metadata` and `holderName`. All rows are checked first: if one has ' +
    'a fault, nothing is imported and 400 `csv_invalid` lists the first 1,000 by row, field and code. If the same file is ' +
    'already being imported, the request joins that import. After 503 the import may still be running; sending the same ' +
    'file again is safe.',
  multipart: {
    file: {
      kind: 'FILE',
      description: 'The CSV file.',
      maxBytes: CSV_LIMITS.fileBytes,
      maxCount: 1,
      required: true,
    },
  },
  example: {
    form: { file: 'address,asset,blockchain\n0xde709f2102306220921060314715629080e2fb77,*,Ethereum\n' },
  },
  responses: { 201: { description: 'Imported.', schema: WalletImportResult } },
  errors: ['csv_invalid'],
  async handle({ caller: { tenantId }, readForm, log }, deps) {
    const ref = { tenantId, id: newId(new Date()) };
    const upload = await receive(deps.db, ref, readForm);
    try {
      return await upload.form.once(async (leased) =>
        importUpload(deps, upload, leased, (error) =>
          log.warn({ err: error }, 'an import could not be started'),
        ),
      );
    } finally {
      // Removes an upload that joined another import, or that a repeated request did not need.
      if (!upload.isImport) await removeUpload(deps.db, ref);
    }
  },
});

interface CsvUpload {
  ref: UploadRef;
  form: ReadForm;
  chunks: number;
  begunAt: Date;
  /** True once its chunks belong to an import, which then removes them. */
  isImport: boolean;
}

async function receive(
  db: Database,
  ref: UploadRef,
  readForm: (takeFile: TakeFile) => Promise<ReadForm>,
): Promise<CsvUpload> {
  const begunAt = await uploadBegin(db.pool);
  const keys = await db.vault.tenantKeys(ref.tenantId);
  let chunks = 0;
  try {
    const form = await readForm(async ({ content }) => {
      chunks = await storeUpload(db, keys, ref, content);
    });
    return { ref, form, chunks, begunAt, isImport: false };
  } catch (error) {
    await removeUpload(db, ref);
    throw error;
  }
}

/** Stores a file in encrypted chunks while it arrives, and returns their number. */
async function storeUpload(
  db: Database,
  keys: TenantKeys,
  ref: UploadRef,
  content: AsyncIterable<Buffer>,
): Promise<number> {
  let count = 0;
  for await (const chunk of inChunks(content)) {
    await insertChunk(db.pool, keys, ref, { sequence: count, content: chunk });
    count += 1;
  }
  return count;
}

/** Removes the chunks of an upload. If that fails, housekeeping removes them. */
async function removeUpload(db: Database, ref: UploadRef): Promise<void> {
  await deleteChunks(db.pool, ref).catch(() => undefined);
}

async function importUpload(
  deps: Deps,
  upload: CsvUpload,
  leased: LeasedEffect | undefined,
  onTrouble: (error: unknown) => void,
): Promise<EndpointAnswer> {
  const { ref } = upload;
  const sha256 = upload.form.parts[0]?.sha256 ?? Buffer.alloc(0);
  const id = (await findBegun(deps.db, ref, leased)) ?? (await begin(deps.db, upload, sha256, leased));
  await waitForImport(deps, { tenantId: ref.tenantId, id }, sha256.toString('hex'), onTrouble);
  const result = resultOf(await receiveResult(deps.db, { tenantId: ref.tenantId, id }));
  return { status: 201, body: result };
}

/**
 * Finds the import that an earlier request under the same Idempotency-Key began and did not answer. A second import would
 * register wallets that were deleted since.
 */
async function findBegun(
  { pool }: Database,
  { tenantId }: UploadRef,
  leased: LeasedEffect | undefined,
): Promise<string | undefined> {
  const id = leased?.begunId;
  if (id == null) return undefined;
  const state = await getImportState(pool, tenantId, id);
  return state === undefined || state === 'FAILED' ? undefined : id;
}

/** Makes the upload an import, or joins one of the same file; returns its id. */
async function begin(
  { pool }: Database,
  upload: CsvUpload,
  sha256: Buffer,
  leased: LeasedEffect | undefined,
): Promise<string> {
  const { ref, chunks, begunAt } = upload;
  // Set before the call, because after an error it is unknown whether the upload became an import.
  upload.isImport = true;
  const id = await inTransaction(pool, async (tx) => {
    const begun = await beginImport(tx, { ...ref, sha256, chunks, begunAt });
    await leased?.begin(tx, begun);
    return begun;
  });
  upload.isImport = id === ref.id;
  return id;
}

/** Reads an ended import and marks its result as received: a later upload of the same file is then a new import. */
async function receiveResult(db: Database, { tenantId, id }: UploadRef) {
  const record = await getImport(db, tenantId, id);
  await markResultReceived(db.pool, tenantId, id);
  return record;
}

/** Starts or joins an import and waits for its end. Throws temporarily_unavailable if it cannot start or takes too long. */
async function waitForImport(
  deps: Deps,
  { tenantId, id }: UploadRef,
  sha256: string,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  const until = Date.now() + deps.importLimitMs;
  const read = async () => await getImportState(deps.db.pool, tenantId, id);
  const isRunning = async () => (await deps.readInTurn(tenantId, read)) === 'RUNNING';
  for (let attempt = 1; await isRunning(); attempt += 1) {
    try {
      await deps.startImport({ tenantId, sha256 });
      break;
    } catch (error) {
      onTrouble(error);
      if (attempt === START_TRIES) throw importUnfinished();
    }
  }
  for (let waitMs = FIRST_POLL_MS; await isRunning(); waitMs = Math.min(waitMs * 2, SLOWEST_POLL_MS)) {
    if (Date.now() > until) throw importUnfinished();
    await delay(waitMs);
  }
}
