import type { MailContent } from '../../domain/mails/mail.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import { queueMail } from './queue-mail.ts';

/** The link by which a VASP on no network has opened a record. */
export interface OpenedLink {
  id: string;
  tenant_id: string;
  address: Buffer;
  tenant_name: string;
}

interface PortalUpdate {
  link: OpenedLink;
  /** The record and its status. */
  about: string;
  contentOf: (mail: { to: string; tenantName: string }) => MailContent;
  now: Date;
}

/** Queues a mail that tells a VASP on no network of a change: one in an hour for each record and status. */
export async function queueUpdate(
  db: Pick<Database, 'vault'>,
  tx: Queryable,
  { link, about, contentOf, now }: PortalUpdate,
): Promise<OutboxEntry[]> {
  const { id, tenant_id: tenantId, address, tenant_name: tenantName } = link;
  const keys = await db.vault.tenantKeys(tenantId, [address]);
  const to = keys.open<string>(sealingContext.portalLink.address(tenantId, id), address);
  const once = `${about} ${now.toISOString().slice(0, 13)}`;
  const content = contentOf({ to, tenantName });
  return await queueMail(db, tx, { tenantId, kind: 'PORTAL_UPDATE', content, once, now });
}
