import type pg from 'pg';
import { needsScreening } from '../../domain/transactions/screening-due.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { confirmSelfHosted, nextProofCheck } from '../../domain/transactions/self-hosted/self-hosted.ts';
import type { SelfHostedRules } from '../../domain/transactions/self-hosted/self-hosted-decision.ts';
import { selfHostedWallet, waitsForOwner } from '../../domain/transactions/self-hosted/self-hosted-wallet.ts';
import { type Database } from '../database.ts';
import { findWalletProofs } from '../verifications/find-wallet-proofs.ts';
import { lockTransaction } from '../transactions/find-transaction.ts';
import { putOff } from '../transactions/put-off.ts';
import {
  changeInTransaction,
  untilPaired,
  type ChangedTransaction,
} from '../transactions/change-transaction.ts';

/**
 * Confirms a transfer to or from a self-hosted wallet where a proof or the tenant's setting allows it, else lets it wait.
 * The proofs are read under the lock of the transfer: one that is being accepted is seen, or wakes it afterwards.
 */
export async function confirmSelfHostedTransfer(
  db: Database,
  record: TransactionRecord,
  rules: SelfHostedRules,
  now: Date,
): Promise<ChangedTransaction> {
  return await untilPaired(db, async (tx) => await confirmInTransaction(db, tx, record, rules, now));
}

async function confirmInTransaction(
  db: Database,
  tx: pg.PoolClient,
  { tenantId, id }: TransactionRecord,
  rules: SelfHostedRules,
  now: Date,
): Promise<ChangedTransaction | undefined> {
  const locked = await lockTransaction(db, tx, tenantId, id);
  const proofs = locked ? await findWalletProofs(db, tx, tenantId, selfHostedWallet(locked.record)) : [];
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
