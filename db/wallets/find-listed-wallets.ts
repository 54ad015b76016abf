import { registeredKeys } from '../../domain/sanctions/wallet-key.ts';
import type { NewWallet } from '../../domain/wallets/wallet.ts';
import type { Queryable } from '../postgres.ts';
import { findListedKeys } from '../sanctions-lists/find-listed-keys.ts';

/** The keys of so many wallets take milliseconds; other work goes on between them. */
const BATCH = 1_000;

/** Those of the wallets whose address an active sanctions list names in any spelling, in their order; `limit` at most. */
export async function findListedWallets<T extends Pick<NewWallet, 'addressNormal' | 'blockchainKey'>>(
  db: Queryable,
  wallets: readonly T[],
  limit = Infinity,
): Promise<T[]> {
  const found: T[] = [];
  for (let from = 0; from < wallets.length && found.length < limit; from += BATCH) {
    const keyed = wallets
      .slice(from, from + BATCH)
      .map((wallet) => ({ wallet, keys: registeredKeys(wallet) }));
    const listed = await findListedKeys(db, [...new Set(keyed.flatMap(({ keys }) => keys))]);
    found.push(
      ...keyed.filter(({ keys }) => keys.some((key) => listed.has(key))).map(({ wallet }) => wallet),
    );
  }
  return found.slice(0, limit);
}
