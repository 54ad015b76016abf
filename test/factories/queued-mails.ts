import { sealingContext } from '../../db/vault/contexts.ts';
import type { MailContent, MailKind } from '../../domain/mails/mail.ts';
import type { TestApi } from '../api-client.ts';

interface QueuedMail extends MailContent {
  id: string;
  kind: MailKind;
}

/** The mails of a tenant whose text is still stored, the oldest first. */
export async function queuedMails({ db }: Pick<TestApi, 'db'>, tenantId: string): Promise<QueuedMail[]> {
  const { rows } = await db.pool.query<{ id: string; kind: MailKind; content: Buffer }>(
    'select id, kind, content from mails where tenant_id = $1 and content is not null order by created_at, id',
    [tenantId],
  );
  const keys = await db.vault.tenantKeys(tenantId);
  return rows.map(({ id, kind, content }) => ({
    id,
    kind,
    ...keys.open<MailContent>(sealingContext.mail.content(tenantId, id), content),
  }));
}
