import { markClaimRead } from '../../domain/claims/read-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import type { Database } from '../database.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { writeDecided } from './change-claim.ts';
import { lockClaim } from './find-claim.ts';

interface ClaimReading {
  /** The gateway, and its record. */
  tenantId: string;
  id: string;
  now: Date;
}

/**
 * Notes that a VASP outside has read the name in a claim: on its own record every time, on that of the asking side once.
 * Returns the claim as it was read. Throws not_found.
 */
export async function logClaimReading(
  db: Database,
  { tenantId, id, now }: ClaimReading,
): Promise<ClaimRecord> {
  const { record } = await inTransaction(db.pool, async (tx) => {
    const locked = await lockClaim(db, tx, tenantId, id);
    const { own, counterpart } = locked;
    const isNew = counterpart !== null && !(await wasRead(tx, counterpart.record));
    const decided = {
      own: markClaimRead(own.record, now),
      counterpart: isNew ? markClaimRead(counterpart.record, now) : null,
    };
    return await writeDecided(db, tx, { locked, decided }, now);
  });
  return record;
}

async function wasRead(tx: Queryable, { tenantId, id }: ClaimRecord): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 from events where tenant_id = $1 and subject_id = $2 and type = 'DATA_READ' limit 1`,
    [tenantId, id],
  );
  return rows.length > 0;
}
