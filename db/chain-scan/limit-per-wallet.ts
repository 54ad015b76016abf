import { partyKey } from '../../domain/chain-scan/party-key.ts';
import type { ScanChain } from '../../domain/chain-scan/scan-chain.ts';
import { DomainError } from '../../domain/errors.ts';
import { DAY_MS } from '../../domain/durations.ts';
import type { Queryable } from '../postgres.ts';

/** Open satoshi tests of one wallet and tenant: with many, a payment that has nothing to do with them would fit one. */
const MAX_OPEN = 20;
/** Tests of one wallet and tenant in two days that may count blocks from before their creation, and be reused. */
const MAX_TRUSTED = 5;
const WINDOW_MS = 2 * DAY_MS;

interface WalletUnderTest {
  tenantId: string;
  addressNormal: string;
  createdAt: Date;
}

/**
 * Whether the tenant has tested the wallet so often, ended tests included, that a payment which fits one more of them may
 * be an old one.
 */
export async function isTestedOften(
  db: Queryable,
  chain: ScanChain,
  wallet: WalletUnderTest,
): Promise<boolean> {
  return (await countTests(db, chain, wallet)).recent >= MAX_TRUSTED;
}

/**
 * Makes room for one more satoshi test of a wallet: until the end of the transaction nobody else counts the tenant's tests
 * of it. Returns whether it is tested often. Throws conflict when too many tests are open.
 */
export async function makeRoomForTest(
  tx: Queryable,
  chain: ScanChain,
  wallet: WalletUnderTest,
): Promise<boolean> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `satoshi test:${wallet.tenantId}:${chain.name}:${wallet.addressNormal}`,
  ]);
  const { open, recent } = await countTests(tx, chain, wallet);
  if (open < MAX_OPEN) return recent >= MAX_TRUSTED;
  throw new DomainError('conflict', `At most ${MAX_OPEN} satoshi tests of one wallet are open at a time.`);
}

async function countTests(
  db: Queryable,
  chain: ScanChain,
  { tenantId, addressNormal, createdAt }: WalletUnderTest,
): Promise<{ open: number; recent: number }> {
  const { rows } = await db.query<{ open: number; recent: number }>(
    `select count(*) filter (where state <> 'DONE')::int as open,
       count(*) filter (where armed_from > $4)::int as recent
     from satoshi_watches
     where tenant_id = $1 and chain = $2 and sender = $3 and (armed_from > $4 or state <> 'DONE')`,
    [tenantId, chain.name, partyKey(chain, addressNormal), new Date(createdAt.getTime() - WINDOW_MS)],
  );
  return rows[0] ?? { open: 0, recent: 0 };
}
