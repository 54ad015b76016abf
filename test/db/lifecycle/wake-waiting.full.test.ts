import { randomBytes, randomUUID } from 'node:crypto';
import { changeVerification } from '../../../db/verifications/change-verification.ts';
import { wakeUnrouted } from '../../../db/transactions/wake-unrouted.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { bulkTenants, bulkTransactions } from '../../factories/bulk-rows.ts';
import { ruleWaits } from '../../factories/rule-waits.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, deliver, readTransaction, registerWallet } from '../../factories/transaction.ts';
import { createVerification, submit } from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });
const tenant = useTenantPerTest(api);
beforeAll(async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')])));

const named = () => `Newcomer ${randomBytes(4).toString('hex')}`;

const waits = ruleWaits(api);
const { publish, screen, decidedAgain } = waits;
const waiting = async (conditions: Json, body?: Parameters<typeof waits.waiting>[2]) =>
  await waits.waiting(tenant, conditions, body);

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

  test.each(['its own tenant', 'nobody'])(
    'when its destination is registered and it names %s',
    async (who) => {
      const name = named();
      const beneficiaryVaspName = who === 'nobody' ? name : tenant.name;
      const sent = await waiting(NOT_IN_NETWORK, { vaspInfo: { beneficiaryVaspName } });
      const holder = await createTenant(api, who === 'nobody' ? { name: `${name} AG` } : {});
      await registerWallet(holder, sent.blockchainInfo.destination);
      expect(await decidedAgain(tenant, sent)).toBe('ROUTING');
    },
  );

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

  test('when the proof of its wallet does not count any more, since the wallet is on a sanctions list', async () => {
    const sent = await createTransaction(tenant, { originator: { name: 'Anna' }, ...toOwnWallet });
    const { id } = await verify(sent);
    await submit(tenant, id, { verificationFlow: 'SELF_DECLARED' });
    await publish(tenant, 'OUTGOING', {
      field: 'walletVerificationFlow',
      operator: 'EQ',
      value: 'SELF_DECLARED',
    });
    await screen(tenant, sent.id);
    expect((await readTransaction(tenant, sent.id)).subStatus).toBe('WAITING');
    const { outbox } = await changeVerification(api.db, {
      tenantId: tenant.id,
      id,
      now: new Date(),
      decide: (record) => ({
        after: { ...record, warnings: [...record.warnings, 'ADDRESS_SANCTIONED'] },
        events: [],
        notify: false,
        wakesWorkflow: false,
      }),
    });
    api.outbox.push(...outbox);
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

  test.each([true, false])(
    'but not when a stranger registers and deletes the destination of one that names a VASP, in the network: %s',
    async (inNetwork) => {
      const name = named();
      const [operatorKey, body] = [api.operatorKey, { name, type: 'exchange' }];
      if (inNetwork) await createTenant(api, { name });
      else expect((await api.request('POST', '/operator/entities', { operatorKey, body })).status).toBe(201);
      const sent = await waiting(
        { field: 'asset', operator: 'EXISTS' },
        { vaspInfo: { beneficiaryVaspName: name } },
      );
      const before = await readTransaction(tenant, sent.id);
      const stranger = await createTenant(api);
      const { destination: address } = sent.blockchainInfo;
      const wallet = { address, asset: '*', blockchain: 'Ethereum' };
      const { id } = (await stranger.post<{ id: number }>('/wallets', wallet)).body;
      expect(await decidedAgain(tenant, sent)).toBe('not woken');
      expect((await stranger.delete(`/wallets/${id}`)).status).toBe(204);
      expect(await decidedAgain(tenant, sent)).toBe('not woken');
      expect(await readTransaction(tenant, sent.id)).toEqual(before);
    },
  );

  test('but not when another VASP or wallet changes, or a wallet of another tenant is verified', async () => {
    const sent = await waiting(NOT_ASKED_FOR, toOwnWallet);
    const other = await createTenant(api);
    await registerWallet(other, '0x8617E340B3D01FA5F11F306F4090FD50E238070D');
    const wallet = { asset: 'ETH', blockchain: 'Ethereum', address: sent.blockchainInfo.destination };
    await submit(other, (await createVerification(other, wallet)).id, { verificationFlow: 'SELF_DECLARED' });
    expect(await decidedAgain(tenant, sent)).toBe('not woken');
  });
});

test('they are found by an index, whatever is stored, in one statement', async () => {
  await bulkTransactions(database.pool, [tenant.id, ...(await bulkTenants(database.pool, 2))], {
    count: 20_000,
    wakeAt: 'null',
  });
  await bulkDecisions(5_000);
  await database.pool.query('analyze transactions, entity_names, rule_decisions');
  const changed = { entityIds: [randomUUID()], vaspsFolded: ['nobody'] };
  const [destinations, entities] = [
    await plansOf({ destinationsNormal: ['nowhere'] }),
    await plansOf(changed),
  ];
  expect([destinations.length, entities.length]).toEqual([1, 1]);
  expect(destinations[0]).toContain('transactions_unrouted_destination');
  for (const index of ['unrouted_vasp', 'waiting_counterparty'])
    expect(entities[0]).toContain(`transactions_${index}`);
  expect(entities[0]).toContain('rule_decisions_waiting');
  for (const plan of [...destinations, ...entities]) {
    expect(plan).not.toContain('Seq Scan on transactions');
    expect(plan).not.toContain('Seq Scan on rule_decisions');
  }
});

/** Decisions on stored transfers: every hundredth lets one wait on an entity. */
async function bulkDecisions(count: number): Promise<void> {
  await database.pool.query(
    `insert into rule_decisions (id, tenant_id, transaction_id, sequence, direction, configuration_id, version, decision,
       decided_by, rests_on_sanctions, wait_until, waits_on_entity_id, spent, facts, trace, created_at)
     select gen_random_uuid(), t.tenant_id, t.id, 1000, 'OUTGOING', t.tenant_id, 1, 'WAIT', 'rule', false,
       case when n % 100 = 0 then now() + interval '1 hour' end, case when n % 100 = 0 then gen_random_uuid() end,
       '{}', '', '', now()
     from (select id, tenant_id, row_number() over () as n from transactions limit $1) t`,
    [count],
  );
}

/** How PostgreSQL runs what a wake asks for. */
async function plansOf(route: Parameters<typeof wakeUnrouted>[1]): Promise<string[]> {
  const query = jest.spyOn(database.pool, 'query');
  await wakeUnrouted(database.pool, route, new Date());
  const asked = query.mock.calls.map(([call]) => call as unknown as { text: string; values: unknown[] });
  query.mockRestore();
  const statements = asked.filter(({ text }) => text?.includes('update transactions'));
  return await Promise.all(
    statements.map(async ({ text, values }) => {
      const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    }),
  );
}
