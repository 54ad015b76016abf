import type pg from 'pg';
import type { ClaimChange } from '../../domain/claims/change.ts';
import { SELF_HOSTED } from '../../domain/claims/claim-of-record.ts';
import { claimedBeneficiary } from '../../domain/claims/claimed-beneficiary.ts';
import { answeredBefore } from '../../domain/claims/end-claim.ts';
import { claimedTransfer, withDeadline, withRecord } from '../../domain/claims/new-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Actor } from '../../domain/events/actor.ts';
import { newTransaction } from '../../domain/transactions/new-transaction.ts';
import { isAskedByOtherName, withAskedName } from '../../domain/transactions/exchanging/claimed-vasp.ts';
import { patchTransaction } from '../../domain/transactions/changing/patch-transaction.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isSelfHosted } from '../../domain/transactions/self-hosted-wallet.ts';
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
import { countTry, triesOf, type TryLimit } from '../users/counted-tries.ts';
import { findClaimedRecords } from './claimed-record.ts';
import { createOwnRecordIn } from './create-own-record.ts';
import { changeAndRelateIn } from './relate-transfer.ts';
import { namedOriginator, withNamedOriginator } from './resolve-counterparty.ts';

interface ClaimCreation {
  change: ClaimChange;
  /** The tenant's record of the transfer; undefined to find it by chain, hash and destination, or to make it. */
  recordId?: string | undefined;
  tenant: { id: string; name: string; email: string | null };
  timeZone: string;
  actor: Actor;
  now: Date;
}

/** Hash and destination are public: whoever may ask without end finds out by which name of a beneficiary data is sent. */
const CLAIMS_OF_TRANSFER: TryLimit = {
  purpose: 'claims-of-transfer',
  max: 3,
  seconds: 86_400,
  refusal: 'Too many claims for this transaction hash and destination were made today.',
};

/** The tenant's record of the transfer, and what making or changing it leaves to be delivered. */
interface RecordOfClaim {
  record: TransactionRecord;
  outbox: OutboxEntry[];
}

/**
 * Stores a tenant's claim with the INCOMING record that it completes, which is made where there is none. The claim is
 * answered at once where the message has arrived before; no message arrives during it. Throws conflict, with the id, while
 * the tenant has an open claim for the transfer, where its record of the transfer was declined or is of a self-hosted wallet,
 * and where the record that is named is no longer that of the claim; rate_limited after three claims for the transfer in a day.
 */
export async function createClaim(
  db: Database,
  tx: pg.PoolClient,
  creation: ClaimCreation,
): Promise<ChangedClaim> {
  const { change, recordId, now } = creation;
  const claim = change.after;
  await lockRoutes(tx, [destinationRoute(claim.destinationNormal)]);
  const open = await findOpenClaim(tx, claim);
  if (open !== undefined) {
    const text = 'There is an open claim for this blockchain, transaction hash and destination.';
    throw new DomainError('conflict', text, { members: { id: open } });
  }
  const { tenantId, hashNormal, destinationNormal } = claim;
  const transfer = canonicalJson([tenantId, hashNormal, destinationNormal]);
  await countTry(tx, triesOf(db, CLAIMS_OF_TRANSFER, transfer), now);
  const { message, own } = await findClaimedRecords(db, tx, claim, recordId);
  if (own && isSelfHosted(own)) throw new DomainError('conflict', SELF_HOSTED);
  if (own?.status === 'DECLINED' && !message) throw declinedRecord(own);
  if (recordId !== undefined && !message && !own)
    throw new DomainError('conflict', 'The transaction has changed: read it again.');
  const { record, outbox } = message
    ? { record: message, outbox: [] }
    : own
      ? await withClaimedData(db, tx, own, creation)
      : await createRecord(db, tx, creation);
  const claiming = await withNamedVasp(tx, withRecord(change, record), creation.timeZone);
  const stored = message ? answeredBefore(claiming, message.id, now) : claiming;
  const { records, outbox: more } = await writeClaims(db, tx, [await newClaimWrite(db, stored)], now);
  return { record: records[0] ?? stored.after, outbox: [...outbox, ...more] };
}

/** The tenant has refused the transfer, so no answer could complete its record. */
function declinedRecord({ id }: TransactionRecord): DomainError {
  const text = 'Your transaction of this transfer is DECLINED, and such a one is not claimed.';
  return new DomainError('conflict', text, { members: { id } });
}

/** The claim with the entity of the originator VASP that it names, and the time that this one has to answer. */
async function withNamedVasp(tx: pg.PoolClient, change: ClaimChange, timeZone: string): Promise<ClaimChange> {
  const { tenantId, personal } = change.after;
  const originatorVaspEntityId = await namedOriginator(tx, tenantId, personal.originatorVaspName);
  const named = { ...change, after: { ...change.after, originatorVaspEntityId } };
  const days = await findClaimDays(tx, tenantId, originatorVaspEntityId);
  return days === null ? named : withDeadline(named, { days, timeZone });
}

/**
 * The tenant's own record. One that names nobody gets the name of the VASP that is asked, which may complete it, and one without
 * a beneficiary that of the claim, to be screened; so is a name of the VASP that is only like its own. Throws conflict where it names the beneficiary otherwise.
 */
async function withClaimedData(
  db: Database,
  tx: pg.PoolClient,
  own: TransactionRecord,
  { change, actor, now }: ClaimCreation,
): Promise<RecordOfClaim> {
  const { tenantId, personal } = change.after;
  const { originatorVaspName } = personal;
  const beneficiary = claimedBeneficiary(own, personal.beneficiaryName);
  const isNamed = originatorVaspName === null || own.personal.vaspInfo.originatorVaspName !== null;
  const namesVasp = !isNamed && !isFinal(own.status);
  if (!namesVasp && !beneficiary && !isAskedByOtherName(own, originatorVaspName))
    return { record: own, outbox: [] };
  const namedOriginatorId = namesVasp ? await namedOriginator(tx, tenantId, originatorVaspName) : null;
  const patch = {
    ...(namesVasp && { vaspInfo: { originatorVaspName } }),
    ...(beneficiary && { beneficiary }),
  };
  const changed = await changeAndRelateIn(
    db,
    tx,
    {
      tenantId,
      id: own.id,
      now,
      decide: (record, counterpart) =>
        withAskedName(
          patchTransaction(record, counterpart, patch, { actor, now, namedOriginatorId }),
          record,
          { asked: originatorVaspName, actor, now },
        ),
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
