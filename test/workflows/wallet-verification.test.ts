import { changeVerification } from '../../db/verifications/change-verification.ts';
import { changed } from '../../domain/verifications/change.ts';
import type { WalletVerification } from '../../domain/verifications/schema.ts';
import { attributes, workflowId } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import {
  createVerification,
  evmWallet,
  readVerification,
  signedFor,
  submit,
} from '../factories/verification.ts';
import { recordHistory } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { HOUR_MS } from '../../domain/durations.ts';

let system: TestSystem;
let tenant: TestTenant;

beforeAll(async () => {
  system = await startTestSystem();
  tenant = await createTenant(system);
});
afterAll(async () => await system.stop());
afterEach(() => {
  system.clock.offsetMs = 0;
});

/** Moves time, and makes the workflow notice. */
async function travel(id: string, ms: number): Promise<void> {
  system.clock.offsetMs = ms;
  await system.wake('walletVerification', id);
}

const ended = async (id: string): Promise<unknown> =>
  await eventually<unknown>(
    async () => await system.client.workflow.getHandle(workflowId('walletVerification', id)).result(),
    () => true,
  );

const statusOf = async ({ id }: WalletVerification) => (await readVerification(tenant, id)).status;

const record = async (id: string, name: string) =>
  await recordHistory(system.client, 'walletVerification', id, name);

async function eventTypes(id: string): Promise<string[]> {
  const { body } = await tenant.get<{ type: string }[]>(`/wallet-verification/${id}/events`);
  return body.map(({ type }) => type).toReversed();
}

test('runs from the creation to the proof, and ends', async () => {
  const wallet = evmWallet();
  const made = await createVerification(tenant, { address: wallet.address });
  const running = await eventually(
    async () => await system.client.workflow.getHandle(workflowId('walletVerification', made.id)).describe(),
    () => true,
  );
  expect(running.status.name).toBe('RUNNING');
  expect((await submit(tenant, made.id, await signedFor(wallet, made))).status).toBe(200);
  expect(await ended(made.id)).toBe('VERIFIED');
  await record(made.id, 'verified');
});

test('notes in the log when three quarters of the time are over, and marks what has expired, once', async () => {
  const made = await createVerification(tenant, { expiresInHours: 4 });
  await travel(made.id, 3.1 * HOUR_MS);
  await eventually(
    async () => await eventTypes(made.id),
    (types) => types.includes('EXPIRES_SOON'),
  );
  expect(await statusOf(made)).toBe('PENDING');
  await travel(made.id, 4 * HOUR_MS + 1);
  expect(await ended(made.id)).toBe('FAILED');
  expect(await readVerification(tenant, made.id)).toMatchObject({
    status: 'FAILED',
    failureCode: 'EXPIRED',
    statusReasoning: 'Expired',
  });
  expect(await eventTypes(made.id)).toEqual(['CREATED', 'EXPIRES_SOON', 'EXPIRED']);
  await record(made.id, 'expired');
});

test('a timer that is fired by hand ends the verification at once', async () => {
  const made = await createVerification(tenant);
  expect((await tenant.post(`/sandbox/wallet-verification/${made.id}/fire-timer`)).status).toBe(202);
  expect(await ended(made.id)).toBe('FAILED');
  expect(await eventTypes(made.id)).toEqual(['CREATED', 'TIMER_FIRED', 'EXPIRED']);
});

test('ends with the deletion', async () => {
  const made = await createVerification(tenant);
  await tenant.delete(`/wallet-verification/${made.id}`);
  expect(await ended(made.id)).toBe('DELETED');
  await record(made.id, 'deleted');
});

test('waits for a reviewer as long as it takes, and ends with the decision', async () => {
  const made = await createVerification(tenant);
  const { outbox } = await changeVerification(system.db, {
    tenantId: tenant.id,
    id: made.id,
    now: new Date(),
    decide: (own) =>
      changed(
        own,
        { status: 'ACTION_REQUIRED', flow: 'VISUAL_PROOF', wakeAt: null },
        { type: 'PROOF_SUBMITTED', message: 'To be looked at.', actor: { kind: 'SYSTEM' } },
      ),
  });
  system.deps.notifyWorkflows(outbox);
  const handle = system.client.workflow.getHandle(workflowId('walletVerification', made.id));
  const waiting = await eventually(
    async () => (await handle.describe()).typedSearchAttributes.get(attributes.waitingFor),
    (waitingFor) => waitingFor === 'REVIEW',
  );
  expect(waiting).toBe('REVIEW');
  await record(made.id, 'waits-for-a-reviewer');
  await travel(made.id, 500 * HOUR_MS);
  expect((await tenant.patch(`/wallet-verification/${made.id}`, { status: 'VERIFIED' })).status).toBe(200);
  expect(await ended(made.id)).toBe('VERIFIED');
  // Tests that move time may come later than the workflow’s own look.
  await system.wake('walletVerification', made.id);
});

test('100 that end in the same minute are all marked, none twice', async () => {
  const made = await Promise.all(
    Array.from({ length: 100 }, async () => await createVerification(tenant, { expiresInHours: 1 })),
  );
  await eventually(
    async () => (await system.db.pool.query('select 1 from outbox')).rowCount,
    (count) => count === 0,
  );
  system.clock.offsetMs = 1.1 * HOUR_MS;
  await Promise.all(made.map(async ({ id }) => await system.wake('walletVerification', id)));
  expect(new Set(await Promise.all(made.map(async ({ id }) => await ended(id))))).toEqual(
    new Set(['FAILED']),
  );
  const { rows } = await system.db.pool.query<{ marks: number }>(
    `select count(*)::int as marks from events where type = 'EXPIRED' and subject_id = any($1::uuid[]) group by subject_id`,
    [made.map(({ id }) => id)],
  );
  expect(rows.map(({ marks }) => marks)).toEqual(Array.from({ length: 100 }, () => 1));
});

test('is given back to what lost its workflow', async () => {
  const made = await createVerification(tenant, { expiresInHours: 1 });
  const handle = system.client.workflow.getHandle(workflowId('walletVerification', made.id));
  await eventually(
    async () => await handle.describe(),
    () => true,
  );
  await handle.terminate('lost');
  await system.db.pool.query(
    `update verifications set expires_at = now() - interval '10 minutes', wake_at = now() - interval '2 minutes' where id = $1`,
    [made.id],
  );
  await system.sweep();
  await eventually(
    async () => await statusOf(made),
    (status) => status === 'FAILED',
  );
});
