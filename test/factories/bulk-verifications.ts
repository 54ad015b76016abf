import { randomUUID } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { inTransaction } from '../../db/postgres.ts';
import { writeVerifications } from '../../db/verifications/write-changes.ts';
import { newVerification } from '../../domain/verifications/new-verification.ts';
import { CreateVerificationBody } from '../../domain/verifications/schema.ts';
import { FLOWS } from '../../domain/verifications/state.ts';
import { verificationTable } from '../../db/verifications/row.ts';
import { evmAddress } from './transaction.ts';

const BATCH = 500;

/** Real verifications by the thousand, without HTTP and workflows; gives their ids. */
export async function bulkVerifications(
  db: Database,
  tenantId: string,
  count: number,
  overrides: object = {},
): Promise<string[]> {
  const keys = await db.vault.tenantKeys(tenantId);
  const now = new Date();
  const ids: string[] = [];
  for (let made = 0; made < count; made += BATCH) {
    const writes = Array.from({ length: Math.min(BATCH, count - made) }, () => {
      const body = { asset: 'ETH', blockchain: 'Ethereum', address: evmAddress(), ...overrides };
      const change = newVerification(CreateVerificationBody.parse(body), {
        id: randomUUID(),
        tenantId,
        actor: { kind: 'SYSTEM' },
        now,
        isSandbox: true,
        settings: { allowedFlows: [...FLOWS], expiresInHours: 48 },
        scanned: undefined,
        reuseCode: null,
        newId: randomUUID,
      });
      const record = change.after;
      ids.push(record.id);
      return {
        open: verificationTable.withNewKey(record, keys),
        change: { ...change, wakesWorkflow: false },
        isNew: true,
      };
    });
    await inTransaction(db.pool, async (tx) => await writeVerifications(db, tx, writes, now));
  }
  return ids;
}
