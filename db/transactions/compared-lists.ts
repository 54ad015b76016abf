import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isPassedUnscreened, screeningPending } from '../../domain/transactions/screening-due.ts';
import type { Queryable } from '../postgres.ts';
import { keepComparisons } from '../sanctions-lists/version-lock.ts';

interface TransferRef {
  tenantId: string;
  id: string;
}

/** SQL: whether the transfer was not screened after the activation. PostgreSQL has set both times. */
export const notComparedSql = (id: string, activatedAt: string) =>
  `not exists (select from transaction_screenings s where s.transaction_id = ${id} and s.created_at > ${activatedAt})`;

/**
 * Whether a list has a new version that open transfers are still being compared with, and this screened one was not
 * compared with it yet; or the tenant has taken a false positive back since it was screened, which lets nothing pass that was never
 * compared. A version that a later one has
 * replaced counts until then: the later one is compared only by what itself has added. A transfer that waits under a rule was
 * screened, too, and is due only at the end of its wait. What is held as UNSCREENED since no list could be searched is not meant: its
 * reviewer decides without lists, and a received one waits for versions that are being compared only. `isPassed`: that reviewer has
 * just let a received one pass.
 */
export async function isBehindLists(
  db: Queryable,
  { tenantId, id }: TransferRef,
  isPassed = false,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'is-behind-lists',
    text: `select from transactions t join tenants n on n.id = t.tenant_id
      where t.tenant_id = $1 and t.id = $2
        and not t.sealed and (t.screening_state in ('CLEARED', 'REVIEWED') or t.screening_due_since = t.rule_wait_until)
        and (t.direction = 'INCOMING' or t.status <> 'PENDING' or t.hold is distinct from 'UNSCREENED' or not t.is_screening_delayed)
        and (n.suppression_removed_at is not null and not $3
          and (t.hold is distinct from 'UNSCREENED' or not t.is_screening_delayed)
          and ${notComparedSql('t.id', 'n.suppression_removed_at')}
          and exists (select from transaction_screenings s where s.transaction_id = t.id)
          or exists (select from sanctions_versions v
            where v.state in ('ACTIVE', 'SUPERSEDED') and v.rescreened_at is null and ${notComparedSql('t.id', 'v.activated_at')}))
      limit 1`,
    values: [tenantId, id, isPassed],
  });
  return rowCount === 1;
}

/** Like isBehindLists; the lists and the tenant's false positives stay as they are until the end of the transaction. */
export async function isBehindKeptLists(tx: Queryable, ref: TransferRef, isPassed = false): Promise<boolean> {
  await keepComparisons(tx, [ref.tenantId]);
  return await isBehindLists(tx, ref, isPassed);
}

/**
 * Keeps the lists as they are until the end of the transaction that lets a transfer pass. Throws screening_pending when the
 * transfer was not compared with one of them. Gets the record as it was written: one that its reviewer has just let
 * be sent without a screening needs no lists.
 */
export async function requireComparedLists(tx: Queryable, written: TransactionRecord): Promise<void> {
  const isToBeSent = written.direction === 'OUTGOING' && written.status === 'PENDING';
  const isPassed = isPassedUnscreened(written);
  if (isToBeSent && isPassed) return;
  const isReceived = written.direction === 'INCOMING';
  if (await isBehindKeptLists(tx, written, isReceived && isPassed)) throw screeningPending();
}

/** Whether a list that is searched now is newer than the latest screening of the transfer. */
export async function isOlderThanLists(db: Queryable, { id }: TransferRef): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'is-older-than-lists',
    text: `select from sanctions_versions v where v.state = 'ACTIVE' and ${notComparedSql('$1', 'v.activated_at')} limit 1`,
    values: [id],
  });
  return rowCount === 1;
}
