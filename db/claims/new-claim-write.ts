import type { ClaimChange } from '../../domain/claims/change.ts';
import type { Database } from '../database.ts';
import type { ClaimWrite } from './write-changes.ts';
import { claimTable } from './row.ts';

/** The write of a new claim, which gets a key of its own. */
export async function newClaimWrite(db: Database, change: ClaimChange): Promise<ClaimWrite> {
  const { after: record } = change;
  const keys = await db.vault.tenantKeys(record.tenantId);
  return { open: claimTable.withNewKey(record, keys), change, isNew: true };
}
