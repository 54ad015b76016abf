import { expire } from '../../domain/verifications/time.ts';
import { waitsForChain } from '../chain-scan/watches.ts';
import { type Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { openVerificationRow } from './find-verification.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS } from './row.ts';
import { writeVerifications } from './write-changes.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/** Verifications expired per database transaction: ten thousand that end together take a few dozen transactions. */
const BATCH = 250;

// Satoshi tests that the block scanner still decides are left out: they expire by the clock of the chain.
const DUE = `v.status = 'PENDING' and v.expires_at <= $1 and not ${waitsForChain('$2')}`;

/**
 * Expires overdue verifications of all tenants, the oldest first, as many as one transaction takes. Skips those that
 * another process expires or that are being proven; each is expired once. `scannedChains` are those of this deployment.
 */
export async function expireDueVerifications(
  db: Database,
  now: Date,
  scannedChains: readonly string[],
): Promise<{ expired: number; outbox: OutboxEntry[] }> {
  return await inTransaction(db.pool, async (tx) => {
    const { rows } = await tx.query<RecordRow>(
      `select ${READ_COLUMNS} from verifications v where ${DUE}
       order by v.expires_at limit ${BATCH} for no key update skip locked`,
      [now, scannedChains],
    );
    const opened = await Promise.all(rows.map(async (row) => await openVerificationRow(db, row)));
    const writes = opened.flatMap((open) => {
      const change = expire(open.record, now);
      return change ? [{ open, change, isNew: false }] : [];
    });
    if (writes.length === 0) return { expired: 0, outbox: [] };
    const { outbox } = await writeVerifications(db, tx, writes, now);
    return { expired: writes.length, outbox };
  });
}

/**
 * Postpones the expiry of a verification whose satoshi test the block scanner still decides: it is checked again at
 * `nextCheck`. False, with nothing written, when the scanner has nothing to decide.
 */
export async function holdForChain(
  db: Queryable,
  verificationId: string,
  { nextCheck, scannedChains }: { nextCheck: Date; scannedChains: readonly string[] },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update verifications v set wake_at = $2 where v.id = $1 and v.status = 'PENDING' and ${waitsForChain('$3')}`,
    [verificationId, nextCheck, scannedChains],
  );
  return rowCount === 1;
}
