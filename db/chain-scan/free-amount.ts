import { randomInt } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import type { AmountRange } from '../../domain/verifications/satoshi/amount.ts';
import type { Queryable } from '../postgres.ts';

/** Number of random amounts that are tried first: enough as long as most of the range is free. */
const TRIED = 200;

/** The transfer that a watch waits for; sender and recipient as party keys of the chain. */
export interface WatchedTransfer {
  chain: string;
  asset: string;
  sender: string;
  recipient: string;
}

/**
 * A random amount, in base units, that no pending verification of this wallet expects at this deposit address, and if
 * possible no other wallet either. Throws conflict when the wallet has used up its range.
 */
export async function freeAmount(
  tx: Queryable,
  transfer: WatchedTransfer,
  range: AmountRange,
): Promise<bigint> {
  const random = Array.from({ length: TRIED }, () => unitsAt(range, randomInt(range.count)));
  const chosen = (await leastUsed(tx, transfer, random)) ?? (await leastUsed(tx, transfer, allOf(range)));
  if (chosen !== undefined) return BigInt(chosen);
  const message = 'This wallet has too many pending transfers to this deposit address.';
  throw new DomainError('conflict', message);
}

/** Every amount of the range, beginning at a random one. */
function allOf(range: AmountRange): string[] {
  const start = randomInt(range.count);
  return Array.from({ length: range.count }, (_, n) => unitsAt(range, (start + n) % range.count));
}

function unitsAt({ first, step }: AmountRange, index: number): string {
  return (BigInt(first + index) * step).toString();
}

async function leastUsed(
  tx: Queryable,
  { chain, recipient, asset, sender }: WatchedTransfer,
  tried: readonly string[],
): Promise<string | undefined> {
  const { rows } = await tx.query<{ units: string }>(
    `select t.units from unnest($5::numeric[]) with ordinality t(units, n)
     cross join lateral (
       select exists (select 1 from satoshi_watches w where w.chain = $1 and w.recipient = $2 and w.asset = $3
           and w.units = t.units and w.state = 'OPEN') as by_anybody,
         exists (select 1 from satoshi_watches w where w.chain = $1 and w.recipient = $2 and w.asset = $3
           and w.units = t.units and w.sender = $4 and w.state <> 'DONE') as by_wallet
     ) used
     where not used.by_wallet order by used.by_anybody, t.n limit 1`,
    [chain, recipient, asset, sender, tried],
  );
  return rows[0]?.units;
}
