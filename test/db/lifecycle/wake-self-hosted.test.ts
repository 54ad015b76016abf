import { randomUUID } from 'node:crypto';
import { findWalletProofs } from '../../../db/verifications/find-wallet-proofs.ts';
import { wakeSelfHosted } from '../../../db/transactions/wake-self-hosted.ts';
import type { Queryable } from '../../../db/postgres.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { bulkTenants, bulkTransactions } from '../../factories/bulk-rows.ts';
import type { TestTenant } from '../../factories/tenant.ts';
import { evmAddress } from '../../factories/transaction.ts';
import { createVerification, submit } from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
const other = useTenant(api);

const NOW = new Date('2030-01-01T00:00:00.000Z');

async function make(by: TestTenant, blockchainInfo: Json, direction = 'OUTGOING'): Promise<string> {
  const answer = await by.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: '1',
    direction,
    blockchainInfo,
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}
const set = async (id: string, fields: string) =>
  await database.pool.query(`update transactions set ${fields} where id = $1`, [id]);

test('wakes what waits for this wallet on this chain, in both directions, and of this tenant alone', async () => {
  const address = evmAddress();
  const to = { destination: address, destinationType: 'NON_CUSTODIAL' };
  const from = {
    origin: address,
    originType: 'NON_CUSTODIAL',
    destination: evmAddress(),
    destinationType: 'CUSTODIAL',
  };
  const waiting = [await make(tenant, to), await make(tenant, from, 'INCOMING')];
  await set(waiting[0] ?? '', `awaits_proof = true, wake_at = null`);
  const undecided = await make(tenant, to);
  const left = [
    await make(other, to),
    await make(tenant, { ...to, blockchain: 'Polygon' }),
    await make(tenant, { ...to, destinationType: 'CUSTODIAL' }),
    await make(tenant, { ...from, originType: 'CUSTODIAL' }, 'INCOMING'),
    await make(tenant, { ...to, origin: address, destination: evmAddress(), destinationType: 'CUSTODIAL' }),
    await make(tenant, { destination: evmAddress(), destinationType: 'NON_CUSTODIAL' }),
  ];
  const ended = [await make(tenant, to), await make(tenant, to), await make(tenant, to)];
  await set(ended[0] ?? '', `status = 'CONFIRMED'`);
  await set(ended[1] ?? '', `hold = 'RULE'`);
  await set(ended[2] ?? '', `deleted_at = now()`);
  const outbox = await wakeSelfHosted(
    database.pool,
    [{ tenantId: tenant.id, addressNormal: address, blockchainKey: 'Ethereum', isProven: true }],
    NOW,
  );
  const woken = [...waiting, undecided];
  expect(outbox.map(({ subjectId }) => subjectId).sort()).toEqual(woken.toSorted());
  expect(outbox.map(({ summary }) => summary).sort()).toEqual([
    'Deposit of ETH',
    'Outgoing ETH',
    'Outgoing ETH',
  ]);
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from transactions where wake_at = $1',
    [NOW],
  );
  expect(rows.map(({ id }) => id).sort()).toEqual(woken.toSorted());
  expect([...left, ...ended].some((id) => woken.includes(id))).toBe(false);
});

test('nothing proven asks nothing', async () => {
  const untouched: Queryable = { query: async () => await Promise.reject(new Error('asked')) };
  expect(await wakeSelfHosted(untouched, [], NOW)).toEqual([]);
});

async function planOf(run: (db: Queryable) => Promise<unknown>): Promise<string> {
  const query = jest.spyOn(database.pool, 'query');
  await run(database.pool);
  const [asked] = query.mock.calls.map(([call]) => call as unknown as { text: string; values: unknown[] });
  query.mockRestore();
  if (!asked) throw new Error('nothing was asked');
  const { text, values } = asked;
  const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

test('both looks are at an index, whatever is stored', async () => {
  await bulkTransactions(database.pool, [tenant.id, ...(await bulkTenants(database.pool, 2))], {
    count: 20_000,
    wakeAt: 'null',
  });
  const made = await createVerification(tenant);
  await submit(tenant, made.id, { verificationFlow: 'SELF_DECLARED' });
  await database.pool.query(
    `insert into verifications select (jsonb_populate_record(v, jsonb_build_object('id', gen_random_uuid(),
       'address_normal', 'other' || n))).* from verifications v, generate_series(1, 3000) n where v.id = $1`,
    [made.id],
  );
  await database.pool.query('analyze transactions, verifications');
  const wallet = { tenantId: tenant.id, addressNormal: evmAddress(), blockchainKey: 'Ethereum' };
  const proven = { ...wallet, isProven: true };
  const wake = await planOf(async (db) => await wakeSelfHosted(db, [proven], NOW));
  expect(wake).toContain('transactions_unproven_destination');
  expect(wake).toContain('transactions_unproven_origin');
  expect(wake).not.toContain('Seq Scan');
  const proofs = await planOf(async (db) => await findWalletProofs(api.db, db, tenant.id, proven));
  expect(proofs).toMatch(/verifications_(proven|address)/);
  expect(proofs).not.toContain('Seq Scan');
});

test('a wallet without address or chain has no proofs, and nobody is asked', async () => {
  const untouched: Queryable = { query: async () => await Promise.reject(new Error('asked')) };
  for (const place of [
    { addressNormal: null, blockchainKey: 'Ethereum' },
    { addressNormal: evmAddress(), blockchainKey: null },
  ]) {
    expect(await findWalletProofs(api.db, untouched, randomUUID(), place)).toEqual([]);
  }
});
