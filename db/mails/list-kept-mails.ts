import type { MailContent } from '../../domain/mails/mail.ts';
import type { Database } from '../database.ts';
import { sealingContext } from '../vault/contexts.ts';

interface KeptMail extends MailContent {
  createdAt: Date;
}

/** The latest mails of all tenants that no mail server was there for, the newest first: for the mailbox page alone. */
export async function listKeptMails({ pool, vault }: Database, limit: number): Promise<KeptMail[]> {
  const { rows } = await pool.query<{ id: string; tenant_id: string; content: Buffer; created_at: Date }>(
    `select id, tenant_id, content, created_at from mails where status = 'KEPT' order by created_at desc limit $1`,
    [limit],
  );
  return await Promise.all(
    rows.map(async ({ id, tenant_id: tenantId, content, created_at: createdAt }) => {
      const keys = await vault.tenantKeys(tenantId, [content]);
      return { ...keys.open<MailContent>(sealingContext.mail.content(tenantId, id), content), createdAt };
    }),
  );
}
