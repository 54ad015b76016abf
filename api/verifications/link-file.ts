import { changeVerification } from '../../db/verifications/change-verification.ts';
import { makeFileLink } from '../../db/verifications/file-link.ts';
import { requireFile } from '../../db/verifications/stored-files.ts';
import { fileOpened, type FileKind, type FileLink } from '../../domain/verifications/files.ts';
import { apiUrlOf } from '../../process/settings.ts';
import { actorOf } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { TenantCaller } from '../caller.ts';

interface FileToLink {
  verificationId: string;
  fileId: string;
  kind?: FileKind;
}

/** Makes a link to a file of the caller's verification and records that in its event log. Throws not_found. */
export async function linkFile(
  { db, settings, writeInTurn, notifyWorkflows }: Deps,
  caller: TenantCaller,
  { verificationId, fileId, kind }: FileToLink,
): Promise<FileLink> {
  const { tenantId } = caller;
  const actor = actorOf(caller);
  const now = new Date();
  await requireFile(db.pool, { tenantId, verificationId, id: fileId }, kind);
  const { outbox } = await writeInTurn(
    tenantId,
    async () =>
      await changeVerification(db, {
        tenantId,
        id: verificationId,
        now,
        decide: (record) => fileOpened(record, { fileId, actor, type: 'FILE_LINK_MADE' }),
      }),
  );
  notifyWorkflows(outbox);
  const { token, expiresAt } = makeFileLink(db.vault, fileId, actor, now);
  return { url: `${apiUrlOf(settings)}/files/${token}`, expiresAt: expiresAt.toISOString() };
}
