import {
  findDropped,
  findDueObservations,
  findOverdueWatches,
  markObservation,
  settleDeep,
  type DueObservation,
} from '../../db/chain-scan/settle.ts';
import { closeWatches } from '../../db/chain-scan/watches.ts';
import { type Database } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { NoTenantKeys } from '../../db/vault/tenant-keys.ts';
import { changeVerificationIn } from '../../db/verifications/change-verification.ts';
import { neededDepth, settledDepth, type ScanChain } from '../../domain/chain-scan/scan-chain.ts';
import { DomainError } from '../../domain/errors.ts';
import type { VerificationChange } from '../../domain/verifications/change.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import {
  acceptTransfer,
  endSatoshiTest,
  warnOfNearMiss,
  warnOfReorg,
} from '../../domain/verifications/satoshi/apply-transfer.ts';
import { isClaim } from '../../domain/verifications/satoshi/judge-transfers.ts';
import { inTransaction, type Queryable } from '../../db/postgres.ts';

/** Verifications of a kind that change in one round; the next one takes the rest. */
const BATCH = 200;

interface ObservationBatch {
  db: Database;
  chain: ScanChain;
  /** The newest block that was scanned. */
  tipHeight: number;
  now: Date;
}

/**
 * Tells the verifications what is deep enough in the chain, what a fork has taken back, and which deadlines the scan has
 * passed. Each change is one database transaction together with the mark that it was made.
 */
export async function applyObservations({
  db,
  chain,
  tipHeight,
  now,
}: ObservationBatch): Promise<OutboxEntry[]> {
  const outbox: OutboxEntry[] = [];
  const deep = tipHeight - neededDepth(chain) + 1;
  for (const due of await findDueObservations(db.pool, chain.name, deep, BATCH)) {
    outbox.push(...(await applyOne(db, due, now)));
  }
  for (const due of await findDropped(db.pool, chain.name, deep, BATCH)) {
    const decide = (record: VerificationRecord) => warnOfReorg(record, now);
    outbox.push(
      ...(await change(db, due, { now, decide }, async (tx) => await markObservation(tx, due, 'SETTLED'))),
    );
  }
  for (const watch of await findOverdueWatches(db.pool, chain.name, deep, BATCH)) {
    // A test that nobody started has no deadline of its own: the verification's decides.
    const decide = (record: VerificationRecord) => endSatoshiTest(record, now);
    const close = async (tx: Queryable) => await closeWatches(tx, [watch.verificationId]);
    outbox.push(...(await change(db, watch, { now, decide }, close)));
  }
  await settleDeep(db.pool, chain.name, tipHeight - settledDepth(chain) + 1);
  return outbox;
}

async function applyOne(db: Database, due: DueObservation, now: Date): Promise<OutboxEntry[]> {
  const { verdict, transactionHash } = due;
  const decide = (record: VerificationRecord) =>
    isClaim(verdict)
      ? acceptTransfer(record, { verdict, transactionHash }, now)
      : warnOfNearMiss(record, verdict, now);
  return await change(db, due, { now, decide }, async (tx, { isChanged }) => {
    // Only an accepted transfer is looked after further.
    await markObservation(tx, due, isChanged && isClaim(verdict) ? 'APPLIED' : 'SETTLED');
    if (isClaim(verdict)) await closeWatches(tx, [due.verificationId]);
  });
}

interface ObservationDecision {
  now: Date;
  decide: (record: VerificationRecord) => VerificationChange | null;
}
type ObservedSubject = Pick<DueObservation, 'verificationId' | 'tenantId'>;

/** One verification's change with its mark. One that is gone is only marked. */
async function change(
  db: Database,
  { verificationId, tenantId }: ObservedSubject,
  { now, decide }: ObservationDecision,
  mark: (tx: Queryable, outcome: { isChanged: boolean }) => Promise<void>,
): Promise<OutboxEntry[]> {
  try {
    return await inTransaction(db.pool, async (tx) => {
      let isChanged = false;
      const { outbox } = await changeVerificationIn(db, tx, {
        tenantId,
        id: verificationId,
        now,
        decide: (record) => {
          const decided = decide(record);
          isChanged = decided !== null;
          return decided;
        },
      });
      await mark(tx, { isChanged });
      return outbox;
    });
  } catch (error) {
    if (!isGone(error)) throw error;
    await mark(db.pool, { isChanged: false });
    return [];
  }
}

function isGone(error: unknown): boolean {
  return error instanceof NoTenantKeys || (error instanceof DomainError && error.code === 'not_found');
}
