import { isNamedLike } from '../../domain/entities/name-likeness.ts';
import { labelKeys } from '../../domain/labels/label-key.ts';
import type { AddressDispute } from '../../domain/transactions/lifecycle/routing-outcomes.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { findCustodians, type LabelledCustodian } from '../labels/find-custodians.ts';
import type { Queryable } from '../postgres.ts';
import { findHolders, type DestinationHolder } from '../wallets/match-wallet.ts';

/** The tenant to which the destination routes a message, or what speaks against it. */
interface RightfulHolder {
  tenantId: string | null;
  dispute: AddressDispute | null;
}

/** The address of which the holder is looked for, and the tenant that looks for it. */
export type HeldAddress = Pick<
  TransactionRecord,
  | 'tenantId'
  | 'destination'
  | 'destinationNormal'
  | 'destinationTag'
  | 'blockchain'
  | 'blockchainKey'
  | 'asset'
>;

const NOBODY: RightfulHolder = { tenantId: null, dispute: null };

/**
 * The only other tenant that has registered the destination, if no other tenant has its account on any chain and in any
 * spelling; or the only one for which an operator attested it. Nobody when `vaspName`, which identifies no institution, is not
 * the holder's own name or nearly so; nor when labels give the address to another institution and no operator attested it.
 */
export async function findRightfulHolder(
  db: Queryable,
  record: HeldAddress,
  vaspName: string | null,
): Promise<RightfulHolder> {
  const [holder, second] = await findHolders(db, record.tenantId, record);
  if (!holder || holder.isContested || (second && holder.isAttested === second.isAttested)) return NOBODY;
  if (vaspName !== null && !isNamedLike(vaspName, holder.names)) return NOBODY;
  if (holder.isAttested) return { tenantId: holder.tenantId, dispute: null };
  const custodians = await findCustodians(db, labelKeysOf(record));
  const other = custodians.find((custodian) => !isSame(custodian, holder));
  return other
    ? { tenantId: null, dispute: { entityId: other.entityId } }
    : { tenantId: holder.tenantId, dispute: null };
}

/** The destination as labels spell it: the chain that the message names may tell a spelling that is not evident. */
export function labelKeysOf({
  destination,
  destinationNormal,
}: Pick<HeldAddress, 'destination' | 'destinationNormal'>): string[] {
  return [...new Set([...labelKeys(destination), ...labelKeys(destinationNormal)])];
}

function isSame(custodian: LabelledCustodian, { entityId, names }: DestinationHolder): boolean {
  return custodian.entityId === entityId || custodian.names.some((name) => isNamedLike(name, names));
}
