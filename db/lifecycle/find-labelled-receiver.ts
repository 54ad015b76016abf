import { isNamedLike } from '../../domain/entities/name-likeness.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { readNamedEntity, type NamedEntity } from '../entities/find-named-entity.ts';
import { findCustodians } from '../labels/find-custodians.ts';
import type { Queryable } from '../postgres.ts';
import { findHolders } from '../wallets/match-wallet.ts';
import { labelKeysOf } from './find-rightful-holder.ts';

/**
 * Returns the institution that labels give the destination to, if it is the only one and no tenant has registered the
 * address. A `vaspName` that identifies no institution must resemble its name. Null if it is the sender.
 */
export async function findLabelledReceiver(
  db: Queryable,
  record: TransactionRecord,
  vaspName: string | null,
): Promise<NamedEntity | null> {
  const custodians = await findCustodians(db, labelKeysOf(record));
  const entityIds = [...new Set(custodians.map(({ entityId }) => entityId))];
  const [entityId, second] = entityIds;
  if (entityId === undefined || entityId === null || second !== undefined) return null;
  const names = custodians.flatMap((custodian) => custodian.names);
  if (vaspName !== null && !isNamedLike(vaspName, names)) return null;
  if ((await findHolders(db, record.tenantId, record)).length > 0) return null;
  const entity = await readNamedEntity(db, entityId);
  return entity && entity.tenantId !== record.tenantId ? entity : null;
}
