import { walletKeys } from '../../domain/sanctions/wallet-key.ts';
import { addressWarnings, type AddressWarning } from '../../domain/verifications/address-warnings.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import { findLabels } from '../labels/find-labels.ts';
import type { Queryable } from '../postgres.ts';

/** What the active sanctions lists and labels say of the address of a verification. */
export async function findAddressWarnings(
  db: Queryable,
  { addressNormal }: Pick<VerificationRecord, 'addressNormal'>,
): Promise<AddressWarning[]> {
  const { rows } = await db.query<{ is_listed: boolean }>({
    name: 'is-listed-address',
    text: `select exists (
        select from sanctions_wallets w join sanctions_entries e on e.id = w.entry_id
        where w.address_key = any($1::text[]) and e.version_removed is null
      ) as is_listed`,
    values: [walletKeys(addressNormal)],
  });
  const labels = await findLabels(db, [addressNormal]);
  return addressWarnings(rows[0]?.is_listed ?? false, labels.get(addressNormal) ?? []);
}
