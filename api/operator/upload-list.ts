import { z } from 'zod';
import { newId } from '../../db/new-id.ts';
import { getVersion } from '../../db/sanctions-lists/list-versions.ts';
import { inTransaction } from '../../db/postgres.ts';
import { storeFile } from '../../db/sanctions-lists/chunks.ts';
import {
  beginUpload,
  completeUpload,
  ensureList,
  isUploadBegun,
  noteFirstAttempt,
  removeUnlessArrived,
  type ArrivedUpload,
} from '../../db/sanctions-lists/uploads.ts';
import { invalidField } from '../../domain/errors.ts';
import { ListCode } from '../../domain/sanctions-lists/list-code.ts';
import { ListVersion, UploadFields, viewVersion } from '../../domain/sanctions-lists/schema.ts';
import { hashOfFiles, MAX_FILE_BYTES, MAX_FILES, maxFilesOf } from '../../domain/sanctions-lists/update.ts';
import type { Deps } from '../deps.ts';
import { defineEndpoint, type ReadForm } from '../endpoint.ts';
import { parseValue } from '../middleware/parse-input.ts';
import type { LeasedEffect } from '../idempotency.ts';
import type { TakeFile } from '../uploads/read-multipart.ts';
import { importUpload } from './import-list-upload.ts';

const TEXT_BYTES = 100;
const text = (description: string, { required = false } = {}) =>
  ({ kind: 'TEXT', description, maxBytes: TEXT_BYTES, maxCount: 1, required }) as const;

export const uploadListEndpoint = defineEndpoint({
  operationId: 'uploadSanctionsList',
  method: 'POST',
  path: '/operator/lists/{code}/versions',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'LEASE',
  tag: 'Operator',
  summary: 'Import a file as the new version of a sanctions list',
  description:
    'The version is active when the answer arrives, and in all processes a few seconds later. A file that fails the ' +
    'plausibility checks is 409 `conflict`: it is recorded as a rejected version and the active one stays. A file that ' +
    'cannot be read completely is 400. The same bytes as the active version return that version, and ' +
    'its list counts as confirmed (`currentAt`). An unknown code ' +
    'creates a list of your own. After 503 the import may still be running: `GET` the versions of the list to see. ' +
    'Sending the request again with its Idempotency-Key is safe: it never replaces a file that was sent after its first ' +
    'attempt (409 with `rejectReason` OUTDATED). Without a key it is a new upload.',
  params: z.strictObject({ code: ListCode }),
  multipart: {
    file: {
      kind: 'FILE',
      description:
        'The file as published, not compressed. OFAC_CSV takes up to four files, recognised by their names: sdn, alt, add ' +
        'and comments, each once and with the end mark 0x1A that the publisher puts after the last row.',
      maxBytes: MAX_FILE_BYTES,
      maxCount: MAX_FILES,
      required: true,
    },
    format: text('One of OFAC_CSV, OFAC_XML, UN_XML, EU_XML, UK_CSV, FTM_JSONL and CSV.', { required: true }),
    publishedAt: text('Date or timestamp of publication, if the file does not contain it.'),
    acceptShrink: text('`true` accepts a file with less than 90 % of the active entries, names or wallets.'),
  },
  example: {
    form: {
      file: ['id,type,name\nC-1,NATURAL,Casimir Blackwood\n'],
      format: 'CSV',
      publishedAt: '2026-01-15',
    },
  },
  responses: { 201: { description: 'Active.', schema: ListVersion } },
  errors: ['conflict'],
  async handle({ params: { code }, readForm, header, log }, deps) {
    const key = header('Idempotency-Key');
    const attemptId = key === undefined ? null : await noteFirstAttempt(deps.db.pool, { code, key });
    const upload = { id: newId(new Date()), code, attemptId };
    try {
      const form = await receive(deps, upload, readForm);
      return await form.once(async (leased) => {
        const begunId = await findBegun(deps, leased);
        if (begunId === null) await complete(deps, upload, form, leased);
        const imported = { id: begunId ?? upload.id, code, isRepeated: begunId !== null };
        const version = await importUpload(deps, imported, (error) =>
          log.warn({ err: error }, 'the import of a list could not be started'),
        );
        return { status: 201, body: viewVersion(await getVersion(deps.db.pool, code, version)) };
      });
    } finally {
      // If this fails, housekeeping removes the upload.
      await removeUnlessArrived(deps.db.pool, upload.id).catch(() => undefined);
    }
  },
});

interface ListUploadParts {
  id: string;
  code: string;
  /** What holds the time of the first attempt under the request's Idempotency-Key; null without one. */
  attemptId: string | null;
}

async function receive(
  { db }: Deps,
  { id, code }: ListUploadParts,
  readForm: (takeFile: TakeFile) => Promise<ReadForm>,
): Promise<ReadForm> {
  await beginUpload(db.pool, { id, code, source: 'UPLOAD' });
  let file = 0;
  return await readForm(async ({ content }) => {
    await storeFile(db.pool, id, file++, content);
  });
}

/**
 * The upload that an earlier request under the same Idempotency-Key began and did not answer. Its version is the
 * answer: a second import would make these bytes active again over a newer version.
 */
async function findBegun({ db }: Deps, leased: LeasedEffect | undefined): Promise<string | null> {
  const id = leased?.begunId ?? null;
  return id !== null && (await isUploadBegun(db.pool, id)) ? id : null;
}

/**
 * Stores the fields of the form with its files, ready for the import. The first attempt under the same Idempotency-Key
 * gives its place in time. Throws validation_failed.
 */
async function complete(
  { db }: Deps,
  upload: ListUploadParts,
  { parts }: ReadForm,
  leased: LeasedEffect | undefined,
): Promise<void> {
  const files = parts.filter((part) => part.name === 'file');
  const texts = parts.filter((part) => part.text !== null).map((part) => [part.name, part.text] as const);
  const {
    format,
    publishedAt = null,
    acceptShrink = false,
  } = parseValue(UploadFields, Object.fromEntries(texts));
  const { id, code } = upload;
  if (files.length > maxFilesOf(format)) {
    throw invalidField('/file', 'too_many', 'A list of this format is one file.');
  }
  await ensureList(db.pool, code);
  const arrived: ArrivedUpload = {
    id,
    code,
    source: 'UPLOAD',
    format,
    files: files.map((part) => part.fileName ?? ''),
    sha256: hashOfFiles(files.map((part) => part.sha256)),
    validators: [],
    publishedAt,
    acceptShrink,
  };
  await inTransaction(db.pool, async (tx) => {
    const attempts = [upload.attemptId, leased?.begunId].filter((attempt) => attempt != null);
    await completeUpload(tx, arrived, attempts);
    await leased?.begin(tx, id);
  });
}
