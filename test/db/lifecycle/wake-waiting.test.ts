import { randomBytes } from 'node:crypto';
import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { wakeUnrouted } from '../../../db/transactions/wake-unrouted.ts';
import { planOf } from '../../../domain/transactions/lifecycle/next-step.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { judgeTransaction } from '../../../transaction-screening/judge-transaction.ts';
import type { Json } from '../../api-client.ts';
import { bulkTenants, bulkTransactions } from '../../factories/bulk-rows.ts';
import { eventually } from '../../eventually.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, deliver, readTransaction, registerWallet } from '../../factories/transaction.ts';
import { createVerification, submit } from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });
const tenant = useTenantPerTest(api);
beforeAll(async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')])));

const named = () => `Newcomer ${randomBytes(4).toString('hex')}`;

async function screen(of: TestTenant, id: string): Promise<void> {
  const judged = await eventually(
    async () => {
      const open = await findOpenTransaction(api.db, of.id, id);
      if (!open) throw new Error('no such transaction');
      return await judgeTransaction(releaseDeps(api), open, undefined);
    },
    ({ kind }) => kind === 'JUDGED',
  );
  if (judged.kind === 'JUDGED') await settleScreening(api.db, judged.settlement);
}

async function publish(of: TestTenant, direction: 'OUTGOING' | 'INCOMING', conditions: Json): Promise<void> {
  const { id } = (await configurations(of))[direction];
  const rules = [rule({ conditions, decision: 'WAIT', waitMinutes: 600 })];
  expect((await draft(of, id, rules, { defaultDecision: 'PROCEED' })).status).toBe(200);
  expect((await of.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
}

/** A message that waits under a rule with these conditions. */
async function waiting(
  conditions: Json,
  body: Parameters<typeof createTransaction>[1] = {},
): Promise<Transaction> {
  await publish(tenant, 'OUTGOING', conditions);
  const sent = await createTransaction(tenant, {
    originator: { name: 'Anna' },
    beneficiary: { name: 'Jonas' },
    ...body,
  });
  await screen(tenant, sent.id);
  expect((await readTransaction(tenant, sent.id)).subStatus).toBe('WAITING');
  return sent;
}

/** What the workflow does next; a record that was woken is decided again. */
async function decidedAgain(of: TestTenant, { id }: { id: string }): Promise<string | null> {
  const open = await findOpenTransaction(api.db, of.id, id);
  if (!open || planOf(open.record, new Date()).step !== 'SCREEN') return 'not woken';
  expect(api.outbox.some(({ subjectId }) => subjectId === id)).toBe(true);
  await screen(of, id);
  return (await readTransaction(of, id)).subStatus;
}

const NOT_IN_NETWORK = { field: 'counterpartyInNetwork', operator: 'NOT_EXISTS' };
const NOT_ASKED_FOR = { field: 'walletVerificationStatus', operator: 'NOT_EXISTS' };

describe('a transfer that a rule lets wait is decided again', () => {
  test('when the VASP that it names becomes a tenant', async () => {
    const name = named();
    const sent = await waiting(NOT_IN_NETWORK, { vaspInfo: { beneficiaryVaspName: name } });
    await createTenant(api, { name });
    expect(await decidedAgain(tenant, sent)).toBe('ROUTING');
  });

  test('when a tenant registers its destination', async () => {
    const sent = await waiting(NOT_IN_NETWORK);
    await registerWallet(await createTenant(api), sent.blockchainInfo.destination);
    expect(await decidedAgain(tenant, sent)).toBe('ROUTING');
  });

  const assess = async (vasp: TestTenant) => {
    const path = `/entities/lookup?name=${encodeURIComponent(vasp.name)}`;
    const { id } = (await tenant.get<{ id: string }>(path)).body;
    const body = { riskScore: 95 };
    const patched = await api.request('PATCH', `/operator/entities/${id}`, {
      operatorKey: api.operatorKey,
      body,
    });
    expect([patched.status, patched.body]).toEqual([200, expect.objectContaining({ riskSeverity: 'high' })]);
  };
  const NOT_HIGH = { not: { field: 'counterpartyRiskSeverity', operator: 'EQ', value: 'high' } };

  test('when the operator assesses the VASP that it names', async () => {
    const vasp = await createTenant(api);
    const sent = await waiting(NOT_HIGH, { vaspInfo: { beneficiaryVaspName: vasp.name } });
    await assess(vasp);
    expect(await decidedAgain(tenant, sent)).toBe('ROUTING');
  });

  test('when the operator assesses the VASP that sent it', async () => {
    const sender = await createTenant(api);
    await registerWallet(tenant, '0x52908400098527886E0F7030069857D2E4169EE7');
    await publish(tenant, 'INCOMING', NOT_HIGH);
    const sent = await createTransaction(sender, {
      blockchainInfo: { blockchain: 'Ethereum', destination: '0x52908400098527886E0F7030069857D2E4169EE7' },
    });
    const id = await deliver(api, sender, tenant, sent.id);
    await database.pool.query(
      `update transactions set screening_state = 'DUE', screening_due_since = now() where id = $1`,
      [id],
    );
    await screen(tenant, id);
    expect((await readTransaction(tenant, id)).subStatus).toBe('WAITING');
    await assess(sender);
    expect(await decidedAgain(tenant, { id })).not.toMatch(/^WAITING|not woken/);
  });

  const toOwnWallet = { blockchainInfo: { destinationType: 'NON_CUSTODIAL', blockchain: 'Ethereum' } };
  const verify = async ({ blockchainInfo: { destination: address } }: Transaction) =>
    await createVerification(tenant, { asset: 'ETH', blockchain: 'Ethereum', address });

  test('when a verification of its wallet is created', async () => {
    const first = await waiting(NOT_ASKED_FOR, toOwnWallet);
    await verify(first);
    expect(await decidedAgain(tenant, first)).not.toMatch(/^WAITING|not woken/);
  });

  test.each(['PENDING', 'VERIFIED'])('when the %s verification of its wallet is no more', async (status) => {
    await publish(tenant, 'OUTGOING', { field: 'walletVerificationStatus', operator: 'EQ', value: status });
    const sent = await createTransaction(tenant, { originator: { name: 'Anna' }, ...toOwnWallet });
    const { id } = await verify(sent);
    const path = `/wallet-verification/${id}`;
    if (status === 'VERIFIED') await submit(tenant, id, { verificationFlow: 'SELF_DECLARED' });
    await screen(tenant, sent.id);
    expect((await readTransaction(tenant, sent.id)).subStatus).toBe('WAITING');
    const ended =
      status === 'VERIFIED'
        ? await tenant.post(`${path}/revoke`, { reason: 'mistaken' })
        : await tenant.delete(path);
    expect(ended.status).toBeLessThan(300);
    expect(await decidedAgain(tenant, sent)).not.toMatch(/^WAITING|not woken/);
  });

  test('and keeps the end of its wait where the rule still applies', async () => {
    const name = named();
    const sent = await waiting(
      { field: 'asset', operator: 'EXISTS' },
      { vaspInfo: { beneficiaryVaspName: name } },
    );
    const { deadlineAt } = await readTransaction(tenant, sent.id).then(({ clearance }) => clearance);
    await createTenant(api, { name });
    expect(await decidedAgain(tenant, sent)).toBe('WAITING');
    expect((await readTransaction(tenant, sent.id)).clearance.deadlineAt).toBe(deadlineAt);
  });

  test('but not when another VASP or wallet changes, or a wallet of another tenant is verified', async () => {
    const sent = await waiting(NOT_ASKED_FOR, toOwnWallet);
    const other = await createTenant(api);
    await registerWallet(other, '0x8617E340B3D01FA5F11F306F4090FD50E238070D');
    const wallet = { asset: 'ETH', blockchain: 'Ethereum', address: sent.blockchainInfo.destination };
    await submit(other, (await createVerification(other, wallet)).id, { verificationFlow: 'SELF_DECLARED' });
    expect(await decidedAgain(tenant, sent)).toBe('not woken');
  });
});

test('they are found by an index, whatever is stored', async () => {
  await bulkTransactions(database.pool, [tenant.id, ...(await bulkTenants(database.pool, 2))], {
    count: 20_000,
    wakeAt: 'null',
  });
  await database.pool.query('analyze transactions, entity_names');
  const query = jest.spyOn(database.pool, 'query');
  await wakeUnrouted(database.pool, { destinationsNormal: ['nowhere'] }, new Date());
  await wakeUnrouted(database.pool, { vaspsFolded: ['nobody'] }, new Date());
  const asked = query.mock.calls.map(([call]) => call as unknown as { text: string; values: unknown[] });
  query.mockRestore();
  const plans = await Promise.all(
    asked
      .filter(({ text }) => text.includes('update transactions'))
      .map(async ({ text, values }) => {
        const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      }),
  );
  expect(plans).toHaveLength(3);
  expect(plans[0]).toContain('transactions_unrouted_destination');
  expect(plans[1]).toContain('transactions_unrouted_vasp');
  for (const plan of plans) expect(plan).not.toContain('Seq Scan on transactions');
});
