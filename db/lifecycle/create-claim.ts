import type pg from 'pg';
import type { ClaimChange } from '../../domain/claims/change.ts';
import { answeredBefore } from '../../domain/claims/end-claim.ts';
import { claimedTransfer, withDeadline, withRecord } from '../../domain/claims/new-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Actor } from '../../domain/events/actor.ts';
import { newTransaction } from '../../domain/transactions/new-transaction.ts';
import { patchTransaction } from '../../domain/transactions/patch-transaction.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isFinal } from '../../domain/transactions/state.ts';
import type { ChangedClaim } from '../claims/change-claim.ts';
import { findOpenClaim } from '../claims/find-open-claims.ts';
import { newClaimWrite } from '../claims/new-claim-write.ts';
import { writeClaims } from '../claims/write-changes.ts';
import { findClaimDays } from '../counterparties/find-claim-days.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import type { OutboxEntry } from '../outbox.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import { findClaimedRecords } from './claimed-record.ts';
import { createOwnRecordIn } from './create-own-record.ts';
import { changeAndRelateIn } from './relate-transfer.ts';
import { namedOriginator, withNamedOriginator } from './resolve-counterparty.ts';

interface ClaimCreation {
  change: ClaimChange;
  tenant: { id: string; name: string; email: string | null };
  timeZone: string;
  actor: Actor;
  now: Date;
}

/** The tenant's record of the transfer, and what making or changing it leaves to be delivered. */
interface RecordOfClaim {
  record: TransactionRecord;
  outbox: OutboxEntry[];
}

/**
 * Stores a tenant's claim with the INCOMING record that it completes, which is made where there is none. The claim is
 * answered at once where the message has arrived before; no message arrives during it. Throws conflict, with the id, while
 * the tenant has an open claim for the transfer.
 */
export async function createClaim(
  db: Database,
  tx: pg.PoolClient,
  creation: ClaimCreation,
): Promise<ChangedClaim> {
  const { change, now } = creation;
  const claim = change.after;
  await lockRoutes(tx, [destinationRoute(claim.destinationNormal)]);
  const open = await findOpenClaim(tx, claim);
  if (open !== undefined) {
    const text = 'There is an open claim for this blockchain, transaction hash and destination.';
    throw new DomainError('conflict', text, { members: { id: open } });
  }
  const { message, own } = await findClaimedRecords(db, tx, claim);
  const { record, outbox } = message
    ? { record: message, outbox: [] }
    : own
      ? await withName(db, tx, own, creation)
      : await createRecord(db, tx, creation);
  const claiming = await withNamedVasp(tx, withRecord(change, record), creation.timeZone);
  const stored = message ? answeredBefore(claiming, message.id, now) : claiming;
  const { records, outbox: more } = await writeClaims(db, tx, [await newClaimWrite(db, stored)], now);
  return { record: records[0] ?? stored.after, outbox: [...outbox, ...more] };
}

/** The claim with the entity of the originator VASP that it names, and the time that this one has to answer. */
async function withNamedVasp(tx: pg.PoolClient, change: ClaimChange, timeZone: string): Promise<ClaimChange> {
  const { tenantId, personal } = change.after;
  const originatorVaspEntityId = await namedOriginator(tx, tenantId, personal.originatorVaspName);
  const named = { ...change, after: { ...change.after, originatorVaspEntityId } };
  const days = await findClaimDays(tx, tenantId, originatorVaspEntityId);
  return days === null ? named : withDeadline(named, { days, timeZone });
}

/** The tenant's own record; one that names nobody gets the name of the VASP that is asked, which may complete it. */
async function withName(
  db: Database,
  tx: pg.PoolClient,
  own: TransactionRecord,
  { change, actor, now }: ClaimCreation,
): Promise<RecordOfClaim> {
  const { tenantId, personal } = change.after;
  const { originatorVaspName } = personal;
  const isNamed = own.personal.vaspInfo.originatorVaspName !== null;
  if (originatorVaspName === null || isNamed || isFinal(own.status)) return { record: own, outbox: [] };
  const namedOriginatorId = await namedOriginator(tx, tenantId, originatorVaspName);
  const patch = { vaspInfo: { originatorVaspName } };
  const changed = await changeAndRelateIn(
    db,
    tx,
    {
      tenantId,
      id: own.id,
      now,
      decide: (record, counterpart) =>
        patchTransaction(record, counterpart, patch, { actor, now, namedOriginatorId }),
    },
    undefined,
  );
  return changed ?? { record: own, outbox: [] };
}

/** A new record of the transfer with what the claim says of it. */
async function createRecord(
  db: Database,
  tx: pg.PoolClient,
  { change, tenant, actor, now }: ClaimCreation,
): Promise<RecordOfClaim> {
  const claim: ClaimRecord = change.after;
  const made = newTransaction(claimedTransfer(claim), {
    id: newId(now),
    tenant,
    actor,
    now,
    price: undefined,
  });
  const record = await withNamedOriginator(tx, made.record);
  const request = { record, event: made.event, idempotency: null, answer: () => undefined };
  const created = await createOwnRecordIn(db, tx, request);
  if (created.kind !== 'CREATED') throw new Error('a record without a key cannot be repeated');
  return created;
}
