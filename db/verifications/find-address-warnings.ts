import { walletKeys } from '../../domain/sanctions/wallet-key.ts';
import { addressWarnings, type AddressWarning } from '../../domain/verifications/address-warnings.ts';
import { findLabels } from '../labels/find-labels.ts';
import type { Queryable } from '../postgres.ts';
import { findListedKeys } from '../sanctions-lists/find-listed-keys.ts';

/**
 * What the active sanctions lists and labels say of addresses in normal form; addresses without warnings are not in the
 * map. Two statements, whatever their number.
 */
export async function findAddressWarnings(
  db: Queryable,
  addresses: readonly string[],
): Promise<Map<string, AddressWarning[]>> {
  if (addresses.length === 0) return new Map();
  const keysOf = new Map(addresses.map((address) => [address, walletKeys(address)]));
  const listed = await findListedKeys(db, [...new Set([...keysOf.values()].flat())]);
  const labels = await findLabels(db, addresses);
  const found = new Map<string, AddressWarning[]>();
  for (const [address, keys] of keysOf) {
    const isListed = keys.some((key) => listed.has(key));
    const warnings = addressWarnings({ isListed, labels: labels.get(address) ?? [] });
    if (warnings.length > 0) found.set(address, warnings);
  }
  return found;
}
