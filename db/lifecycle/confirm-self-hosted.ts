import type pg from 'pg';
import { isPassedUnscreened, needsScreening } from '../../domain/transactions/screening-due.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import {
  confirmSelfHosted,
  decisionOnWallet,
  nextProofCheck,
} from '../../domain/transactions/self-hosted/self-hosted.ts';
import type { SelfHostedRules } from '../../domain/transactions/self-hosted/self-hosted-decision.ts';
import {
  isSelfHosted,
  selfHostedWallet,
  waitsForOwner,
} from '../../domain/transactions/self-hosted-wallet.ts';
import { WALLET_OWNER } from '../../domain/transactions/deciding/screened-subjects.ts';
import { isScreenable } from '../../domain/sanctions-screening/subject.ts';
import { findBrakeOnOutgoing } from '../brakes/find-brake.ts';
import { type Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { shareRoutes, tenantRoute } from '../routes/route-lock.ts';
import { getTenantSettings } from '../tenants/get-tenant-settings.ts';
import { findLatestScreening } from '../transactions/get-screening.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { findDeclarations } from '../verifications/find-declared-owners.ts';
import { findWalletProofs, keepWalletProofs } from '../verifications/find-wallet-proofs.ts';
import { lockTransaction } from '../transactions/find-transaction.ts';
import { wakeForRescreening } from '../transactions/wake-for-rescreening.ts';
import { keepComparisons } from '../sanctions-lists/version-lock.ts';
import { isBehindLists } from '../transactions/compared-lists.ts';
import { putOff } from '../transactions/put-off.ts';
import {
  changeInTransaction,
  lockPairOf,
  untilPaired,
  type ChangedTransaction,
} from '../transactions/change-transaction.ts';
import { wakeAnew } from './new-counterparty.ts';
import { isUncompared } from './uncompared.ts';
import { MessagePaused } from './pause-message.ts';

/**
 * Confirms a transfer to or from a self-hosted wallet if a proof or the tenant's setting allows it; otherwise the
 * transfer waits. Reads the proofs under the lock of the transfer: a proof that is being accepted is either read here
 * or wakes the transfer afterwards. A proof that is being revoked does not count, or its revocation waits. A new version of
 * a list that the transfer was not compared with comes first. Throws MessagePaused for a payout of a tenant that sends
 * nothing now.
 */
export async function confirmSelfHostedTransfer(
  db: Database,
  record: TransactionRecord,
  now: Date,
): Promise<ChangedTransaction> {
  return await untilPaired(db, async (tx) => await confirmInTransaction(db, tx, record, now));
}

async function confirmInTransaction(
  db: Database,
  tx: pg.PoolClient,
  { tenantId, id, direction }: Pick<TransactionRecord, 'tenantId' | 'id' | 'direction'>,
  now: Date,
): Promise<ChangedTransaction | undefined> {
  await keepComparisons(tx, [tenantId]);
  if (direction === 'OUTGOING') await requireNoBrakeOnPayouts(tx, tenantId);
  // Everybody locks the pair before the record; only then are the proofs read under the lock of the record.
  await lockPairOf(tx, tenantId, id);
  const locked = await lockTransaction(db, tx, tenantId, id);
  const rules = await rulesOf(tx, tenantId);
  if (locked && (await isToBeCompared(db, tx, locked, { rules, now })))
    return await compareFirst(db, tx, locked.record, now);
  const proofs = locked ? await keepWalletProofs(db, tx, tenantId, selfHostedWallet(locked.record)) : [];
  const changed = await changeInTransaction(db, tx, {
    tenantId,
    id,
    now,
    decide: (own) => confirmSelfHosted(own, proofs, rules, now),
  });
  if (!changed || !waitsForOwner(changed.record)) return changed;
  const { record: waiting } = changed;
  if (needsScreening(waiting) || (waiting.wakeAt !== null && waiting.wakeAt > now)) return changed;
  const wakeAt = nextProofCheck(waiting, rules, now);
  return { ...changed, record: await putOff(tx, waiting, { wakeAt, screenAgain: false }) };
}

/** Whoever sets a brake waits for this transaction; read under that lock, so that no payout is confirmed once a brake is answered. */
async function requireNoBrakeOnPayouts(tx: Queryable, tenantId: string): Promise<void> {
  await shareRoutes(tx, [tenantRoute(tenantId)]);
  const brakeId = await findBrakeOnOutgoing(tx, tenantId);
  if (brakeId !== undefined) throw new MessagePaused(brakeId);
}

interface DecidedBy {
  rules: SelfHostedRules;
  now: Date;
}

/** A review without a screening counts for the next step, not for a proof that comes weeks later. */
async function isToBeCompared(
  db: Database,
  tx: Queryable,
  open: OpenTransaction,
  by: DecidedBy,
): Promise<boolean> {
  const { record } = open;
  const isReleased = isPassedUnscreened(record) && !record.awaitsProof;
  if (record.status !== 'PENDING' || isReleased) return false;
  return (
    (await lacksComparison(db, tx, record, by)) ||
    (await isBehindLists(tx, record)) ||
    (await hasNewOwner(db, tx, open))
  );
}

/**
 * Whether nothing of the transfer was compared, and no proof of the wallet that was there at the review which let it pass is accepted: the
 * one that is comes later.
 */
async function lacksComparison(
  db: Database,
  tx: Queryable,
  record: TransactionRecord,
  { rules, now }: DecidedBy,
): Promise<boolean> {
  if (needsScreening(record) || !(await isUncompared(tx, record))) return false;
  const proofs = await findWalletProofs(db, tx, record.tenantId, selfHostedWallet(record));
  const reviewed = proofs.filter(({ verifiedAt }) => isLetPass(record, verifiedAt));
  const decision = decisionOnWallet(record, reviewed, rules, now);
  return decision.kind === 'WAIT' || decision.basis.kind !== 'VERIFICATION';
}

/**
 * Whether somebody has declared the wallet to be theirs since the transfer was screened: while it was held, or released by a
 * reviewer, a proof does not have it screened again.
 */
async function hasNewOwner(db: Database, tx: Queryable, open: OpenTransaction): Promise<boolean> {
  const { record } = open;
  if (!isSelfHosted(record) || needsScreening(record)) return false;
  const declarations = await findDeclarations(db, tx, record.tenantId, selfHostedWallet(record));
  const comparable = declarations.filter(({ name, at }) => isScreenable({ name }) && !isLetPass(record, at));
  if (comparable.length === 0) return false;
  const screening = await findLatestScreening({ pool: tx }, open);
  const compared = screening?.sanctions.subjects.filter(({ role }) => role === WALLET_OWNER) ?? [];
  const names = new Set(compared.map((subject) => subject.screening?.request['name']));
  return comparable.some(({ name }) => !names.has(name));
}

/** Whether a reviewer has let the transfer pass without lists when the owner was declared, or the wallet proven, already. */
function isLetPass(record: TransactionRecord, at: Date): boolean {
  const latest = record.personal.reviews?.at(-1);
  return isPassedUnscreened(record) && latest !== undefined && at <= new Date(latest.at);
}

/** Makes the transfer due for screening, anew where nothing of it was compared; its workflow decides again afterwards. */
async function compareFirst(
  db: Database,
  tx: Queryable,
  record: TransactionRecord,
  now: Date,
): Promise<ChangedTransaction | undefined> {
  const { tenantId, id } = record;
  if (await isUncompared(tx, record)) await wakeAnew(tx, record, now);
  const outbox = await wakeForRescreening(tx, [id], now);
  const due = await lockTransaction(db, tx, tenantId, id);
  return due && { record: due.record, counterpart: null, outbox };
}

/** The tenant's settings for self-hosted wallets, as they are once the record is locked. */
async function rulesOf(tx: Queryable, tenantId: string): Promise<SelfHostedRules> {
  const { autoConfirmSelfHosted, selfHosted, fourEyes } = await getTenantSettings(tx, tenantId);
  return { autoConfirm: autoConfirmSelfHosted, byTwo: fourEyes.review, ...selfHosted };
}
