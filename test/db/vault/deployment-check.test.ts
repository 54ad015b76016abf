import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DeploymentMismatch } from '../../../db/vault/master-key.ts';
import { openVault, type Vault } from '../../../db/vault/vault.ts';
import { testDatabase } from '../../database.ts';

const masterKey = randomBytes(32).toString('hex');
const otherKey = randomBytes(32).toString('hex');
let database: Awaited<ReturnType<typeof testDatabase>>;

beforeEach(async () => {
  database = await testDatabase();
});

afterEach(() => database.drop());

function open(key = masterKey, environment: 'sandbox' | 'production' = 'sandbox'): Promise<Vault> {
  return openVault({ pool: database.pool, masterKey: key, environment });
}

async function storedKeys(): Promise<object[]> {
  const { rows } = await database.pool.query<object>('select * from vault_keys order by purpose, version');
  return rows;
}

test('the first start makes one deployment with its two keys, later starts change nothing', async () => {
  const first = await open();
  const before = await storedKeys();
  const second = await open();
  expect(before).toHaveLength(2);
  expect(await storedKeys()).toEqual(before);
  expect(second.apiKeyHash('x')).toEqual(first.apiKeyHash('x'));
  const { rows } = await database.pool.query('select environment, created_at from deployment');
  expect(rows).toEqual([{ environment: 'sandbox', created_at: expect.any(Date) as Date }]);
});

test('processes that start at once on an empty database agree', async () => {
  const pools = Array.from({ length: 8 }, () => new pg.Pool({ connectionString: database.url, max: 1 }));
  await Promise.all(pools.map((pool) => pool.query('select 1')));
  const vaults = await Promise.all(
    pools.map((pool) => openVault({ pool, masterKey, environment: 'sandbox' })),
  );
  await Promise.all(pools.map((pool) => pool.end()));
  const hashes = vaults.map((vault) => vault.apiKeyHash('x').toString('hex'));
  expect(new Set(hashes).size).toBe(1);
  expect(await storedKeys()).toHaveLength(2);
});

test('of two master keys that start at once on an empty database one is refused', async () => {
  const started = await Promise.allSettled([open(masterKey), open(otherKey)]);
  const reasons = started.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  expect(reasons).toEqual([expect.any(DeploymentMismatch)]);
  expect(await storedKeys()).toHaveLength(2);
});

test('another master key is refused', async () => {
  await open();
  await expect(open(otherKey)).rejects.toThrow(/^MASTER_KEY does not open this database/);
  await expect(open(otherKey)).rejects.toThrow(DeploymentMismatch);
});

test('the right master key is enough as the previous one', async () => {
  const first = await open();
  const rotating = await openVault({
    pool: database.pool,
    masterKey: otherKey,
    previousMasterKey: masterKey,
    environment: 'sandbox',
  });
  expect(rotating.apiKeyHash('x')).toEqual(first.apiKeyHash('x'));
});

test('another environment is refused in both directions, and the first one stays', async () => {
  await open(masterKey, 'production');
  await expect(open(masterKey, 'sandbox')).rejects.toThrow(
    'ENVIRONMENT is sandbox, but this database belongs to a production deployment: correct ENVIRONMENT or DATABASE_URL.',
  );
  await expect(open(masterKey, 'production')).resolves.toBeDefined();
});

test('lost or changed deployment keys are refused rather than made anew', async () => {
  await open();
  await database.pool.query(
    `update vault_keys set wrapped = set_byte(wrapped, 20, get_byte(wrapped, 20) # 1)`,
  );
  await expect(open()).rejects.toThrow(
    'MASTER_KEY does not open a key of this database: the stored key was changed.',
  );
  await database.pool.query('delete from vault_keys');
  await expect(open()).rejects.toThrow('This database has lost the keys of its deployment.');
  expect(await storedKeys()).toEqual([]);
});
