import { createHash } from 'node:crypto';
import type { TrpResolution } from '../../domain/trp/messages.ts';
import type { Database } from '../database.ts';
import { sealingContext } from '../vault/contexts.ts';

/** What is told by addresses: whoever knows them can write as the other VASP, or to it. */
export interface TrpSecrets {
  /** The last part of the address that the other VASP calls. */
  token: string;
  /** Where the inquiry goes; null for one that was received. */
  travelAddress: string | null;
  /** Where the other VASP is told; null until it has named an address. */
  peerCallback: string | null;
  /** The other VASP's answer to our inquiry. */
  answer: TrpResolution | null;
}

/** A TRP transfer: one inquiry and what follows. */
export interface TrpTransfer {
  id: string;
  tenantId: string;
  direction: 'OUTGOING' | 'INCOMING';
  /** The outgoing record of the message: the tenant's own, or the gateway's; of no record where it was replaced. */
  sentId: string;
  /** The outgoing record of a message that goes another way now; null for an inquiry that counts. */
  replacedFor: string | null;
  requestIdentifier: string;
  bodyHash: Buffer;
  /** When the other VASP has accepted our inquiry. */
  sentAt: Date | null;
  /** The latest that the other VASP was told after the inquiry, as `dueNotice` names it. */
  told: string | null;
  createdAt: Date;
  secrets: TrpSecrets;
}

export interface TransferRow {
  id: string;
  tenant_id: string;
  direction: TrpTransfer['direction'];
  sent_id: string;
  replaced_for: string | null;
  request_identifier: string;
  body_hash: Buffer;
  sealed: Buffer;
  sent_at: Date | null;
  told: string | null;
  created_at: Date;
}

export const TRANSFER_COLUMNS =
  'id, tenant_id, direction, sent_id, replaced_for, request_identifier, body_hash, sealed, sent_at, told, created_at';

/** Opens a row with the keys of its tenant. */
export async function toTransfer(db: Database, row: TransferRow): Promise<TrpTransfer> {
  const keys = await db.vault.tenantKeys(row.tenant_id, [row.sealed]);
  return {
    id: row.id,
    tenantId: row.tenant_id,
    direction: row.direction,
    sentId: row.sent_id,
    replacedFor: row.replaced_for,
    requestIdentifier: row.request_identifier,
    bodyHash: row.body_hash,
    sentAt: row.sent_at,
    told: row.told,
    createdAt: row.created_at,
    secrets: keys.open<TrpSecrets>(sealingContext.trpTransfer.content(row.tenant_id, row.id), row.sealed),
  };
}

/** Seals the secrets of a row. Load the tenant's keys first where a database transaction is open. */
export async function sealSecrets(
  db: Database,
  { tenantId, id }: Pick<TrpTransfer, 'tenantId' | 'id'>,
  secrets: TrpSecrets,
): Promise<Buffer> {
  const keys = await db.vault.tenantKeys(tenantId);
  return keys.seal(sealingContext.trpTransfer.content(tenantId, id), secrets);
}

/** By which a token is found: the token itself has 256 random bits, so a plain hash tells nothing of it. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
