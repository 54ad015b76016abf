import { Readable } from 'node:stream';
import { z } from 'zod';
import { openStream } from '../../db/vault/sealed-stream.ts';
import { requireActive } from '../../db/tenants/require-active.ts';
import { changeVerification } from '../../db/verifications/change-verification.ts';
import { openFileLink } from '../../db/verifications/file-link.ts';
import { findFileRef, readDetails } from '../../db/verifications/stored-files.ts';
import { extensionOf } from '../../domain/verifications/evidence-class.ts';
import { fileOpened } from '../../domain/verifications/files.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { defineEndpoint } from '../endpoint.ts';
import { fetchObject, noteUnreadable } from '../uploads/fetch-object.ts';

/** Descriptions of the headers, which prevent a browser from showing or running any content of the file. */
const HEADERS = {
  'Content-Type': 'The media type of the file.',
  'Content-Disposition': 'Always an attachment; the file name is the id of the file.',
  'Content-Security-Policy': 'Forbids scripts and all other active content.',
  'Content-Length': 'The exact size of the file in bytes.',
};

export const getFileEndpoint = defineEndpoint({
  operationId: 'downloadFile',
  method: 'GET',
  path: '/files/{token}',
  auth: 'NONE',
  audit: 'OWN',
  limit: 'HOSTED',
  tag: 'Wallet verification',
  summary: 'Download a file by its link',
  description:
    'The link needs no API key and is valid for 60 seconds. An expired, changed or invented link is 404.',
  params: z.strictObject({ token: z.string().max(200) }),
  responses: {
    200: { description: 'The file.', contentType: 'application/octet-stream', headers: HEADERS },
  },
  errors: ['tenant_suspended', 'rate_limited'],
  async handle({ params, address, requestId, log }, deps) {
    const { db } = deps;
    const now = new Date();
    const { fileId, actor } = openFileLink(db.vault, params.token, now);
    const file = await findFileRef(db.pool, fileId);
    await requireActive(db.pool, file.tenantId);
    const { open, outbox } = await deps.writeInTurn(
      address,
      async () =>
        await changeVerification(db, {
          tenantId: file.tenantId,
          id: file.verificationId,
          now,
          decide: (record) => fileOpened(record, { fileId, actor, type: 'FILE_VIEWED' }),
        }),
    );
    deps.notifyWorkflows(outbox);
    await deps.audit.write({
      tenantId: file.tenantId,
      actor: actor.kind === 'USER' || actor.kind === 'API_KEY' ? actor : { kind: 'UNKNOWN' },
      operation: 'downloadFile',
      status: 200,
      code: null,
      recordId: file.verificationId,
      items: null,
      parameters: { fileId },
      origin: { address, requestId },
      hour: null,
      requests: 1,
    });
    const { type, bytes } = await readDetails(db.pool, open, file);
    const sealed = await fetchObject(deps.storage, file.objectKey, log);
    const content = noteUnreadable(
      openStream(open.key, sealingContext.verificationFile.content(file), sealed),
      log,
    );
    return {
      status: 200,
      body: Readable.from(content, { objectMode: false }),
      headers: {
        'Content-Type': type,
        'Content-Length': String(bytes),
        'Content-Disposition': `attachment; filename="${fileId}.${extensionOf(type)}"`,
        'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      },
    };
  },
});
