import type { VerificationChange } from '../../domain/verifications/change.ts';
import type { AddressWarning } from '../../domain/verifications/address-warnings.ts';
import { type Database } from '../database.ts';
import { claimColumns, isKeyFree, sealByVerification, type KeyClaim } from '../idempotency/idempotency.ts';
import type { IdempotentCall } from '../idempotency/idempotent-call.ts';
import { naturalBatch } from '../natural-batch.ts';
import { keepListVersions } from '../sanctions-lists/version-lock.ts';
import { columnNames, columnValues, unnestRows, unnestValues, type Column } from '../columns.ts';
import type { ChangedVerification } from './change-verification.ts';
import { findAddressWarnings } from './find-address-warnings.ts';
import { signedMessage, signedMessageColumns, type SignedMessage } from './claim-message.ts';
import type { OpenVerification } from './row.ts';
import { showVerification } from './show-verification.ts';
import { prepareWrite, writePrepared, type PreparedWrite } from './write-changes.ts';
import { inSharedTransaction, type Queryable } from '../postgres.ts';

/** A valid signature, and the change that it makes to the record, which was read without a lock. */
export interface GoodProof {
  open: OpenVerification;
  change: VerificationChange;
  message: string;
  idempotency: IdempotentCall | null;
  now: Date;
}

interface PreparedProof {
  write: PreparedWrite;
  message: SignedMessage;
  claim: KeyClaim | null;
}

/**
 * Writes accepted signatures; those that arrive together share one database transaction. Returns null, with nothing
 * written, when the record has changed or is locked, when its message was signed for another verification, when its
 * Idempotency-Key is taken, or when the batch would wait for somebody: the caller then decides under the lock of the record.
 */
export function proofAcceptor(db: Database): (proof: GoodProof) => Promise<ChangedVerification | null> {
  return naturalBatch<GoodProof, ChangedVerification | null>({
    maxSize: 64,
    concurrency: 2,
    gather: true,
    run: async (proofs) =>
      (await inSharedTransaction(
        db.pool,
        async (tx) => await acceptAll(db, tx, await prepareAll(db, tx, proofs)),
      )) ?? proofs.map(() => null),
  });
}

/** Looks the addresses up in the lists, which stay as they are until the proofs are committed, and prepares the writes. */
async function prepareAll(
  db: Database,
  tx: Queryable,
  proofs: readonly GoodProof[],
): Promise<PreparedProof[]> {
  await keepListVersions(tx);
  const addresses = proofs.map(({ open }) => open.record.addressNormal);
  const found = await findAddressWarnings(tx, addresses);
  return await Promise.all(
    proofs.map(
      async (proof) => await prepareProof(db, proof, found.get(proof.open.record.addressNormal) ?? []),
    ),
  );
}

async function prepareProof(
  db: Database,
  { open, change, message, idempotency, now }: GoodProof,
  warnings: readonly AddressWarning[],
): Promise<PreparedProof> {
  const write = await prepareWrite(db, { open, change, isNew: false }, warnings, now);
  return {
    write,
    message: signedMessage(open.record, message, now),
    claim: idempotency && claimOf(db, write.sealed, idempotency, now),
  };
}

function claimOf(db: Database, open: OpenVerification, call: IdempotentCall, now: Date): KeyClaim {
  const sealer = { verificationId: open.record.id, key: open.key };
  return { ...call, ...sealByVerification(call, sealer, showVerification(db, open)), status: 200, now };
}

async function acceptAll(
  db: Database,
  tx: Queryable,
  batch: readonly PreparedProof[],
): Promise<(ChangedVerification | null)[]> {
  const taken = await claimAll(tx, firstOfEach(batch));
  if (taken.length === 0) return batch.map(() => null);
  const now = taken.map(({ message }) => message.now).reduce((a, b) => (a > b ? a : b));
  const outbox = await writePrepared(
    db,
    tx,
    taken.map(({ write }) => write),
    now,
  );
  // The first proof returns the outbox entries of all.
  return batch.map((proof) =>
    taken.includes(proof) ? { open: proof.write.sealed, outbox: proof === taken[0] ? outbox : [] } : null,
  );
}

/** Keeps the first of several proofs for one verification. */
function firstOfEach(batch: readonly PreparedProof[]): PreparedProof[] {
  return [...new Map(batch.toReversed().map((proof) => [proof.message.id, proof])).values()];
}

const recordColumns: Column<PreparedProof>[] = [
  { name: 'id', type: 'uuid', value: ({ write }) => write.before.id },
  { name: 'tenant_id', type: 'uuid', value: ({ write }) => write.before.tenantId },
  { name: 'version', type: 'int', value: ({ write }) => write.before.version },
  { name: 'head_mac', type: 'bytea', value: ({ write }) => write.before.headMac },
];
const messagesAt = recordColumns.length + 1;
const claimsAt = messagesAt + signedMessageColumns.length;

// Locked records are skipped. A head that was anchored meanwhile is a change, though the version stays. Messages and keys are inserted in the same order by everybody, so that two batches
// cannot deadlock. The key comes last: when only the key is taken, the only thing left behind is that this message
// belongs to this record.
const TAKE = `
  with locked as materialized (
    select v.id from ${unnestRows(recordColumns)}
    join verifications v on v.id = r.id and v.tenant_id = r.tenant_id and v.version = r.version
      and v.head_mac is not distinct from r.head_mac
    for no key update of v skip locked
  ), said as (
    insert into signed_messages (${columnNames(signedMessageColumns)})
    select ${columnValues(signedMessageColumns)} from ${unnestRows(signedMessageColumns, messagesAt)}
    where r.verification_id in (select id from locked) order by r.address_normal, r.message_hash
    on conflict do nothing returning verification_id
  ), ready as (
    select array_agg(verification_id) as ids from said
  ), claimed as (
    insert into idempotency_keys (${columnNames(claimColumns)})
    select ${columnValues(claimColumns)} from ready, ${unnestRows(claimColumns, claimsAt)}
    where r.sealed_by_id = any(ready.ids) and ${isKeyFree()} order by r.tenant_id, r.key
    on conflict do nothing returning sealed_by_id
  )
  select said.verification_id as id, claimed.sealed_by_id is not null as has_key
  from said left join claimed on claimed.sealed_by_id = said.verification_id`;

/**
 * Locks the records that have not changed, and claims their messages and keys. Returns the proofs that got all of
 * these.
 */
async function claimAll(tx: Queryable, proofs: readonly PreparedProof[]): Promise<PreparedProof[]> {
  const { rows } = await tx.query<{ id: string; has_key: boolean }>({
    name: 'take-proofs',
    text: TAKE,
    values: [
      ...unnestValues(recordColumns, proofs),
      ...unnestValues(
        signedMessageColumns,
        proofs.map(({ message }) => message),
      ),
      ...unnestValues(
        claimColumns,
        proofs.flatMap(({ claim }) => claim ?? []),
      ),
    ],
  });
  const hasKey = new Map(rows.map((row) => [row.id, row.has_key]));
  return proofs.filter(({ message, claim }) => hasKey.has(message.id) && (!claim || hasKey.get(message.id)));
}
