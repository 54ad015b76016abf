import { hoursToSend, mailSummary, type MailContent, type MailKind } from '../../domain/mails/mail.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { insertOutboxEntries, type OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

interface NewMail {
  tenantId: string;
  kind: MailKind;
  content: MailContent;
  /** The keys of a tenant that is made in the same transaction; those of others are loaded. */
  keys?: TenantKeys;
  now: Date;
  /** The mail is stored only if the tenant has none of this kind with the same text here. */
  once?: string;
}

/**
 * Stores a mail in the transaction of what it tells, and queues its workflow. Load the tenant's keys first: loading needs a
 * second connection.
 */
export async function queueMail(
  { vault }: Pick<Database, 'vault'>,
  tx: Queryable,
  { tenantId, kind, content, keys: own, now, once }: NewMail,
): Promise<OutboxEntry[]> {
  const id = newId(now);
  const keys = own ?? (await vault.tenantKeys(tenantId));
  const sealed = keys.seal(sealingContext.mail.content(tenantId, id), content);
  const { rowCount } = await tx.query(
    `insert into mails (id, tenant_id, kind, content, status, created_at, wake_at, give_up_at, once)
     values ($1, $2, $3, $4, 'PENDING', $5::timestamptz, $5::timestamptz, $5::timestamptz + make_interval(hours => $6), $7)
     on conflict (tenant_id, kind, once) do nothing`,
    [id, tenantId, kind, sealed, now, hoursToSend(kind), once ?? null],
  );
  if (rowCount === 0) return [];
  const entry = { tenantId, workflow: 'mailDelivery' as const, subjectId: id, summary: mailSummary(kind) };
  return await insertOutboxEntries(tx, [entry], now);
}
