import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { requireActive } from '../../db/tenants/require-active.ts';
import { openStream } from '../../db/vault/sealed-stream.ts';
import type { AuditDraft } from '../../domain/audit/entry.ts';
import type { Deps } from '../deps.ts';
import { fetchObject, noteUnreadable } from './fetch-object.ts';

/** A stored file of a tenant that a link without a key leads to. */
interface LinkedFile {
  id: string;
  tenantId: string;
  objectKey: string;
  recordKey: Buffer;
}

interface LinkedDownload {
  /** The `operationId` of the endpoint. */
  operation: string;
  /** The sealing contexts of the file's key and content. */
  contexts: { key: string; content: string };
  request: { address: string; requestId: string; log: Logger };
}

/**
 * Opens the file for whoever has its link, once the download is in the audit log of its tenant. Throws tenant_suspended,
 * temporarily_unavailable.
 */
export async function openLinkedFile(
  { db, storage, audit }: Pick<Deps, 'db' | 'storage' | 'audit'>,
  file: LinkedFile,
  { operation, contexts, request: { log, ...origin } }: LinkedDownload,
): Promise<Readable> {
  await requireActive(db.pool, file.tenantId);
  const sealed = await fetchObject(storage, file.objectKey, log);
  const keys = await db.vault.tenantKeys(file.tenantId, [file.recordKey]);
  const key = keys.openRecordKey(file.recordKey, contexts.key);
  await audit.write(entryOfDownload(file, operation, origin)).catch((error: unknown) => {
    sealed.destroy();
    throw error;
  });
  return Readable.from(noteUnreadable(openStream(key, contexts.content, sealed), log), { objectMode: false });
}

/** Who has the link is not known. */
function entryOfDownload(
  { id, tenantId }: LinkedFile,
  operation: string,
  origin: AuditDraft['origin'],
): AuditDraft {
  return {
    tenantId,
    actor: { kind: 'UNKNOWN' },
    operation,
    status: 200,
    code: null,
    recordId: id,
    items: null,
    parameters: {},
    origin,
    hour: null,
    requests: 1,
  };
}
