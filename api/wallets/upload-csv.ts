import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { inChunks } from '../../db/in-chunks.ts';
import { newId } from '../../db/new-id.ts';
import type { TenantKeys } from '../../db/vault/tenant-keys.ts';
import { beginImport } from '../../db/wallet-imports/begin-import.ts';
import { deleteChunks, insertChunk, uploadBegin, type UploadRef } from '../../db/wallet-imports/chunks.ts';
import { getImport, getImportState, markResultReceived } from '../../db/wallet-imports/get-import.ts';
import { CSV_LIMITS } from '../../domain/wallets/wallet-file.ts';
import { importUnfinished, resultOf, WalletImportResult } from '../../domain/wallets/wallet-import.ts';
import type { Deps } from '../deps.ts';
import { defineEndpoint, type ReadForm } from '../endpoint.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import type { TakeFile } from '../uploads/read-multipart.ts';

const FIRST_LOOK_MS = 10;
const SLOWEST_LOOK_MS = 100;

export const uploadCsvEndpoint = defineEndpoint({
  method: 'POST',
  path: '/wallets/upload-csv',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'LEASE',
  tag: 'Wallets',
  summary: 'Import wallets from a CSV file',
  description:
    'UTF-8, a header and up to 50,000 rows, at most 15 MB, cells quoted by RFC 4180. Columns in any order: `address`, ' +
    '`asset` (`*`: all assets), `blockchain`, and if wanted `tag` and `metadata`. Every row is checked first: with one ' +
    'fault nothing is imported and 400 `csv_invalid` names the first 1,000 by row, field and code. The same file sent ' +
    'again while it is imported joins that import. 503: the import may go on, and sending the same file again is safe.',
  multipart: {
    file: {
      kind: 'FILE',
      description: 'The CSV file.',
      maxBytes: CSV_LIMITS.fileBytes,
      maxCount: 1,
      required: true,
    },
  },
  responses: { 201: { description: 'Imported.', schema: WalletImportResult } },
  errors: ['csv_invalid'],
  async handle({ caller: { tenantId }, readForm, log }, deps) {
    const place = { tenantId, id: newId(new Date()) };
    const upload = await receive(deps.db, place, readForm);
    try {
      return await upload.form.once(async () =>
        importUpload(deps, upload, (error) => log.warn({ err: error }, 'an import could not be started')),
      );
    } finally {
      // Nothing is left of an upload that joined another one's import, or that was not needed.
      if (!upload.isImport) await removeUpload(deps.db, place);
    }
  },
});

interface CsvUpload {
  place: UploadRef;
  form: ReadForm;
  chunks: number;
  begunAt: Date;
  /** Its pieces belong to an import now. */
  isImport: boolean;
}

async function receive(
  db: Database,
  place: UploadRef,
  readForm: (takeFile: TakeFile) => Promise<ReadForm>,
): Promise<CsvUpload> {
  const begunAt = await uploadBegin(db.pool);
  const keys = await db.vault.tenantKeys(place.tenantId);
  let chunks = 0;
  try {
    const form = await readForm(async ({ content }) => {
      chunks = await storeUpload(db, keys, place, content);
    });
    return { place, form, chunks, begunAt, isImport: false };
  } catch (error) {
    await removeUpload(db, place);
    throw error;
  }
}

/** Stores a file while it arrives, in sealed pieces; returns how many. */
async function storeUpload(
  db: Database,
  keys: TenantKeys,
  place: UploadRef,
  content: AsyncIterable<Buffer>,
): Promise<number> {
  let count = 0;
  for await (const chunk of inChunks(content)) {
    await insertChunk(db.pool, keys, place, { sequence: count, content: chunk });
    count += 1;
  }
  return count;
}

/** What cannot be removed now is removed by housekeeping. */
async function removeUpload(db: Database, place: UploadRef): Promise<void> {
  await deleteChunks(db.pool, place).catch(() => undefined);
}

async function importUpload(
  deps: Deps,
  upload: CsvUpload,
  onTrouble: (error: unknown) => void,
): Promise<EndpointAnswer> {
  const { place, form, chunks, begunAt } = upload;
  const sha256 = form.parts[0]?.sha256 ?? Buffer.alloc(0);
  // Also when it is not known whether it became one.
  upload.isImport = true;
  const id = await beginImport(deps.db.pool, { ...place, sha256, chunks, begunAt });
  upload.isImport = id === place.id;
  await untilEnded(deps, { tenantId: place.tenantId, id }, sha256.toString('hex'), onTrouble);
  const result = resultOf(await getTold(deps.db, { tenantId: place.tenantId, id }));
  return { status: 201, body: result };
}

/** The import and nobody else's: from here on a repeat of the file is an import of its own. */
async function getTold(db: Database, { tenantId, id }: UploadRef) {
  const record = await getImport(db, tenantId, id);
  await markResultReceived(db.pool, tenantId, id);
  return record;
}

/** Waits for the worker. Throws temporarily_unavailable when it cannot be told or takes too long. */
async function untilEnded(
  deps: Deps,
  { tenantId, id }: UploadRef,
  sha256: string,
  onTrouble: (error: unknown) => void,
): Promise<void> {
  const until = Date.now() + deps.importLimitMs;
  const isRunning = async () => (await getImportState(deps.db.pool, tenantId, id)) === 'RUNNING';
  if (!(await isRunning())) return;
  try {
    await deps.startImport({ tenantId, sha256 });
  } catch (error) {
    onTrouble(error);
    throw importUnfinished();
  }
  for (let waitMs = FIRST_LOOK_MS; await isRunning(); waitMs = Math.min(waitMs * 2, SLOWEST_LOOK_MS)) {
    if (Date.now() > until) throw importUnfinished();
    await delay(waitMs);
  }
}
