import { noRequests } from '../../fakes/no-requests.ts';
import { transactionActivities } from '../../../activities/transactions/transaction-activities.ts';
import { messageNetworks } from '../../../activities/network/networks.ts';
import { TEST_MAILS } from '../../factories/test-mails.ts';
import type { Database } from '../../../db/database.ts';
import { applyImport } from '../../../db/entities/apply-import.ts';
import { loadBundledEntities } from '../../../db/entities/load-bundled.ts';
import { stageRows } from '../../../db/entities/stage-import.ts';
import { newId } from '../../../db/new-id.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { createTenant as storeTenant } from '../../../db/tenants/create-tenant.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { readImportValues } from '../../../domain/entities/import-row.ts';
import { holdCommit, untilSomebodyWaits } from '../../factories/hold-commit.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import {
  createMessagePair,
  createTransaction,
  letPass,
  markUnrouted,
  readTransaction,
} from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });
const sender = useTenant(api);
const receiver = useTenant(api, { name: 'Hafen Bank' });
let receiverEntityId: string;
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
  await untilListsLoaded(api, sender.id);
  receiverEntityId = (await sender.get('/entities/lookup?name=hafen%20bank')).body['id'] as string;
});

/** Imports an entity into the directory: another name of the receiver, or of nobody that is known. */
async function importNamed(name: string, db: Database = api.db, masterEntityId = receiverEntityId) {
  const now = new Date();
  const place = { id: newId(now), begunAt: now };
  const values = { name, type: 'bank', ...(masterEntityId && { masterEntityId }) };
  const { entity } = readImportValues(values, { row: 1, source: 'TEST', now });
  await stageRows(api.db, place, entity ? [entity] : []);
  return await inTransaction(db.pool, async (tx) => await applyImport(tx, place));
}
const importUnknown = async (name: string, db?: Database) => await importNamed(name, db, '');

const storeNamed = async (name: string, db: Database = api.db) =>
  await inTransaction(
    db.pool,
    async (tx) => await storeTenant(db, tx, { body: { name }, environment: 'sandbox', now: new Date() }),
  );

/** A screened message that names a VASP. */
async function sendTo(beneficiaryVaspName: string) {
  const { id } = await createTransaction(sender, { vaspInfo: { beneficiaryVaspName } });
  await letPass(api.db, id);
  return await getTransaction(api.db, sender.id, id);
}

/** What the workflow of a message does when it wakes. */
async function advance(id: string) {
  const deps = releaseDeps(api);
  const networks = messageNetworks(deps, TEST_MAILS);
  return await transactionActivities({
    ...deps,
    networks,
    http: noRequests,
    priceOf: () => undefined,
    startedAt: new Date(),
  }).advanceTransaction({
    id,
  });
}

/** A database whose transactions are held open just before they commit. */
const holding = () => holdCommit(api.db);

describe('an import of the directory', () => {
  test('wakes a message that found nobody and was not committed as such yet', async () => {
    const record = await sendTo('Marked Before');
    const mark = holding();
    const marked = markUnrouted(mark.db, record);
    await mark.held;
    const imported = importNamed('Marked Before');
    await untilSomebodyWaits(database.pool);
    mark.go();
    expect(await marked).toBeNull();
    expect((await imported).outbox).toMatchObject([{ subjectId: record.id }]);
    expect((await advance(record.id)).plan.status).toBe('DELIVERED');
  });

  test('keeps nobody waiting: deliveries go on, and a message that finds nobody is routed again soon', async () => {
    const record = await sendTo('Looked For Meanwhile');
    const file = holding();
    const imported = importNamed('Looked For Meanwhile', file.db);
    await file.held;
    const { incomingId } = await createMessagePair(api, sender, receiver);
    expect((await readTransaction(receiver, incomingId)).status).toBe('DELIVERED');
    const before = Date.now();
    const { plan } = await advance(record.id);
    expect(plan).toMatchObject({ step: 'WAIT', status: 'PENDING', waitingFor: 'ROUTE' });
    const untilMs = plan.step === 'WAIT' ? plan.untilMs : null;
    expect(untilMs).toBeGreaterThan(before);
    expect(untilMs).toBeLessThan(Date.now() + 10_000);
    expect((await readTransaction(sender, record.id)).subStatus).not.toBe('VASP_NOT_FOUND');
    file.go();
    await imported;
    expect((await advance(record.id)).plan.status).toBe('DELIVERED');
  });

  test('that is rolled back by a crash leaves a message that was routed meanwhile to its next routing', async () => {
    const record = await sendTo('Never Imported');
    const file = holding();
    const imported = importNamed('Never Imported', file.db);
    await file.held;
    expect((await advance(record.id)).plan).toMatchObject({ step: 'WAIT', waitingFor: 'ROUTE' });
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    );
    file.go();
    await expect(imported).rejects.toThrow();
    const { plan } = await advance(record.id);
    expect(plan).toMatchObject({ step: 'WAIT', waitingFor: 'ROUTE' });
    expect((await readTransaction(sender, record.id)).subStatus).toBe('VASP_NOT_FOUND');
  });

  test('does not take a name that a tenant is about to have', async () => {
    const tenant = holding();
    const stored = storeNamed('Claimed By Both', tenant.db);
    await tenant.held;
    const imported = importUnknown('claimed by both');
    imported.catch(() => undefined);
    await untilSomebodyWaits(database.pool);
    tenant.go();
    await stored;
    await expect(imported).rejects.toMatchObject({ code: 'csv_invalid' });
  });

  test('keeps a tenant from taking a name that it is about to give', async () => {
    const file = holding();
    const imported = importUnknown('Given To An Entity', file.db);
    await file.held;
    const stored = storeNamed('given to an entity');
    stored.catch(() => undefined);
    await untilSomebodyWaits(database.pool);
    file.go();
    await imported;
    await expect(stored).rejects.toMatchObject({ code: 'conflict' });
  });
});

test('two processes that start at once load the bundled directory once', async () => {
  const first = holding();
  const loads = [loadBundledEntities(first.db, new Date())];
  await first.held;
  loads.push(loadBundledEntities(api.db, new Date()));
  await untilSomebodyWaits(database.pool);
  first.go();
  expect(await Promise.all(loads)).toEqual([{ created: expect.any(Number) as number, updated: 0 }, null]);
});

test('an entity that gets more than 64 names wakes a message that is just found to have no VASP', async () => {
  const record = await sendTo('alias 69');
  const mark = holding();
  const marked = markUnrouted(mark.db, record);
  await mark.held;
  const aliases = Array.from({ length: 70 }, (_, index) => `Alias ${index}`);
  const told = api.outbox.length;
  const changed = api.request('PATCH', `/operator/entities/${receiverEntityId}`, {
    operatorKey: api.operatorKey,
    body: { aliases },
  });
  await untilSomebodyWaits(database.pool);
  mark.go();
  expect(await marked).toBeNull();
  expect((await changed).status).toBe(200);
  expect(api.outbox.slice(told).map(({ subjectId }) => subjectId)).toContain(record.id);
});
