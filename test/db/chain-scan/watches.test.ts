import { findWatches } from '../../../db/chain-scan/find-watches.ts';
import { armWatch, pinHeights, type NewWatch } from '../../../db/chain-scan/watches.ts';
import { newId } from '../../../db/new-id.ts';
import type { ChainTransfer } from '../../../domain/chain-scan/block.ts';
import type { ScanChain } from '../../../domain/chain-scan/scan-chain.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => await database.drop());

const chain: ScanChain = {
  name: 'Test',
  kind: 'EVM',
  addressFormat: 'EVM',
  nativeAsset: 'ETH',
  decimals: 18,
  confirmations: 1,
  rpcUrl: ['http://127.0.0.1'],
  esploraUrl: [],
  bitcoindUrl: [],
  pollMs: 1_000,
  tokens: [{ asset: 'TEN', address: `0x${'c'.repeat(40)}`, decimals: 4 }],
};
const TENANT = newId(new Date());
const address = (digit: string) => `0x${digit.repeat(40)}`;
const watch = (more: Partial<NewWatch> = {}): NewWatch => {
  const createdAt = new Date();
  return {
    verificationId: newId(createdAt),
    tenantId: TENANT,
    asset: 'TEN',
    addressNormal: address('1'),
    depositNormal: address('2'),
    amount: null,
    looksBack: true,
    fromHeight: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 3_600_000),
    ...more,
  };
};

/** Runs in a transaction that is rolled back: the verifications themselves are not there. */
async function rolledBack(work: (tx: Parameters<typeof armWatch>[0]) => Promise<void>): Promise<void> {
  const tx = await database.pool.connect();
  try {
    await tx.query('begin');
    await work(tx);
  } finally {
    await tx.query('rollback');
    tx.release();
  }
}

test('six hundred amounts for one wallet at one deposit address are all different', async () => {
  await rolledBack(async (tx) => {
    const amounts = new Set<string>();
    for (let made = 0; made < 600; made += 1) amounts.add(await armWatch(tx, chain, watch()));
    expect(amounts.size).toBe(600);
    for (const amount of amounts) expect(amount).toMatch(/^1(\.\d{1,4})?$/);
  });
});

test('amounts that the tenant does not expect at the deposit address are preferred, whoever the wallet', async () => {
  await rolledBack(async (tx) => {
    const amounts = new Set<string>();
    for (let made = 0; made < 500; made += 1) {
      const addressNormal = `0x${made.toString(16).padStart(40, '0')}`;
      amounts.add(await armWatch(tx, chain, watch({ addressNormal })));
    }
    expect(amounts.size).toBe(500);
  });
});

test('when every amount is used at the deposit address, one that this wallet does not expect is given', async () => {
  await rolledBack(async (tx) => {
    await tx.query(
      `insert into satoshi_watches (verification_id, tenant_id, chain, asset, sender, recipient, place, units, generated,
         armed_from, deadline, state)
       select gen_random_uuid(), $4, 'Test', $1, $2, $3, 0, 10000 + n, true, now(), now(), 'OPEN'
       from generate_series(0, 9999) n`,
      [address('c'), address('9'), address('2'), TENANT],
    );
    expect(await armWatch(tx, chain, watch())).toMatch(/^1/);
    await expect(armWatch(tx, chain, watch({ addressNormal: address('9') }))).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

test("a caller's amount is kept exactly, also when others expect the same", async () => {
  await rolledBack(async (tx) => {
    const own = watch({ amount: '0.5' });
    expect(await armWatch(tx, chain, own)).toBe('0.5');
    expect(await armWatch(tx, chain, watch({ amount: '0.5' }))).toBe('0.5');
    const { rows } = await tx.query(
      'select units, asset, sender, recipient, state from satoshi_watches limit 1',
    );
    expect(rows).toEqual([
      { units: '5000', asset: address('c'), sender: address('1'), recipient: address('2'), state: 'OPEN' },
    ]);
  });
});

test('what another tenant expects takes nothing away: neither an amount nor the last one', async () => {
  await rolledBack(async (tx) => {
    const hostile = newId(new Date());
    await tx.query(
      `insert into satoshi_watches (verification_id, tenant_id, chain, asset, sender, recipient, place, units, generated,
         armed_from, deadline, state)
       select gen_random_uuid(), $4, 'Test', $1, $2, $3, 0, 10000 + n, true, now(), now(), 'OPEN'
       from generate_series(0, 9999) n`,
      [address('c'), address('1'), address('2'), hostile],
    );
    expect(await armWatch(tx, chain, watch())).toMatch(/^1/);
    await expect(armWatch(tx, chain, watch({ tenantId: hostile }))).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});

test('each tenant’s watches of a transfer are found, however many another one has', async () => {
  const own = await testDatabase();
  await own.pool.query('alter table satoshi_watches drop constraint satoshi_watches_verification_id_fkey');
  const hostile = newId(new Date());
  await own.pool.query(
    `insert into satoshi_watches (verification_id, tenant_id, chain, asset, sender, recipient, place, units, generated,
       armed_from, deadline, state)
     select gen_random_uuid(), $4, 'Test', $1, $2, $3, 0, 5000, false, now() - interval '1 day', now(), 'OPEN'
     from generate_series(1, 200)`,
    [address('c'), address('1'), address('2'), hostile],
  );
  const mine = watch({ amount: '0.5', looksBack: false, fromHeight: 7 });
  const unpinned = watch({ amount: '0.5', looksBack: false });
  await armWatch(own.pool, chain, mine);
  await armWatch(own.pool, chain, unpinned);
  const transfer = { recipient: address('2'), asset: address('c'), units: 5_000n } as ChainTransfer;
  const found = await findWatches(own.pool, 'Test', [{ transfer, sender: address('1') }]);
  const watches = found.get(transfer) ?? [];
  expect(watches.filter(({ tenantId }) => tenantId === hostile)).toHaveLength(20);
  const heights = new Map(watches.map((each) => [each.verificationId, each.aboveHeight]));
  expect(heights.get(mine.verificationId)).toBe(7);
  expect(heights.get(unpinned.verificationId)).toBe(Infinity);
  await pinHeights(own.pool, 'Test', 9);
  const pinned = (await findWatches(own.pool, 'Test', [{ transfer, sender: address('1') }])).get(transfer);
  const above = new Map(pinned?.map((each) => [each.verificationId, each.aboveHeight]));
  expect([mine, unpinned].map(({ verificationId }) => above.get(verificationId))).toEqual([7, 9]);
  await own.drop();
});

test('tenants that expect other transfers at the same address cost nothing', async () => {
  const own = await testDatabase();
  const tx = await own.pool.connect();
  await tx.query('alter table satoshi_watches drop constraint satoshi_watches_verification_id_fkey');
  await tx.query(
    `insert into satoshi_watches (verification_id, tenant_id, chain, asset, sender, recipient, place, units, generated,
       armed_from, deadline, state)
     select gen_random_uuid(), gen_random_uuid(), 'Test', $1, $2 || n, $3, 0, 10000 + n, true, now() - interval '1 day', now(), 'OPEN'
     from generate_series(1, 2000) n`,
    [address('c'), address('4'), address('2')],
  );
  await tx.query('analyze satoshi_watches');
  await armWatch(tx, chain, watch({ amount: '0.5' }));
  await armWatch(tx, chain, watch({ amount: '0.7', addressNormal: address('5') }));
  await armWatch(tx, chain, watch({ amount: '0.7', tenantId: newId(new Date()) }));
  const lookups = async () => {
    await tx.query('select pg_stat_force_next_flush()');
    const { rows } = await tx.query<{ scans: number; read: number }>(
      `select sum(idx_scan)::int as scans, sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = 'satoshi_watches'`,
    );
    return rows[0] ?? { scans: 0, read: 0 };
  };
  const before = await lookups();
  const transfer = { recipient: address('2'), asset: address('c'), units: 5_000n } as ChainTransfer;
  const found = await findWatches(tx, 'Test', [{ transfer, sender: address('1') }]);
  const { scans, read } = await lookups();
  expect(
    found
      .get(transfer)
      ?.map(({ units }) => Number(units))
      .sort(),
  ).toEqual([5_000, 7_000]);
  expect(scans - before.scans).toBeLessThan(20);
  expect(read - before.read).toBeLessThan(20);
  tx.release();
  await own.drop();
});

test('a watch cannot outlive the transaction without its verification', async () => {
  const tx = await database.pool.connect();
  await tx.query('begin');
  await armWatch(tx, chain, watch());
  await expect(tx.query('commit')).rejects.toThrow('foreign key');
  tx.release();
});

test('twenty verifications of one wallet at the same moment get twenty amounts, however few are left', async () => {
  const own = await testDatabase();
  await own.pool.query('alter table satoshi_watches drop constraint satoshi_watches_verification_id_fkey');
  await own.pool.query(
    `insert into satoshi_watches (verification_id, tenant_id, chain, asset, sender, recipient, place, units, generated,
       armed_from, deadline, state)
     select gen_random_uuid(), $4, 'Test', $1, $2, $3, 0, 10000 + n, true, now(), now(), 'OPEN'
     from generate_series(0, 9939) n`,
    [address('c'), address('1'), address('2'), TENANT],
  );
  const arm = async (): Promise<string> => {
    const tx = await own.pool.connect();
    try {
      await tx.query('begin');
      const amount = await armWatch(tx, chain, watch());
      await tx.query('commit');
      return amount;
    } finally {
      tx.release();
    }
  };
  const amounts = await Promise.all(Array.from({ length: 20 }, arm));
  expect(new Set(amounts).size).toBe(20);
  await own.drop();
});
