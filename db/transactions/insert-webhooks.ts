import type { Gateway } from '../../domain/gateways/gateway.ts';
import { viewWithoutParties } from '../../domain/partners/view-transaction.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import { isWithdrawnUnknown } from '../../domain/trp/withdrawn-inquiry.ts';
import type { Database } from '../database.ts';
import { queuePortalUpdates } from '../mails/queue-portal-updates.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import {
  holderWallets,
  openHolderNames,
  type HolderNames,
  type HolderRow,
} from '../wallet-holders/holder-names.ts';
import { insertDeliveries, type NewDelivery } from '../webhooks/insert-deliveries.ts';
import type { SealedTransaction } from './row.ts';
import { insertTrpNotices } from './insert-trp-notices.ts';
import { foundVaspNames } from './show-transaction.ts';

/** Recipient of the webhook of a change: a tenant, or the VASP that a gateway represents. */
interface Owner {
  id: string;
  /** Null for a gateway. */
  entity_id: string | null;
  gateway: Gateway | null;
}

/**
 * Stores the webhooks of changed transactions and the outbox entries that start their delivery. That of a partner shows no
 * personal data: who reads it there is not logged. A VASP that is reached by TRP is told by its callback, one on no network by a
 * mail.
 */
export async function insertWebhooks(
  db: Database,
  tx: Queryable,
  changed: readonly SealedTransaction[],
  now: Date,
): Promise<OutboxEntry[]> {
  if (changed.length === 0) return [];
  const records = changed.map(({ record }) => record);
  const { owners, holderNames } = await ownersOf(db, tx, records);
  const vaspNames = await foundVaspNames(tx, records);
  const ofTrp = changed.filter(({ record }) => owners.get(record.tenantId)?.gateway === 'TRP');
  const withdrawn = changed.filter(({ record }) => isWithdrawnUnknown(record));
  const notices = await insertTrpNotices(
    tx,
    [...ofTrp, ...withdrawn].map(({ record }) => record.id),
    now,
  );
  const others = changed.filter((each) => !ofTrp.includes(each));
  const deliveries = others.map(({ record, key }): NewDelivery => {
    const owner = owners.get(record.tenantId);
    const isPartner = owner?.gateway === 'PARTNER';
    return {
      kind: 'transaction',
      tenantId: record.tenantId,
      resourceId: record.id,
      resourceVersion: record.version,
      masked: isPartner || record.sealed,
      key,
      body: isPartner
        ? viewWithoutParties(record)
        : viewTransaction(record, owner?.entity_id ?? '', { vaspNames, holderNames }),
    };
  });
  // What has just arrived was opened by its VASP.
  const mailed = records.filter(
    ({ tenantId, version }) => owners.get(tenantId)?.gateway === 'EMAIL' && version > 1,
  );
  const webhooks = await insertDeliveries(tx, deliveries, now);
  return [...webhooks, ...notices, ...(await queuePortalUpdates(db, tx, mailed, now))];
}

/** The owners of the records, and the names of the holders of their destinations: one statement, since many webhooks wait for it. */
async function ownersOf(
  db: Database,
  tx: Queryable,
  records: readonly TransactionRecord[],
): Promise<{ owners: Map<string, Owner>; holderNames: HolderNames }> {
  const { rows } = await tx.query<Owner & (HolderRow | { tenant_id: null })>({
    name: 'owners-of-transactions',
    text: `select t.id, t.entity_id, t.gateway, w.tenant_id, w.id as wallet_id, w.holder_name from tenants t
      left join wallets w on w.id = any($2::bigint[]) and w.tenant_id = t.id and w.holder_name is not null
      where t.id = any($1::uuid[])`,
    values: [records.map(({ tenantId }) => tenantId), holderWallets(records)],
  });
  const holders = rows.flatMap((row) => (row.tenant_id === null ? [] : [row]));
  return {
    owners: new Map(rows.map((row) => [row.id, row])),
    holderNames: await openHolderNames(db, holders),
  };
}
