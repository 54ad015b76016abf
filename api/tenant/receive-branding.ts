import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import { beginBrandingFile, keepBrandingFile, type BrandingRef } from '../../db/tenants/branding-files.ts';
import { discardBrandingFile } from '../../db/tenants/remove-branding-files.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { DomainError } from '../../domain/errors.ts';
import { barePicture } from '../../domain/tenants/bare-picture.ts';
import type { BrandingFile, BrandingKind } from '../../domain/tenants/branding.ts';
import { refusedType } from '../../domain/verifications/evidence-class.ts';
import { loggedCaller, type TenantCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { ReadForm } from '../endpoint.ts';
import type { CommitEffect } from '../idempotency.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import type { PartRules } from '../uploads/part-rule.ts';
import type { IncomingFile, TakeFile } from '../uploads/read-multipart.ts';
import { inspectFile } from '../verifications/inspect-file.ts';

const MAX_BYTES = 5 * 1024 * 1024;
const NAME_LENGTH = 255;

/** The form of an upload of a logo or icon. */
export const BRANDING_PARTS: PartRules = {
  file: {
    kind: 'FILE',
    description: 'A jpeg, png or pdf file of at most 5 MB.',
    maxBytes: MAX_BYTES,
    maxCount: 1,
    required: true,
  },
};

interface BrandingUpload {
  caller: TenantCaller;
  log: Logger;
  readForm: (takeFile: TakeFile) => Promise<ReadForm>;
  commit: CommitEffect;
}

/** A file that was read to its end: its description, and what is stored of it. */
interface ReadFile {
  details: Pick<BrandingFile, 'fileName' | 'mimeType' | 'size' | 'sha256'>;
  content: Buffer;
}

/**
 * Receives the tenant's logo or icon, makes it take the place of the one before and answers 200. Throws
 * file_type_not_allowed, file_too_large, temporarily_unavailable.
 */
export async function receiveBranding(
  deps: Deps,
  kind: BrandingKind,
  upload: BrandingUpload,
): Promise<EndpointAnswer> {
  const read: ReadFile[] = [];
  const { once } = await upload.readForm(async (incoming) => {
    read.push(await readFile(deps, incoming));
  });
  return await once(async () => {
    const [file] = read;
    if (!file) throw new Error('the form was taken without its file');
    return await keepFile(deps, { kind, ...file }, upload);
  });
}

/** Stores the content before it becomes the logo or icon. If that fails, housekeeping removes it. */
async function keepFile(
  deps: Deps,
  { kind, details, content }: ReadFile & { kind: BrandingKind },
  { caller, log, commit }: BrandingUpload,
): Promise<EndpointAnswer> {
  const { pool } = deps.db;
  const now = new Date();
  const ref = await beginBrandingFile(pool, { tenantId: caller.tenantId, kind, now });
  try {
    await storeContent(deps, ref, { content, log });
    const file = { id: ref.id, ...details, uploadedAt: now.toISOString() };
    const answer = await commit(async (tx) => {
      await keepBrandingFile(tx, ref, file, now);
      return { status: 200, body: file };
    });
    log.info({ audit: 'BRANDING_SET', ...loggedCaller(caller), kind }, 'a logo or icon was stored');
    return answer;
  } catch (error) {
    await discardBrandingFile(pool, ref.id).catch((err: unknown) =>
      log.warn({ err }, 'a file that is not needed could not be marked for removal yet'),
    );
    throw error;
  }
}

/** Reads a whole file, checked for type, size, structure and viruses; what is no picture is left out of a picture. */
async function readFile({ scanner }: Deps, incoming: IncomingFile): Promise<ReadFile> {
  const { type, chunks } = await inspectFile(incoming, 'BRANDING', scanner);
  const bytes = await buffer(chunks);
  const mimeType = type as BrandingFile['mimeType'];
  const content = mimeType === 'application/pdf' ? plainPdf(bytes) : barePicture(mimeType, bytes);
  if (!content) throw refusedType('The file is malformed, or has other data appended.', incoming.name);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return {
    content,
    details: { fileName: plainName(incoming.fileName), mimeType, size: bytes.length, sha256 },
  };
}

/** The end of a ZIP archive: programs that unpack look for it at the end of a file, whatever its beginning is. */
const ZIP_END = Buffer.from('504b0506', 'hex');
const ZIP_END_WITHIN = 22 + 65_535;

function plainPdf(bytes: Buffer): Buffer | undefined {
  return bytes.subarray(-ZIP_END_WITHIN).includes(ZIP_END) ? undefined : bytes;
}

/** Without control characters and halves of characters, which PostgreSQL does not store. */
function plainName(fileName: string): string {
  return Array.from(fileName.replaceAll(/[\p{Cc}\p{Cs}]/gu, ''))
    .slice(0, NAME_LENGTH)
    .join('');
}

/** Stores the content sealed, so that the operator of the storage can neither read nor exchange it. */
async function storeContent(
  { db, storage }: Deps,
  { tenantId, id, objectKey }: BrandingRef,
  { content, log }: { content: Buffer; log: Logger },
): Promise<void> {
  const keys = await db.vault.tenantKeys(tenantId);
  const sealed = keys.sealBytes(sealingContext.brandingFile.content(tenantId, id), content);
  try {
    await storage.put(objectKey, Readable.from([sealed]));
  } catch (err) {
    log.error({ err }, 'a file could not be stored');
    throw new DomainError('temporarily_unavailable', 'Files cannot be stored at the moment.', {
      retryAfterSeconds: 30,
    });
  }
}
