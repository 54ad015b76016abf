import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { DeploymentMismatch } from '../../../db/vault/master-key.ts';
import { rotateKeys, type RotationResult } from '../../../db/vault/rotate-keys.ts';
import { insertVaultKeys } from '../../../db/vault/vault-keys.ts';
import { openVault, type Vault } from '../../../db/vault/vault.ts';
import { testDatabase } from '../../database.ts';

const oldKey = randomBytes(32).toString('hex');
const newKey = randomBytes(32).toString('hex');
// With the two keys of the deployment: 1,202 keys, three batches.
const TENANTS = 600;
const DONE =
  'MASTER_KEY opens every key. MASTER_KEY_PREVIOUS may be removed once every api and worker runs with this MASTER_KEY.';

let database: Awaited<ReturnType<typeof testDatabase>>;
let tenantIds: string[];
let sealed: Map<string, Buffer>;
let lines: string[];

const open = (masterKey: string, previousMasterKey?: string): Promise<Vault> =>
  openVault({ pool: database.pool, masterKey, previousMasterKey, environment: 'sandbox' });

const log = (line: string): void => void lines.push(line);

function rotate(options: { newTenantKeys?: boolean; log?: typeof log } = {}): Promise<RotationResult> {
  return rotateKeys({ pool: database.pool, masterKey: newKey, previousMasterKey: oldKey, log, ...options });
}

/** How many of the tenants this vault, with nothing in memory yet, can read. */
async function readable(vault: Vault): Promise<number> {
  let count = 0;
  for (const [tenantId, value] of sealed) {
    if ((await vault.tenantKeys(tenantId, [value])).open('c', value) === tenantId) count += 1;
  }
  return count;
}

async function storedKeys(): Promise<object[]> {
  const { rows } = await database.pool.query<object>(
    'select * from vault_keys order by owner, purpose, version',
  );
  return rows;
}

async function keysOlderByHours(hours: number): Promise<void> {
  await database.pool.query('update vault_keys set created_at = created_at - make_interval(hours => $1)', [
    hours,
  ]);
}

beforeEach(async () => {
  database = await testDatabase();
  lines = [];
  const vault = await open(oldKey);
  tenantIds = Array.from({ length: TENANTS }, () => randomUUID());
  const keys = tenantIds.map((tenantId) => vault.newTenantKeys(tenantId));
  await insertVaultKeys(database.pool, keys.flat());
  sealed = new Map();
  keys.forEach((rows, at) => {
    const tenantId = tenantIds[at] ?? '';
    sealed.set(tenantId, vault.openNewTenantKeys(rows).seal('c', tenantId));
  });
});

afterEach(() => database.drop());

describe('wrapping anew', () => {
  test('leaves nothing to the previous master key and keeps every key as it is', async () => {
    const before = await open(oldKey);
    const hash = before.apiKeyHash('x');
    const token = (await before.tenantKeys(tenantIds[0] ?? '')).token('name', 'x');
    expect(await rotate()).toEqual({ rewrapped: 1_202, renewed: 0, left: 0 });
    const after = await open(newKey);
    expect(await readable(after)).toBe(TENANTS);
    expect(after.apiKeyHash('x')).toEqual(hash);
    expect((await after.tenantKeys(tenantIds[0] ?? '')).token('name', 'x')).toBe(token);
    await expect(open(oldKey)).rejects.toThrow(DeploymentMismatch);
  });

  test('tells its progress and when MASTER_KEY_PREVIOUS may be removed', async () => {
    await rotate();
    expect(lines).toEqual([
      '500 keys wrapped by MASTER_KEY',
      '1000 keys wrapped by MASTER_KEY',
      '1202 keys wrapped by MASTER_KEY',
      'Keys: 1202. Wrapped anew: 1202. New record keys: 0.',
      DONE,
    ]);
  });

  test('changes nothing the second time', async () => {
    await rotate();
    const before = await storedKeys();
    expect(await rotate()).toEqual({ rewrapped: 0, renewed: 0, left: 0 });
    expect(await storedKeys()).toEqual(before);
    expect(lines.slice(-2)).toEqual(['Keys: 1202. Wrapped anew: 0. New record keys: 0.', DONE]);
  });

  test('that broke off after a batch is readable with both keys, and the next run finishes it', async () => {
    const breakOff = (line: string): void => {
      if (line.startsWith('500 ')) throw new Error('power cut');
    };
    await expect(rotate({ log: breakOff })).rejects.toThrow('power cut');
    expect(await readable(await open(newKey, oldKey))).toBe(TENANTS);
    expect(await readable(await open(oldKey, newKey))).toBe(TENANTS);
    expect(await rotate()).toEqual({ rewrapped: 702, renewed: 0, left: 0 });
    expect(await readable(await open(newKey))).toBe(TENANTS);
  });

  test('goes on beside a running vault that has both keys and makes tenants meanwhile', async () => {
    const running = await open(newKey, oldKey);
    const [result, count] = await Promise.all([
      rotate(),
      readable(running),
      insertVaultKeys(database.pool, running.newTenantKeys(randomUUID())),
    ]);
    expect(count).toBe(TENANTS);
    expect(result.left).toBe(0);
  });

  test('by two operators at once does every key once', async () => {
    const results = await Promise.all([rotate(), rotate()]);
    expect(results.map((result) => result.rewrapped).reduce((sum, count) => sum + count)).toBe(1_202);
    expect(await readable(await open(newKey))).toBe(TENANTS);
  });

  test('is refused without the master key that wraps the stored keys, and changes nothing', async () => {
    const before = await storedKeys();
    const alone = rotateKeys({ pool: database.pool, masterKey: newKey, log });
    await expect(alone).rejects.toThrow(/^MASTER_KEY does not open this database/);
    expect(await storedKeys()).toEqual(before);
  });

  test('does not tell to remove MASTER_KEY_PREVIOUS when a key came in under another one at the end', async () => {
    await keysOlderByHours(2);
    // Stands for a process that was not restarted: it stores a key after all were wrapped anew.
    await database.pool.query(`
      create function store_late() returns trigger language plpgsql as $$ begin
        insert into vault_keys values (new.owner, 'TOKENS', 2, 'of the old one', new.wrapped);
        return null;
      end $$;
      create trigger late after insert on vault_keys for each row
        when (new.owner = '${tenantIds[0]}' and new.purpose = 'RECORDS') execute function store_late()`);
    expect(await rotate({ newTenantKeys: true })).toEqual({ rewrapped: 1_202, renewed: TENANTS, left: 1 });
    expect(lines.at(-1)).toBe(
      '1 keys were stored under another master key meanwhile: keep MASTER_KEY_PREVIOUS, restart the processes that still ' +
        'run with the old MASTER_KEY, and run this again.',
    );
  });
});

describe('new tenant keys', () => {
  test('seal what is new once they are settled, while what is old keeps opening', async () => {
    await keysOlderByHours(2);
    expect(await rotate({ newTenantKeys: true })).toEqual({ rewrapped: 1_202, renewed: TENANTS, left: 0 });
    expect(lines).toContain('New records use the new keys in 30 minutes, when all processes know them.');
    const sealingVersion = async (): Promise<number> => {
      const keys = await (await open(newKey)).tenantKeys(tenantIds[5] ?? '');
      return keys.seal('c', 'x').readUInt32BE(1);
    };
    expect(await sealingVersion()).toBe(1);
    await keysOlderByHours(1);
    expect(await sealingVersion()).toBe(2);
    expect(await readable(await open(newKey))).toBe(TENANTS);
  });

  test('are made for nobody twice when the run is repeated, nor for tenants of the last hour', async () => {
    expect((await rotate({ newTenantKeys: true })).renewed).toBe(0);
    await keysOlderByHours(2);
    const youngTenant = randomUUID();
    await insertVaultKeys(database.pool, (await open(newKey)).newTenantKeys(youngTenant));
    expect((await rotate({ newTenantKeys: true })).renewed).toBe(TENANTS);
    const before = await storedKeys();
    expect((await rotate({ newTenantKeys: true })).renewed).toBe(0);
    expect(await storedKeys()).toEqual(before);
  });
});

describe('the command', () => {
  interface Exit {
    code: number;
    output: string;
  }

  function run(argument: string[], environment: Record<string, string>): Promise<Exit> {
    const options = { env: { PATH: process.env['PATH'], DATABASE_URL: database.url, ...environment } };
    return new Promise((resolve) => {
      const argv = ['dist/commands/rotate-keys.js', ...argument];
      const child = execFile(process.execPath, argv, options, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? -1, output: stdout + stderr });
      });
    });
  }

  test('rotates with the settings of the environment', async () => {
    const { code, output } = await run([], { MASTER_KEY: newKey, MASTER_KEY_PREVIOUS: oldKey });
    expect(output.trim().split('\n').slice(-2)).toEqual([
      'Keys: 1202. Wrapped anew: 1202. New record keys: 0.',
      DONE,
    ]);
    expect(code).toBe(0);
  });

  test.each<[string, string[], Record<string, string>, string]>([
    [
      'an unknown argument',
      ['--new-keys'],
      { MASTER_KEY: newKey },
      'usage: rotate-keys [--new-tenant-keys]\n',
    ],
    ['a missing MASTER_KEY', [], {}, 'MASTER_KEY: is required\n'],
    [
      'the wrong MASTER_KEY',
      [],
      { MASTER_KEY: newKey },
      'MASTER_KEY does not open this database: its keys are wrapped by another master key. Give the one it was set up ' +
        'with; while keys are being rotated, also the one before as MASTER_KEY_PREVIOUS.\n',
    ],
  ])('refuses %s in one clear line', async (_what, argument, environment, line) => {
    expect(await run(argument, environment)).toEqual({ code: 1, output: line });
  });
});
