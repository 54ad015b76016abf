import { linkMail } from '../../domain/mails/portal-mails.ts';
import { notFound } from '../../domain/errors.ts';
import { markRenewed } from '../../domain/transactions/lifecycle/mail-outcomes.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { changeInTransaction, untilPaired } from '../transactions/change-transaction.ts';
import { findOpenTransaction } from '../transactions/find-transaction.ts';
import { noNewLink, queueNewLink } from './link-mails.ts';

export interface RenewedLink {
  tenantId: string;
  id: string;
  /** The mailbox of the link with which it is asked for. */
  address: string;
  portalUrl: string;
  now: Date;
}

/** Sends a new link to the mailbox of the present one, in its place. Throws not_found, and conflict while none may be sent. */
export async function renewLink(
  db: Database,
  { tenantId, id, address, portalUrl, now }: RenewedLink,
): Promise<OutboxEntry[]> {
  const open = await findOpenTransaction(db, tenantId, id);
  if (!open) throw notFound('link');
  return await untilPaired(db, async (tx) => {
    const outbox: OutboxEntry[] = [];
    const changed = await changeInTransaction(db, tx, {
      tenantId,
      id,
      now,
      decide: (own) => {
        if (own.pairId === null && own.hold !== null) throw noNewLink();
        return markRenewed(own, now);
      },
      also: async (inTx) => {
        const subject = { kind: 'TRANSACTION', id } as const;
        const renewed = { tenantId, subject, address, key: open.key, portalUrl, contentOf: linkMail, now };
        outbox.push(...(await queueNewLink(db, inTx, renewed)));
      },
    });
    return changed && [...changed.outbox, ...outbox];
  });
}
