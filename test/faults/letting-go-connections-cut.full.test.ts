import { exportActivities } from '../../activities/exports/export-activities.ts';
import { housekeepingActivities } from '../../activities/housekeeping/remove-expired.ts';
import { retentionActivities } from '../../activities/retention/retention-activities.ts';
import { tenantErasureActivities } from '../../activities/tenant-erasures/erasure-activities.ts';
import { verifyEvents } from '../../db/events/verify-events.ts';
import { ERASED_KINDS } from '../../domain/record-retention/kept-record.ts';
import type { Json } from '../api-client.ts';
import { createClaim } from '../factories/claim.ts';
import { formOf, png } from '../factories/evidence.ts';
import { fileOfExport, type ShownExport } from '../factories/exports.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { erasuresOf, NAMED_OPERATORS } from '../factories/tenant-erasure.ts';
import { createMessagePair, createTransaction, readTransaction } from '../factories/transaction.ts';
import { createVerification } from '../factories/verification.ts';
import { dumpOf, foundIn } from '../factories/what-is-left.ts';
import { useApi } from '../use-api.ts';
import { openCutWorker, untilDone, type CutWorker } from './cut-worker.ts';
import { expectSameEnds } from './stories.ts';

// The worker loses its database connection at each statement while it erases records and tenants, and makes exports.

const { api, database } = useApi({ config: { OPERATOR_KEYS: NAMED_OPERATORS } });
let worker: CutWorker;
let friend: TestTenant;

beforeAll(async () => {
  worker = await openCutWorker(api, database);
  friend = await createTenant(api);
});
afterAll(async () => await worker.close());

const NAME = 'Theobald Whortleberry';
const SEVEN_YEARS_MS = 7 * 366 * 24 * 3_600_000;
const PNG = { fileName: 'whortleberry.png', content: png() };

const lettingGo = () => ({
  db: worker.db,
  storage: api.deps.storage,
  now: worker.deps.now,
  notifyWorkflows: () => undefined,
});

/** A message to the friend, a claim with its deposit, and a proof with a file: records of each kind. */
async function plant(tenant: TestTenant): Promise<{ receivedId: string }> {
  const parties = { originator: { name: NAME }, beneficiary: { name: NAME } };
  const { incomingId } = await createMessagePair(api, tenant, friend, { body: parties });
  await createClaim(tenant, { beneficiary: { name: NAME } });
  const { id } = await createVerification(tenant, { metadata: NAME });
  const proof = await fetch(`${api.url}/wallet-verification/${id}/verification`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({ verificationFlow: 'VISUAL_PROOF' }, [PNG]),
  });
  expect(proof.status).toBe(200);
  return { receivedId: incomingId };
}

/** SQL: how many rows of tenant $1 each table has, as one JSON object. */
let countRows = '';
beforeAll(async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'tenant_id' and t.table_type = 'BASE TABLE' order by 1`,
  );
  const counts = rows.map(({ name }) => `'${name}', (select count(*) from ${name} where tenant_id = $1)`);
  // A function takes a hundred arguments at most.
  const objects = counts.map((count) => `jsonb_build_object(${count})`).join(' || ');
  countRows = `select ${objects} as counts`;
});

/** The number of rows of a tenant in each table that has some. */
async function rowsOf({ id }: TestTenant): Promise<Json> {
  const { rows } = await database.pool.query<{ counts: Record<string, number> }>(countRows, [id]);
  return Object.fromEntries(Object.entries(rows[0]?.counts ?? {}).filter(([, count]) => count > 0));
}

const planted = async () => foundIn(await dumpOf(database.pool), ['Whortleberry']);

test('records past their time are erased', async () => {
  const end = await expectSameEnds(worker, async () => {
    const tenant = await createTenant(api);
    await plant(tenant);
    const steps = retentionActivities(lettingGo());
    return async () => {
      worker.clock.offsetMs = SEVEN_YEARS_MS;
      for (const what of ERASED_KINDS) {
        for (let after: Json | null | undefined; after !== null;) {
          const from = (after ?? null) as Parameters<typeof steps.eraseNext>[0]['after'];
          ({ after } = (await untilDone(async () => await steps.eraseNext({ what, after: from }))) as {
            after: Json | null;
          });
        }
      }
      return { rows: await rowsOf(tenant), planted: await planted() };
    };
  });
  expect(end).toMatchObject({
    planted: [],
    rows: { transactions: 2, claims: 1, verifications: 1 },
  });
});

test('a tenant is erased', async () => {
  const { plan, approve, fireTimer, read } = erasuresOf(api);
  const end = await expectSameEnds(
    worker,
    async () => {
      const tenant = await createTenant(api);
      const { receivedId } = await plant(tenant);
      const { id } = (await plan(tenant.id, { override: true })).body;
      expect((await approve(tenant.id, { override: true })).status).toBe(200);
      expect((await fireTimer(tenant.id)).status).toBe(202);
      // No Temporal server is here that could have workflows of the tenant.
      const endWorkflowsOf = async () => await Promise.resolve(0);
      const steps = tenantErasureActivities({ ...lettingGo(), endWorkflowsOf });
      const isDone = async (step: () => Promise<{ isDone: boolean }>) => (await untilDone(step)).isDone;
      return async () => {
        const { next } = await untilDone(async () => await steps.beginTenantErasure({ id }));
        expect(next).toBe('ERASE');
        do {
          while (!(await isDone(async () => await steps.eraseRecordsOfTenant({ id }))));
          while (!(await isDone(async () => await steps.emptyTenant({ id }))));
        } while (!(await isDone(async () => await steps.destroyTenantKeys({ id }))));
        await untilDone(async () => await steps.endWorkflowsOfTenant({ id }));
        await untilDone(async () => await steps.completeTenantErasure({ id }));
        const { state, erased } = (await read(tenant.id)).body;
        const { originator } = await readTransaction(friend, receivedId);
        return { state, erased, originator, rows: await rowsOf(tenant) };
      };
    },
    { isLong: true },
  );
  expect((await verifyEvents(api.db)).faults).toEqual([]);
  expect(end).toMatchObject({
    state: 'ERASED',
    erased: { transactions: 2, claims: 1, verifications: 1 },
    originator: { name: NAME },
  });
});

test('an export is made, and removed when its time is over', async () => {
  const end = await expectSameEnds(worker, async () => {
    const tenant = await createTenant(api);
    await createTransaction(tenant, { originator: { name: NAME } });
    const asked = await tenant.post<ShownExport>('/exports', {
      resource: 'transactions',
      format: 'JSON',
      purpose: 'For a test.',
    });
    expect(asked.status).toBe(202);
    const { id } = asked.body;
    const steps = exportActivities(lettingGo());
    return async () => {
      await untilDone(async () => await steps.makeExport({ id }));
      const shown = (await tenant.get<ShownExport>(`/exports/${id}`)).body;
      const isWhole = (await fileOfExport(api, tenant, shown)).includes(NAME);
      const { rows: keys } = await database.pool.query<{ object_key: string }>(
        'select object_key from exports where id = $1',
        [id],
      );
      worker.clock.offsetMs = SEVEN_YEARS_MS;
      const housekeeping = housekeepingActivities(lettingGo());
      await untilDone(async () => await housekeeping.removeExpired({ what: 'abandonedFiles' }));
      const left = await api.deps.storage.get(String(keys[0]?.object_key)).then(
        () => 'still there',
        (error: Error) => error.name,
      );
      const { status } = await tenant.get(`/exports/${id}`);
      return { status: shown.status, rows: shown.rows, isWhole, left, after: status };
    };
  });
  expect(end).toEqual({ status: 'READY', rows: 1, isWhole: true, left: 'ObjectMissing', after: 404 });
});
