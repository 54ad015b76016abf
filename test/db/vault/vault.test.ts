import { randomBytes, randomUUID } from 'node:crypto';
import { SealedValueError } from '../../../db/vault/cipher.ts';
import { newVaultKey, readMasterKeys } from '../../../db/vault/master-key.ts';
import { NoTenantKeys } from '../../../db/vault/tenant-keys.ts';
import { insertVaultKeys } from '../../../db/vault/vault-keys.ts';
import { openVault, type Vault } from '../../../db/vault/vault.ts';
import { testDatabase } from '../../database.ts';

const masterKey = randomBytes(32).toString('hex');
const RECORD = 'transactions:a-tenant:a-transaction';
let database: Awaited<ReturnType<typeof testDatabase>>;
let vault: Vault;

const open = (): Promise<Vault> => openVault({ pool: database.pool, masterKey, environment: 'sandbox' });

async function newTenant(): Promise<string> {
  const tenantId = randomUUID();
  await insertVaultKeys(database.pool, vault.newTenantKeys(tenantId));
  return tenantId;
}

/** What a rotation in another process does, `minutes` ago. */
async function addSecondVersion(tenantId: string, minutes: number): Promise<void> {
  const name = { owner: tenantId, purpose: 'RECORDS', version: 2 } as const;
  await insertVaultKeys(database.pool, [newVaultKey(readMasterKeys(masterKey), name)]);
  await database.pool.query(
    `update vault_keys set created_at = now() - make_interval(mins => $2) where owner = $1 and version = 2`,
    [tenantId, minutes],
  );
}

async function sealingVersion(tenantId: string): Promise<number> {
  const keys = await (await open()).tenantKeys(tenantId);
  return keys.newRecordKey(RECORD).wrapped.readUInt32BE(1);
}

async function deleteKeys(tenantId: string): Promise<void> {
  await database.pool.query('delete from vault_keys where owner = $1', [tenantId]);
}

beforeAll(async () => {
  database = await testDatabase();
  vault = await open();
});

afterAll(() => database.drop());

test('what one process sealed and stored another process opens', async () => {
  const tenantId = await newTenant();
  const { key, wrapped } = (await vault.tenantKeys(tenantId)).newRecordKey(RECORD);
  const sealed = key.seal(RECORD, { name: 'Anna' });
  const { rows } = await database.pool.query<{ wrapped: Buffer; sealed: Buffer }>(
    'select $1::bytea as wrapped, $2::bytea as sealed',
    [wrapped, sealed],
  );
  const other = await (await open()).tenantKeys(tenantId);
  const opened = other.openRecordKey(rows[0]?.wrapped ?? Buffer.alloc(0), RECORD);
  expect(opened.open(RECORD, rows[0]?.sealed ?? Buffer.alloc(0))).toEqual({ name: 'Anna' });
});

test('secrets sealed before the tenant is committed open afterwards', async () => {
  const tenantId = randomUUID();
  const rows = vault.newTenantKeys(tenantId);
  const sealed = vault.openNewTenantKeys(rows).seal('tenants:webhook', 'whsec');
  await insertVaultKeys(database.pool, rows);
  expect((await vault.tenantKeys(tenantId)).open('tenants:webhook', sealed)).toBe('whsec');
});

test('search tokens go through a bigint[] column unchanged', async () => {
  const keys = await vault.tenantKeys(await newTenant());
  const tokens = keys.tokens('name', ['anna', 'muller', 'x']);
  const { rows } = await database.pool.query<{ texts: string[] }>('select $1::bigint[]::text[] as texts', [
    tokens,
  ]);
  expect(rows[0]?.texts.map(BigInt)).toEqual(tokens);
});

describe('API-key hashes', () => {
  test('are the same in every process, 32 bytes, and keyed by the deployment', async () => {
    const elsewhere = await testDatabase();
    const foreign = await openVault({ pool: elsewhere.pool, masterKey, environment: 'sandbox' });
    const hash = vault.apiKeyHash('wb_sandbox_x');
    expect(hash).toHaveLength(32);
    expect((await open()).apiKeyHash('wb_sandbox_x')).toEqual(hash);
    expect(vault.apiKeyHash('wb_sandbox_y')).not.toEqual(hash);
    expect(foreign.apiKeyHash('wb_sandbox_x')).not.toEqual(hash);
    await elsewhere.drop();
  });
});

describe('the keys of a tenant', () => {
  test('are read once, also by callers at the same time', async () => {
    const tenantId = await newTenant();
    const [one, two] = await Promise.all([vault.tenantKeys(tenantId), vault.tenantKeys(tenantId)]);
    await deleteKeys(tenantId);
    expect(two).toBe(one);
    expect(await vault.tenantKeys(tenantId)).toBe(one);
  });

  test('are gone from memory once the tenant was dropped', async () => {
    const tenantId = await newTenant();
    await vault.tenantKeys(tenantId);
    await deleteKeys(tenantId);
    vault.dropTenant(tenantId);
    await expect(vault.tenantKeys(tenantId)).rejects.toThrow(NoTenantKeys);
  });

  test('do not stay in memory when the tenant is dropped while they are being read', async () => {
    const tenantId = await newTenant();
    const reading = vault.tenantKeys(tenantId);
    vault.dropTenant(tenantId);
    await reading;
    await deleteKeys(tenantId);
    await expect(vault.tenantKeys(tenantId)).rejects.toThrow(NoTenantKeys);
  });

  test('are looked for again after they were missing', async () => {
    const tenantId = randomUUID();
    await expect(vault.tenantKeys(tenantId)).rejects.toThrow(NoTenantKeys);
    await insertVaultKeys(database.pool, vault.newTenantKeys(tenantId));
    expect((await vault.tenantKeys(tenantId)).token('name', 'x')).toBeDefined();
  });
});

describe('a second version of the record key', () => {
  test('seals only when every process has had the time to load it', async () => {
    const tenantId = await newTenant();
    await addSecondVersion(tenantId, 29);
    expect(await sealingVersion(tenantId)).toBe(1);
    await database.pool.query(
      `update vault_keys set created_at = created_at - interval '1 minute' where version = 2`,
    );
    expect(await sealingVersion(tenantId)).toBe(2);
  });

  test('is loaded by a process that holds older keys as soon as it is told what is to be opened', async () => {
    const tenantId = await newTenant();
    const stale = await vault.tenantKeys(tenantId);
    await addSecondVersion(tenantId, 60);
    const { wrapped } = (await (await open()).tenantKeys(tenantId)).newRecordKey(RECORD);
    expect(() => stale.openRecordKey(wrapped, RECORD)).toThrow(SealedValueError);
    const [one, two] = await Promise.all([
      vault.tenantKeys(tenantId, [wrapped]),
      vault.tenantKeys(tenantId, [wrapped]),
    ]);
    expect(one.openRecordKey(wrapped, RECORD)).toBeDefined();
    expect(two).toBe(one);
    expect(await vault.tenantKeys(tenantId)).toBe(one);
  });

  test('that exists nowhere is looked for once and then refused', async () => {
    const tenantId = await newTenant();
    const sealed = (await vault.tenantKeys(tenantId)).seal('c', 'x');
    sealed.writeUInt32BE(99, 1);
    const keys = await vault.tenantKeys(tenantId, [sealed]);
    expect(() => keys.open('c', sealed)).toThrow(SealedValueError);
  });
});
