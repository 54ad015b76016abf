import type { EventView } from '../../domain/events/schema.ts';
import type { FiatPrice } from '../../domain/transactions/fiat.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { WalletVerification } from '../../domain/verifications/schema.ts';
import { workflowId } from '../../workflows/contract.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { evmAddress } from '../factories/transaction.ts';
import {
  createVerification,
  evmWallet,
  readVerification,
  signedFor,
  submit,
} from '../factories/verification.ts';
import { recordHistory } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { DAY_MS } from '../../domain/durations.ts';

const ETH = { usd: '4000', eur: '3600', source: 'test', pricedAt: new Date() };
const prices: Record<string, FiatPrice> = { ETH };
/** More than a thousand euro. */
const ABOVE = '0.5';
const BELOW = '0.1';

let system: TestSystem;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  system = await startTestSystem({ prices });
});
beforeEach(async () => {
  [tenant, other] = await Promise.all([createTenant(system), createTenant(system)]);
});
afterEach(() => {
  system.clock.offsetMs = 0;
});
afterAll(async () => await system.stop());

type Wallet = ReturnType<typeof evmWallet>;

async function make(body: Json, by = tenant): Promise<Transaction> {
  const answer = await by.post<Transaction>('/transactions', { asset: 'ETH', ...body });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
const payout = async (destination: string, body: Json = {}, by = tenant) =>
  await make(
    { amount: ABOVE, blockchainInfo: { destination, destinationType: 'NON_CUSTODIAL' }, ...body },
    by,
  );
const deposit = async (origin: string, body: Json = {}, by = tenant) => {
  const place = {
    origin,
    originType: 'NON_CUSTODIAL',
    destination: evmAddress(),
    destinationType: 'CUSTODIAL',
  };
  return await make({ direction: 'INCOMING', amount: ABOVE, blockchainInfo: place, ...body }, by);
};

async function prove(wallet: Wallet, overrides: Json = {}, by = tenant): Promise<WalletVerification> {
  const made = await createVerification(by, { address: wallet.address, ...overrides });
  const answer = await submit(by, made.id, await signedFor(wallet, made));
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
async function declare(address: string): Promise<WalletVerification> {
  const made = await createVerification(tenant, { address });
  return (await submit(tenant, made.id, { verificationFlow: 'SELF_DECLARED' })).body;
}

const read = async ({ id }: { id: string }, by = tenant) =>
  (await by.get<Transaction>(`/transactions/${id}`)).body;
const becomes = async (sent: { id: string }, status: string, subStatus: string | null, by = tenant) =>
  await eventually(
    async () => await read(sent, by),
    (now) => now.status === status && now.subStatus === subStatus,
  );
/** Waits for its owner, and its workflow has looked. */
async function waits(sent: { id: string }, by = tenant): Promise<Transaction> {
  const now = await becomes(sent, 'PENDING', 'OWNERSHIP_UNCONFIRMED', by);
  await eventually(
    async () =>
      await system.db.pool.query<{ later: boolean | null }>(
        'select wake_at > now() as later from transactions where id = $1',
        [sent.id],
      ),
    ({ rows }) => rows[0]?.later !== false,
  );
  return now;
}
const eventsOf = async ({ id }: { id: string }, by = tenant) =>
  (await by.get<EventView[]>(`/transactions/${id}/events`)).body;
const ended = async ({ id }: { id: string }): Promise<unknown> =>
  await eventually<unknown>(
    async () => await system.client.workflow.getHandle(workflowId('transactionLifecycle', id)).result(),
    () => true,
  );

describe.each([
  ['a payout to', payout],
  ['a deposit from', deposit],
])('%s a self-hosted wallet', (what, send) => {
  test('that the tenant has had proven is confirmed at once, by that verification', async () => {
    const wallet = evmWallet();
    const { id } = await prove(wallet);
    const sent = await send(wallet.address.toLowerCase());
    const now = await becomes(sent, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
    expect(now.clearance).toMatchObject({ outcome: 'GO', nextAction: 'ADD_HASH' });
    expect(now.blockchainInfo.isDestinationConfirmed).toBe(send === payout ? true : null);
    expect((await eventsOf(sent))[0]).toMatchObject({
      type: 'STATUS_CHANGED',
      actor: 'SYSTEM',
      basis: { kind: 'VERIFICATION', id },
    });
    expect(await ended(sent)).toBe('CONFIRMED');
  });

  test('waits for a proof above the threshold and is confirmed by the one that comes', async () => {
    const wallet = evmWallet();
    const sent = await send(wallet.address);
    const now = await waits(sent);
    expect(now.clearance).toEqual({
      outcome: 'WAIT',
      reasons: ['PENDING', 'OWNERSHIP_UNCONFIRMED'],
      nextAction: 'PROVE_OWNERSHIP',
      deadlineAt: null,
    });
    const { id } = await prove(wallet);
    await becomes(sent, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
    expect((await eventsOf(sent))[0]).toMatchObject({ basis: { kind: 'VERIFICATION', id } });
    expect(await ended(sent)).toBe('CONFIRMED');
    await recordHistory(
      system.client,
      'transactionLifecycle',
      sent.id,
      `self-hosted-${what.split(' ')[1]}-proven`,
    );
  });

  test('waits longer than any answer is waited for, and its tenant ends it', async () => {
    const sent = await send(evmAddress());
    await waits(sent);
    system.clock.offsetMs = 200 * DAY_MS;
    await system.wake('transactionLifecycle', sent.id);
    await eventually(
      async () =>
        await system.db.pool.query<{ wake_at: Date | null }>(
          'select wake_at from transactions where id = $1',
          [sent.id],
        ),
      ({ rows }) => rows[0]?.wake_at === null,
    );
    expect(await read(sent)).toMatchObject({ status: 'PENDING', subStatus: 'OWNERSHIP_UNCONFIRMED' });
    const status = send === payout ? 'CANCELLED' : 'DECLINED';
    expect((await tenant.patch(`/transactions/${sent.id}`, { status })).status).toBe(200);
    expect(await ended(sent)).toBe(status);
  });

  test('is looked after no more when it is deleted', async () => {
    const sent = await send(evmAddress());
    await waits(sent);
    await tenant.delete(`/transactions/${sent.id}`);
    expect(await ended(sent)).toBe('DELETED');
  });

  test('is confirmed by the setting up to the threshold, and says so', async () => {
    const sent = await send(evmAddress(), { amount: BELOW });
    await becomes(sent, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
    expect((await eventsOf(sent))[0]).toMatchObject({ basis: { kind: 'AUTO_SELF_HOSTED', id: null } });
  });

  test('is confirmed by no proof of another tenant, wallet or chain', async () => {
    const wallet = evmWallet();
    await prove(wallet, {}, other);
    await prove(evmWallet());
    await prove(wallet, { blockchain: 'Polygon' });
    const sent = await send(wallet.address);
    await waits(sent);
    const queued = async () =>
      (await system.db.pool.query('select 1 from outbox where subject_id = $1', [sent.id])).rowCount;
    // That of its creation goes once Temporal has answered, which may be later than the first look of its workflow.
    await eventually(queued, (count) => count === 0);
    await prove(wallet, {}, other);
    await prove(wallet, { blockchain: 'Polygon' });
    expect(await queued()).toBe(0);
    expect(await read(sent)).toMatchObject({
      status: 'PENDING',
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      version: (await waits(sent)).version,
    });
  });
});

describe('above the threshold', () => {
  test('a word is not enough and is named as such; below, where nothing is automatic, it is', async () => {
    const address = evmAddress();
    await tenant.patch('/tenant/me/settings', { autoConfirmSelfHosted: false });
    const above = await payout(address);
    const below = await payout(address, { amount: BELOW });
    await waits(above);
    await waits(below);
    const { id } = await declare(address);
    await becomes(below, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
    const events = await eventually(
      async () => await eventsOf(above),
      (log) => log[0]?.type === 'PROOF_NOT_ACCEPTED',
    );
    expect(events[0]?.data).toEqual({
      need: 'ABOVE_THRESHOLD',
      lack: 'FLOW_NOT_ACCEPTED',
      verificationId: id,
    });
    expect((await read(above)).status).toBe('PENDING');
  });

  test('a proof that is too old does not count, a new one does', async () => {
    const wallet = evmWallet();
    const { id } = await prove(wallet);
    await system.db.pool.query(
      `update verifications set verified_at = now() - interval '31 days' where id = $1`,
      [id],
    );
    await tenant.patch('/tenant/me/settings', { selfHosted: { maxProofAgeDays: 30 } });
    const sent = await payout(wallet.address);
    await waits(sent);
    expect((await eventsOf(sent))[0]?.data).toEqual({ need: 'ABOVE_THRESHOLD', lack: 'PROOF_TOO_OLD' });
    await prove(wallet);
    await becomes(sent, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
  });

  test('the proof must carry the customer that the transfer names; a transfer may name them later', async () => {
    const wallet = evmWallet();
    await prove(wallet, { customerIdentification: 'C-2' });
    const sent = await payout(wallet.address, { originator: { customerIdentification: 'C-1' } });
    await waits(sent);
    expect((await eventsOf(sent))[0]?.data).toMatchObject({ lack: 'OTHER_CUSTOMER' });
    await tenant.patch(`/transactions/${sent.id}`, { originator: { customerIdentification: 'C-2' } });
    await becomes(sent, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
  });

  test('a proof that a reviewer accepts releases what waits', async () => {
    const made = await createVerification(tenant, { allowedFlows: ['VISUAL_PROOF'] });
    const sent = await payout(made.address);
    await waits(sent);
    await system.db.pool.query(
      `update verifications set status = 'ACTION_REQUIRED', flow = 'VISUAL_PROOF' where id = $1`,
      [made.id],
    );
    await tenant.patch(`/wallet-verification/${made.id}`, { status: 'VERIFIED' });
    await becomes(sent, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
  });

  test('a value that becomes known is decided anew', async () => {
    const sent = await payout(evmAddress(), { asset: 'LATER', amount: '5' });
    await waits(sent);
    expect((await eventsOf(sent))[0]?.data).toEqual({ need: 'VALUE_UNKNOWN', lack: 'NO_PROOF' });
    prices['LATER'] = { usd: '1', eur: '1', source: 'test', pricedAt: new Date() };
    await system.wake('transactionLifecycle', sent.id);
    await becomes(sent, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
  });
});

describe('a proof that is taken back', () => {
  test('confirms nothing any more; what it confirmed stays', async () => {
    const wallet = evmWallet();
    const { id } = await prove(wallet);
    const done = await payout(wallet.address);
    await becomes(done, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
    await tenant.post(`/wallet-verification/${id}/revoke`, { reason: 'mistaken' });
    const next = await payout(wallet.address);
    await waits(next);
    expect((await eventsOf(next))[0]?.data).toMatchObject({ lack: 'NO_PROOF' });
    expect((await read(done)).status).toBe('CONFIRMED');
  });

  test('is told to the tenant that relies on it, by webhook and with its risk, and confirms no large transfer there', async () => {
    const reuse = { subject: { type: 'NATURAL', nameHash: 'ab'.repeat(32) }, policy: {} };
    const wallet = evmWallet();
    const source = await prove(wallet, { reuse }, other);
    const taken = await createVerification(tenant, { address: wallet.address, reuse });
    expect(taken.status).toBe('VERIFIED');
    const sent = await payout(wallet.address);
    await becomes(sent, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
    expect((await eventsOf(sent))[0]?.basis).toMatchObject({ kind: 'VERIFICATION', id: taken.id });
    await tenant.patch('/tenant/me', { webhookUrl: 'https://tenant.example/hook' });
    await other.delete(`/wallet-verification/${source.id}`);
    const warned = await eventually(
      async () => await readVerification(tenant, taken.id),
      ({ warnings }) => warnings.length > 0,
    );
    expect(warned).toMatchObject({
      status: 'VERIFIED',
      warnings: ['REUSE_SOURCE_WITHDRAWN'],
      riskSeverity: 'medium',
    });
    const { rows } = await system.db.pool.query<{ kind: string; resource_version: number }>(
      'select kind, resource_version from webhook_deliveries where tenant_id = $1 and resource_id = $2',
      [tenant.id, taken.id],
    );
    expect(rows).toEqual([{ kind: 'wallet-verification', resource_version: warned.version }]);
    const log = (await tenant.get<EventView[]>(`/wallet-verification/${taken.id}/events`)).body;
    expect(log.map(({ type }) => type)).toEqual(['REUSE_SOURCE_WITHDRAWN', 'PROOF_REUSED', 'CREATED']);
    const large = await payout(wallet.address);
    await waits(large);
    expect((await eventsOf(large))[0]?.data).toMatchObject({ lack: 'PROOF_DOUBTED' });
    const small = await payout(wallet.address, { amount: BELOW });
    await becomes(small, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
  });
});

test('of transfers and proofs that are made at the same moment none is left waiting', async () => {
  const sent: Transaction[] = [];
  for (let round = 0; round < 12; round += 1) {
    const wallet = evmWallet();
    const [transfer] = await Promise.all([payout(wallet.address), prove(wallet)]);
    sent.push(transfer);
  }
  for (const transfer of sent) await becomes(transfer, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
});

test('one proof releases everything that waits for the wallet, and nothing else is touched', async () => {
  const wallet = evmWallet();
  const waiting = [await payout(wallet.address), await deposit(wallet.address), await payout(wallet.address)];
  const elsewhere = await payout(evmAddress());
  const foreign = await payout(wallet.address, {}, other);
  for (const transfer of waiting) await waits(transfer);
  const before = [await waits(elsewhere), await waits(foreign, other)];
  await prove(wallet);
  for (const transfer of waiting) await becomes(transfer, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
  expect([await read(elsewhere), await read(foreign, other)]).toEqual(before);
});

test('operators see a transfer that waits for its owner, without a deadline', async () => {
  const sent = await payout(evmAddress());
  await waits(sent);
  const query = `TrSubject = '${sent.id}' AND TrWaitingFor = 'OWNERSHIP_PROOF' AND TrDeadline IS NULL`;
  const found = await eventually(
    async () => {
      const ids: string[] = [];
      for await (const { workflowId: id } of system.client.workflow.list({ query })) ids.push(id);
      return ids;
    },
    (ids) => ids.length > 0,
  );
  expect(found).toEqual([workflowId('transactionLifecycle', sent.id)]);
});
