import pg from 'pg';
import { evmNode } from '../chains/evm-node.ts';
import { esploraNode } from '../chains/esplora-node.ts';
import { scanRound } from '../activities/blockchain/scan-activities.ts';
import { readSettings } from '../process/settings.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../process/open-database.ts';
import { hashPartyKey } from '../domain/chain-scan/hash-recipient.ts';
import type { ScanChain } from '../domain/chain-scan/scan-chain.ts';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { newDeployment } from './product.ts';
import { rawBlock } from './raw-block.ts';
import { account, serveBitcoin, serveEvm, type PlannedTransfer } from './served-blocks.ts';
import { median } from './statistics.ts';

const FULL = { pending: 100_000, blocks: 300, bitcoinBlocks: 20, transactions: 4_000 };
const QUICK = { pending: 2_000, blocks: 20, bitcoinBlocks: 3, transactions: 400 };
type Size = typeof FULL;
const WARM_UP = 8;
const GOAL = { calls: 3, evmMs: 40, bitcoinMs: 50 };

const TOKEN = account();
/** The recipient of half of the expected transfers: one address of an exchange. The others have a recipient each. */
const OMNIBUS = account();
const CHAIN = { confirmations: 12, pollMs: 1_000, rpcUrl: [], esploraUrl: [], bitcoindUrl: [], tokens: [] };
const EVM: ScanChain = {
  ...CHAIN,
  name: 'bench evm',
  kind: 'EVM',
  addressFormat: 'EVM',
  nativeAsset: 'ETH',
  decimals: 18,
  tokens: [{ asset: 'USDX', address: TOKEN, decimals: 6 }],
};
const BITCOIN: ScanChain = {
  ...CHAIN,
  name: 'bench bitcoin',
  kind: 'BITCOIN',
  addressFormat: 'BITCOIN',
  nativeAsset: 'BTC',
  decimals: 8,
};

/** (g) Measures what a block costs while 100,000 verifications wait for a transfer: calls to the node, and milliseconds. */
export async function measureChainScan(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const deployment = await newDeployment(installation);
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });
  const wait = loadWatches(deployment.DATABASE_URL, size.pending);
  await withProgress(
    installation.log,
    `(g) ${size.pending} verifications that wait on each of two chains`,
    wait,
  );
  const evm = await measureEvm(db, size);
  const bitcoin = await measureBitcoin(db, size);
  await db.close();
  return [...evm, ...bitcoin];
}

async function measureEvm(db: Database, size: Size): Promise<BenchFigure[]> {
  const { rows } = await db.pool.query<{ sender: string; recipient: string; units: string }>(
    'select sender, recipient, units from satoshi_watches where chain = $1 order by armed_from limit 100',
    [EVM.name],
  );
  // Every tenth block has an expected transfer. Every block has ten unexpected transfers to the exchange.
  const planned = (height: number): PlannedTransfer[] => {
    const expected = height % 10 === 9 ? rows[Math.floor(height / 10) % rows.length] : undefined;
    const others = Array.from({ length: 10 }, () => ({ from: account(), to: OMNIBUS, units: 10n ** 15n }));
    return expected
      ? [{ from: expected.sender, to: expected.recipient, units: BigInt(expected.units) }, ...others]
      : others;
  };
  const served = await serveEvm(TOKEN, WARM_UP + 2 * size.blocks + 1, planned);
  const chain = { ...EVM, rpcUrl: [served.url] };
  const node = evmNode(chain);
  const deps = { db, notifyWorkflows: () => undefined, now: () => new Date() };
  let height = 0;
  const read = async (blocks: number) => {
    served.show((height += blocks));
    const [before, from] = [served.calls(), performance.now()];
    await scanRound(deps, chain, node);
    return { ms: performance.now() - from, calls: served.calls() - before };
  };
  await read(WARM_UP);
  const behind = await read(size.blocks);
  const each: { ms: number; calls: number }[] = [];
  for (let block = 0; block < size.blocks; block += 1) each.push(await read(1));
  await served.end();
  const calls = behind.calls / size.blocks;
  const callsEach = each.reduce((sum, one) => sum + one.calls, 0) / size.blocks;
  const ms = median(each.map((one) => one.ms));
  return [
    {
      measure: 'g',
      name: 'node calls for a block',
      value: `${callsEach.toFixed(2)} with the look at the tip (${calls.toFixed(2)} when behind)`,
      comparedTo: `${size.pending} verifications that wait, half of them at one address`,
      goal: `at most ${GOAL.calls}`,
      met: callsEach <= GOAL.calls && calls <= GOAL.calls,
    },
    {
      measure: 'g',
      name: 'a block of 100 transactions and 40 token logs',
      value: `${ms.toFixed(1)} ms (${(behind.ms / size.blocks).toFixed(1)} ms each when behind)`,
      comparedTo: `${size.pending} verifications that wait; the node answers from memory`,
      goal: `at most ${GOAL.evmMs} ms`,
      met: ms <= GOAL.evmMs,
    },
  ];
}

async function measureBitcoin(db: Database, size: Size): Promise<BenchFigure[]> {
  const blocks = [rawBlock(1, null)];
  for (let block = 0; block < size.bitcoinBlocks + WARM_UP; block += 1) {
    blocks.push(rawBlock(size.transactions, blocks.at(-1)?.hash ?? null));
  }
  const served = await serveBitcoin(blocks);
  const chain = { ...BITCOIN, esploraUrl: [served.url] };
  const node = esploraNode(chain);
  const times: number[] = [];
  for (let height = 1; height < blocks.length; height += 1) {
    served.show(height);
    const from = performance.now();
    await scanRound({ db, notifyWorkflows: () => undefined, now: () => new Date() }, chain, node);
    if (height > WARM_UP) times.push(performance.now() - from);
  }
  await served.end();
  const ms = median(times);
  const megabytes = (blocks.at(-1)?.raw.length ?? 0) / 1e6;
  return [
    {
      measure: 'g',
      name: `a Bitcoin block of ${size.transactions} transactions (${megabytes.toFixed(1)} MB)`,
      value: `${ms.toFixed(1)} ms`,
      comparedTo: `${size.pending} verifications that wait; the node answers from memory`,
      goal: `at most ${GOAL.bitcoinMs} ms`,
      met: ms <= GOAL.bitcoinMs,
    },
  ];
}

/** Inserts watches without verifications, which are read only once a transfer has enough confirmations. */
async function loadWatches(url: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('set session_replication_role = replica');
  const insert = `
    insert into satoshi_watches (verification_id, tenant_id, chain, asset, sender, recipient, place, units, generated,
      armed_from, deadline, submitted_at, state)
    select gen_random_uuid(), gen_random_uuid(), $1, 'native', $4::text || encode(sha256(('s' || n)::bytea), 'hex'),
      case when n % 2 = 0 then $2::text else $4::text || encode(sha256(('r' || n)::bytea), 'hex') end, n,
      100000000000000 + n, true, now() - interval '5 minutes', now() + interval '1 day', now(), 'OPEN'
    from generate_series(1, $3::int) n`;
  await client.query(insert, [EVM.name, OMNIBUS, count, '0x']);
  await client.query(insert, [BITCOIN.name, `0014${OMNIBUS.slice(2)}`, count, '0014']);
  await client.query(`update satoshi_watches set sender = left(sender, 42), recipient = left(recipient, 42)
    where chain = 'bench evm'`);
  await client.query(`update satoshi_watches set sender = left(sender, 44), recipient = left(recipient, 44)
    where chain = 'bench bitcoin'`);
  const { rows } = await client.query<{ recipient: string }>(
    'select distinct recipient from satoshi_watches',
  );
  await client.query(
    `update satoshi_watches w set place = r.place from unnest($1::text[], $2::int[]) r(recipient, place)
     where w.recipient = r.recipient`,
    [rows.map(({ recipient }) => recipient), rows.map(({ recipient }) => hashPartyKey(recipient))],
  );
  await client.query('vacuum analyze satoshi_watches');
  await client.end();
}
