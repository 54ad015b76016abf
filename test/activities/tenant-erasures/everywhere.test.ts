import { readdir } from 'node:fs/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import { tenantErasureActivities } from '../../../activities/tenant-erasures/erasure-activities.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import { checkTenantKeys } from '../../../db/restore/check-tenant-keys.ts';
import { listStoredObjects } from '../../../db/restore/list-stored-objects.ts';
import { NoTenantKeys } from '../../../db/vault/tenant-keys.ts';
import { checkAuditLogs } from '../../../db/audit/check-audit-logs.ts';
import { chainEntries } from '../../../db/audit/chain-entries.ts';
import { checkSeals } from '../../../db/seals/check-seals.ts';
import { sealOldestDay } from '../../../db/seals/seal-day.ts';
import { fileChains } from '../../chains/file-chains.ts';
import { chainOf } from '../../chains/scan-ground.ts';
import { formOf, png } from '../../factories/evidence.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { erasuresOf, NAMED_OPERATORS } from '../../factories/tenant-erasure.ts';
import { readTransaction } from '../../factories/transaction.ts';
import { createUser } from '../../factories/user.ts';
import { dumpOf, foundIn } from '../../factories/what-is-left.ts';
import { newTarget, SCANNED, type Target } from '../../hostile/target.ts';
import { decideRecords, openRecords, PRIVATE_WORDS } from '../../hostile/victim.ts';
import { useApi } from '../../use-api.ts';

const chain = chainOf({
  name: SCANNED,
  caip2: 'eip155:31337',
  kind: 'EVM',
  nativeAsset: 'ETH',
  decimals: 18,
  confirmations: 1,
  rpcUrl: 'http://127.0.0.1:1',
  pollMs: 1_000,
  tokens: [],
});
fileChains()([chain]);
const { api, database } = useApi({
  config: { chains: [chain], RATE_LIMIT_HOSTED: 0, OPERATOR_KEYS: NAMED_OPERATORS },
  deps: { reportLimitMs: 0 },
});

let tenant: TestTenant;
let friend: TestTenant;
let target: Target;
const NAME = 'Grimsthorpe Exchange';
const OWN_WORDS = ['Grimsthorpe', 'Fotheringay', 'Peasegood'];

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Barnabas Ravenscroft')]);
  tenant = await createTenant(api, {
    name: NAME,
    legalName: 'Grimsthorpe Holding',
    email: 'office@grimsthorpe.example',
    webpage: 'https://grimsthorpe.example',
    registrationNumber: 'FN Grimsthorpe 1',
  });
  friend = await createTenant(api);
  await untilListsLoaded(api, tenant.id);
  target = await newTarget(tenant);
  await plant();
});

/** Whatever a tenant can leave anywhere, by its own calls and by those of operators. */
async function plant(): Promise<void> {
  const victim = { api, tenant, friend, target };
  await openRecords(victim);
  await decideRecords(victim);
  const expectOk = ({ status, body }: { status: number; body: unknown }) => {
    if (status >= 300) throw new Error(JSON.stringify(body));
  };
  const branding = { displayName: 'Grimsthorpe', color: '#112233' };
  expectOk(await tenant.patch('/tenant/me/settings', { branding }));
  const logo = await fetch(`${api.url}/tenant/me/settings/logo`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({}, [{ name: 'file', fileName: 'Grimsthorpe.png', type: 'image/png', content: png() }]),
  });
  expect(logo.status).toBe(200);
  await createUser(api, tenant, 'ADMIN', { name: 'Fotheringay' });
  const step = { kind: 'WARNED', takenAt: new Date().toISOString(), note: 'Fotheringay' };
  expectOk(await tenant.post(`/counterparties/${target.entityId}/steps`, step));
  const wallet = { address: target.origin, asset: 'ETH', blockchain: 'Ethereum' };
  expectOk(await tenant.post('/wallets', { ...wallet, metadata: 'Peasegood', holderName: 'Peasegood' }));
  const { operatorKey } = api;
  expectOk(
    await api.request('POST', `/operator/tenants/${tenant.id}/attested-addresses`, {
      operatorKey,
      body: { address: target.origin, blockchain: 'Ethereum', reason: 'Fotheringay' },
    }),
  );
  await tenant.post('/exports', {
    resource: 'transactions',
    filter: {},
    format: 'CSV',
    purpose: 'Peasegood',
  });
}

/** All rows, without those of the other tenant, which keeps its own records. */
async function rowsLeft(): Promise<string> {
  const dump = await dumpOf(database.pool);
  return dump
    .split('\n')
    .filter((row) => !row.includes(friend.id) || row.includes(tenant.id))
    .join('\n');
}

function planted(): string[] {
  const { customer, origin, destination, deposit, selfHosted, transactionHash, reference } = target;
  const hex = [origin, destination, deposit, selfHosted, transactionHash].map((text) => text.slice(2));
  const clear = [customer, reference, target.idempotencyKey, target.webhookUrl, target.userEmail];
  const address = target.csvFile.split('\n')[1]?.split(',')[0]?.slice(2) ?? '';
  return [...hex, ...clear, address, ...PRIVATE_WORDS, ...OWN_WORDS, tenant.apiKey];
}

const storedFiles = async () => {
  const entries = await readdir(api.config.STORAGE_DIR ?? '', { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
};

/** Runs the steps of the workflow; the storage fails at first, as it may, and each step is repeated. */
async function run(id: string): Promise<void> {
  let failures = 1;
  const activities = tenantErasureActivities({
    db: api.db,
    storage: {
      ...api.deps.storage,
      delete: async (key) => {
        failures -= 1;
        if (failures >= 0) throw new Error('the storage is away');
        await api.deps.storage.delete(key);
      },
    },
    now: () => new Date(),
    notifyWorkflows: () => undefined,
    endWorkflowsOf: async () => await Promise.resolve(0),
  });
  const step = async <T>(work: () => Promise<T>) => (await new MockActivityEnvironment().run(work)) as T;
  expect(await step(async () => await activities.beginTenantErasure({ id }))).toMatchObject({
    next: 'ERASE',
  });
  // A process that died here leaves the next one the same work.
  expect(await step(async () => await activities.beginTenantErasure({ id }))).toMatchObject({
    next: 'ERASE',
  });
  while (!(await step(async () => await activities.eraseRecordsOfTenant({ id }))).isDone);
  await expect(step(async () => await activities.emptyTenant({ id }))).rejects.toThrow('away');
  expect(await step(async () => await activities.destroyTenantKeys({ id }))).toEqual({ isDone: false });
  while (!(await step(async () => await activities.emptyTenant({ id }))).isDone);
  while (!(await step(async () => await activities.destroyTenantKeys({ id }))).isDone);
  expect(await step(async () => await activities.destroyTenantKeys({ id }))).toEqual({ isDone: true });
  await step(async () => await activities.completeTenantErasure({ id }));
  expect(await step(async () => await activities.eraseRecordsOfTenant({ id }))).toEqual({
    erased: 0,
    isDone: true,
  });
}

test('of a tenant that is planted everywhere nothing is left in database and files, and the others have all of theirs', async () => {
  const { plan, approve, fireTimer, read } = erasuresOf(api);
  expect(foundIn(await rowsLeft(), planted()).length).toBeGreaterThan(8);
  expect(await storedFiles()).toBeGreaterThan(1);
  const { body: list } = await friend.get<{ id: string }[]>('/transactions');
  const friendsRecords = await Promise.all(list.map(async ({ id }) => await readTransaction(friend, id)));
  while (await chainEntries(api.db, new Date()));

  const { body: planned } = await plan(tenant.id, { override: true });
  await approve(tenant.id, { override: true });
  await fireTimer(tenant.id);
  await run(planned.id);

  expect((await read(tenant.id)).body).toMatchObject({
    state: 'ERASED',
    plannedBy: 'ada',
    approvedBy: 'ben',
    override: true,
    reason: 'The contract has ended.',
    legalHolds: 1,
    erased: { claims: 1, verifications: 4 },
  });
  expect(foundIn(await rowsLeft(), planted())).toEqual([]);
  expect(await storedFiles()).toBe(0);
  await expect(api.db.vault.tenantKeys(tenant.id)).rejects.toThrow(NoTenantKeys);

  expect((await verifyEvents(api.db)).faults).toEqual([]);
  while (await chainEntries(api.db, new Date()));
  expect((await checkAuditLogs(api.db)).faults).toEqual([]);
  const later = new Date(Date.now() + 3 * 24 * 3_600_000);
  while (await sealOldestDay(api.db, later));
  expect((await checkSeals(api.db, later)).faults).toEqual([]);
  expect((await checkTenantKeys(api.db, () => undefined)).closed).toEqual([]);
  for await (const objects of listStoredObjects(database.pool)) expect(objects).toEqual([]);

  const kept = await Promise.all(list.map(async ({ id }) => await readTransaction(friend, id)));
  expect(
    kept.map(({ originator, beneficiary, amountDecimal }) => [originator, beneficiary, amountDecimal]),
  ).toEqual(
    friendsRecords.map(({ originator, beneficiary, amountDecimal }) => [
      originator,
      beneficiary,
      amountDecimal,
    ]),
  );
  for (const { id } of list)
    expect((await friend.patch(`/transactions/${id}`, { metadata: 'on' })).status).toBe(200);
});

test('what stays of it are ids, times, kinds, amounts and hashes', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'tenant_id' order by table_name`,
  );
  const left: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await database.pool.query(`select 1 from ${name} where tenant_id = $1 limit 1`, [
      tenant.id,
    ]);
    if (rowCount) left.push(name);
  }
  expect(left).toEqual([
    'audit_batches',
    'audit_entries',
    'audit_heads',
    'claims',
    'event_seals',
    'events',
    'payload_versions',
    'rule_configurations',
    'rule_versions',
    'tenant_erasures',
    'transactions',
    'verifications',
  ]);
});
