import type pg from 'pg';
import type { Queryable } from '../../../db/postgres.ts';
import { findDestinationWallet, findHolders } from '../../../db/wallets/match-wallet.ts';
import { addressAt, blockchainKey } from '../../../domain/normalised-places.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { bulkTenants } from '../../factories/bulk-rows.ts';

const ROWS = 100_000;
/** Pages of 8 kB: descents of two indexes for each spelling of the account, and what they find. */
const FEW_PAGES = 64;
const SHARED = 'rw2ciyaNshpHe7bCHo4bRWq6pqqynnWKQg';
const WHOLE = 'rDsbeomae4FXwgQTJp9Rs64Qg9vDiTCdBv';

let database: TestDatabase;
let tenants: string[];
beforeAll(async () => {
  database = await testDatabase();
  tenants = await bulkTenants(database.pool, 50);
  await fill(database.pool);
});
afterAll(async () => await database.drop());

const evm = (n: number) => `0x${n.toString(16).padStart(40, '0')}`;
const tenant = (n: number) => tenants[n] ?? '';

/**
 * Deposit addresses of 50 tenants, and two addresses of one tenant with 20,000 tags each, as chains with memos have them; it
 * has the second one as a whole, too.
 */
async function fill(pool: pg.Pool): Promise<void> {
  const columns = `tenant_id, address, address_normal, tag, asset, blockchain, blockchain_key, status, source, created_at,
    updated_at`;
  await pool.query(
    `insert into wallets (${columns})
     select ($1::uuid[])[1 + n % 50], a, a, null, case when n % 2 = 0 then '*' else 'ETH' end, 'Ethereum', 'Ethereum',
       case when n % 10 = 0 then 'UNCONFIRMED' else 'CONFIRMED' end, case when n % 10 < 2 then 'DETECTED' else 'CSV' end,
       now(), now()
     from (select n, '0x' || lpad(to_hex(n), 40, '0') as a from generate_series(1, $2::int) n) made`,
    [tenants, ROWS],
  );
  await pool.query(
    `insert into wallets (${columns})
     select $1, a, a, nullif(n, 0)::text, 'XRP', 'XRP Ledger', $3, 'CONFIRMED', 'CSV', now(), now()
     from generate_series(0, 20000) n, unnest($2::text[]) a where n > 0 or a = $4`,
    [tenant(7), [SHARED, WHOLE], blockchainKey('XRP Ledger'), WHOLE],
  );
  await pool.query(
    `insert into attested_addresses
       (id, tenant_id, address, address_normal, blockchain, blockchain_key, reason, created_at)
     select gen_random_uuid(), ($1::uuid[])[1 + n % 50], a, a, 'Ethereum', 'Ethereum', 'a test', now()
     from (select n, '0x' || lpad(to_hex($2::int + n), 40, '0') as a from generate_series(2, 20000) n) made`,
    [tenants, ROWS],
  );
  await pool.query('vacuum analyze wallets, attested_addresses');
}

interface Place {
  destination: string;
  blockchain?: string | null;
  asset?: string;
  destinationTag?: string | null;
}

function destinationOf({
  destination,
  blockchain = 'Ethereum',
  asset = 'ETH',
  destinationTag = null,
}: Place) {
  return {
    destination,
    destinationNormal: addressAt('', blockchain, destination),
    destinationTag,
    blockchain,
    blockchainKey: blockchain && blockchainKey(blockchain),
    asset,
  };
}

interface Plan {
  'Node Type': string;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** Runs a statement under EXPLAIN ANALYZE as well, as PostgreSQL plans it for these very values. */
function explaining(): Queryable & { plans: Plan[] } {
  const plans: Plan[] = [];
  const query = async (config: pg.QueryConfig<unknown[]> | string, given: unknown[] = []) => {
    const { text, values = given }: pg.QueryConfig<unknown[]> =
      typeof config === 'string' ? { text: config } : config;
    const { rows } = await database.pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    );
    plans.push(...(rows[0]?.['QUERY PLAN'].map(({ Plan: plan }) => plan) ?? []));
    return await database.pool.query(text, values);
  };
  return { plans, query: query as Queryable['query'] };
}

const nodesOf = (plan: Plan): string[] => [plan['Node Type'], ...(plan.Plans ?? []).flatMap(nodesOf)];

function expectLookUp(plans: Plan[]): void {
  expect(plans).toHaveLength(1);
  for (const plan of plans) {
    expect(nodesOf(plan).join()).toMatch(/Index/);
    expect(nodesOf(plan)).not.toContain('Seq Scan');
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(FEW_PAGES);
  }
}

describe('routing by destination is a look-up in an index', () => {
  test.each<[string, Place, number[]]>([
    ['a registered address', { destination: evm(12_345) }, [45]],
    ['in capital letters', { destination: evm(12_345).toUpperCase().replace('0X', '0x') }, [45]],
    [
      'one of 20,000 tags of a whole account',
      { destination: WHOLE, blockchain: 'XRP Ledger', asset: 'XRP', destinationTag: '777' },
      [7],
    ],
    ['no tag of a whole account', { destination: WHOLE, blockchain: 'XRP Ledger', asset: 'XRP' }, [7]],
    ['of all assets', { destination: evm(12_346), asset: 'USDC' }, [46]],
    ['of another asset', { destination: evm(12_345), asset: 'USDC' }, []],
    ['without a chain', { destination: evm(12_345), blockchain: null }, [45]],
    ['of another chain', { destination: evm(12_345), blockchain: 'Polygon' }, []],
    ['that nobody has', { destination: evm(ROWS + 1) }, []],
    ['that is unconfirmed', { destination: evm(20) }, []],
    ['that was only detected', { destination: evm(21) }, []],
    [
      'one of 20,000 tags',
      { destination: SHARED, blockchain: 'XRP Ledger', asset: 'XRP', destinationTag: '777' },
      [7],
    ],
    ['no tag of 20,000', { destination: SHARED, blockchain: 'XRP Ledger', asset: 'XRP' }, []],
    [
      'a tag that is not there',
      { destination: SHARED, blockchain: 'XRP Ledger', asset: 'XRP', destinationTag: 'x' },
      [],
    ],
  ])('%s', async (_, place, holders) => {
    const db = explaining();
    // The asking tenant is never its own receiver.
    const found = await findHolders(db, tenant(49), destinationOf(place));
    expect(found.map(({ tenantId }) => tenantId)).toEqual(holders.map(tenant));
    expect(found.filter(({ isContested }) => isContested)).toEqual([]);
    expectLookUp(db.plans);
    if (holders.length > 0)
      expect(await findHolders(db, tenant(holders[0] ?? 0), destinationOf(place))).toEqual([]);
  });
});

describe("the receiver's own wallet is found in an index", () => {
  test.each<[string, number, Place, { confirmed: boolean } | null]>([
    ['a confirmed one', 45, { destination: evm(12_345) }, { confirmed: true }],
    ['an unconfirmed one', 20, { destination: evm(20) }, { confirmed: false }],
    ['a detected one', 21, { destination: evm(21) }, { confirmed: true }],
    ['one of another tenant', 44, { destination: evm(12_345) }, null],
    ['without a chain', 45, { destination: evm(12_345), blockchain: null }, { confirmed: true }],
    [
      'one of 20,000 tags',
      7,
      { destination: SHARED, blockchain: 'XRP Ledger', asset: 'XRP', destinationTag: '777' },
      { confirmed: true },
    ],
    ['no tag of 20,000', 7, { destination: SHARED, blockchain: 'XRP Ledger', asset: 'XRP' }, null],
  ])('%s', async (_, owner, place, expected) => {
    const db = explaining();
    const wallet = await findDestinationWallet(db, tenant(owner), destinationOf(place));
    expect(wallet && { confirmed: wallet.confirmed }).toEqual(expected);
    expectLookUp(db.plans);
  });
});
