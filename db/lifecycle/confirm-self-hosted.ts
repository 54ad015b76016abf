import type pg from 'pg';
import { needsScreening } from '../../domain/transactions/deciding/screening-due.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { confirmSelfHosted, nextLook } from '../../domain/transactions/self-hosted/self-hosted.ts';
import type { SelfHostedRules } from '../../domain/transactions/self-hosted/self-hosted-decision.ts';
import { selfHostedWallet, waitsForOwner } from '../../domain/transactions/self-hosted/self-hosted-wallet.ts';
import { type Database } from '../database.ts';
import { findWalletProofs } from '../verifications/find-wallet-proofs.ts';
import { lockTransaction } from '../transactions/find-transaction.ts';
import { changeInTransaction, type ChangedTransaction } from '../transactions/change-transaction.ts';
import { inTransaction } from '../postgres.ts';

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
  // Loaded before the transaction, so that it never waits for a second connection.
  await db.vault.tenantKeys(record.tenantId);
  for (;;) {
    const changed = await inTransaction(
      db.pool,
      async (tx) => await confirmInTransaction(db, tx, record, rules, now),
    );
    if (changed) return changed;
  }
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
  return { ...changed, record: await wait(tx, changed.record, rules, now) };
}

/** That it was looked at in vain is no news: it only says when to look again. */
async function wait(
  tx: pg.PoolClient,
  record: TransactionRecord,
  rules: SelfHostedRules,
  now: Date,
): Promise<TransactionRecord> {
  if (needsScreening(record) || (record.wakeAt !== null && record.wakeAt > now)) return record;
  const wakeAt = nextLook(record, rules, now);
  await tx.query('update transactions set wake_at = $3 where tenant_id = $1 and id = $2', [
    record.tenantId,
    record.id,
    wakeAt,
  ]);
  return { ...record, wakeAt };
}
