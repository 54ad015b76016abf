import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { ruleWaits } from '../../factories/rule-waits.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });
const tenant = useTenantPerTest(api);
beforeAll(async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')])));

const { waiting, decidedAgain, publish } = ruleWaits(api);
const advance = lifecycleSteps(api);
const ALWAYS = { field: 'asset', operator: 'EXISTS' };
const PARTIES = { originator: { name: 'Anna' }, beneficiary: { name: 'Jonas' } };

/** Everything that grows with a decision on the transfer. */
async function storedOf({ id }: { id: string }) {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `select version, updated_at, sub_status,
       (select count(*)::int from events where subject_id = t.id) as events,
       (select count(*)::int from webhook_deliveries where resource_id = t.id) as webhooks,
       (select count(*)::int from rule_decisions where transaction_id = t.id) as decisions,
       (select count(*)::int from transaction_screenings where transaction_id = t.id) as screenings
     from transactions t where t.id = $1`,
    [id],
  );
  return rows[0];
}

/** A stranger registers an address; the result takes it away again. */
async function register(stranger: TestTenant, address: string): Promise<() => Promise<void>> {
  const wallet = { address, asset: '*', blockchain: 'Ethereum' };
  const created = await stranger.post<{ id: number }>('/wallets', wallet);
  expect(created.status).toBe(201);
  return async () => {
    expect((await stranger.delete(`/wallets/${created.body.id}`)).status).toBe(204);
  };
}

const to = (destination: string) => ({
  ...PARTIES,
  blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
});

describe('a transfer that names no VASP and waits under a rule', () => {
  test('grows by nothing, however often strangers register and delete its destination', async () => {
    const address = evmAddress();
    const sent = await waiting(tenant, ALWAYS, to(address));
    const before = await storedOf(sent);
    const strangers = [await createTenant(api), await createTenant(api)];
    for (let round = 0; round < 10; round += 1) {
      const spelled = round % 2 === 0 ? address.toLowerCase() : address;
      const remove = await register(strangers[round % 2] as TestTenant, spelled);
      expect(await decidedAgain(tenant, sent)).toBe('WAITING');
      await remove();
      expect(await decidedAgain(tenant, sent)).toBe('WAITING');
    }
    expect(await storedOf(sent)).toEqual(before);
  });

  test('is decided at once when the holder of its destination changes in a way that its rule reads', async () => {
    const address = evmAddress();
    const field = 'counterpartyRiskSeverity';
    const notHigh = {
      any: [{ field, operator: 'NOT_EXISTS' }, { not: { field, operator: 'EQ', value: 'high' } }],
    };
    const sent = await waiting(tenant, notHigh, to(address));
    const before = await storedOf(sent);
    const holder = await createTenant(api);
    await register(holder, address);
    expect(await decidedAgain(tenant, sent)).toBe('WAITING');
    expect(await storedOf(sent)).toEqual(before);
    const { id } = (
      await tenant.get<{ id: string }>(`/entities/lookup?name=${encodeURIComponent(holder.name)}`)
    ).body;
    const { operatorKey } = api;
    const body = { riskScore: 95 };
    expect((await api.request('PATCH', `/operator/entities/${id}`, { operatorKey, body })).status).toBe(200);
    expect(await decidedAgain(tenant, sent)).toBe('ROUTING');
    expect((await storedOf(sent))?.['events']).toBeGreaterThan(Number(before?.['events']));
  });

  test('is decided anew, and that is stored, under the rules that were published meanwhile', async () => {
    const address = evmAddress();
    const sent = await waiting(tenant, ALWAYS, to(address));
    const before = await storedOf(sent);
    await publish(tenant, 'OUTGOING', ALWAYS);
    await register(await createTenant(api), address);
    expect(await decidedAgain(tenant, sent)).toBe('WAITING');
    expect((await storedOf(sent))?.['decisions']).toBe(Number(before?.['decisions']) + 1);
  });
});

test('a transfer that waits grows by nothing when the VASP that it names changes its data to and fro', async () => {
  const vasp = await createTenant(api);
  const sent = await waiting(tenant, ALWAYS, { vaspInfo: { beneficiaryVaspName: vasp.name } });
  const before = await storedOf(sent);
  for (const country of ['DE', 'AT', 'DE', 'AT']) {
    expect((await vasp.patch('/tenant/me', { country })).status).toBe(200);
    expect(await decidedAgain(tenant, sent)).toBe('WAITING');
  }
  expect(await storedOf(sent)).toEqual(before);
});

test('a message whose destination several tenants hold grows by nothing when another registers and deletes it', async () => {
  const address = evmAddress();
  const leave = await register(await createTenant(api), address);
  await register(await createTenant(api), address);
  const sent = await createTransaction(tenant, to(address));
  expect((await advance(tenant, sent)).subStatus).toBe('VASP_NOT_FOUND');
  const before = await storedOf(sent);
  const stranger = await createTenant(api);
  for (let round = 0; round < 10; round += 1) {
    const remove = await register(stranger, address);
    await advance(tenant, sent);
    await remove();
    await advance(tenant, sent);
  }
  expect(await storedOf(sent)).toEqual(before);
  await leave();
  expect((await advance(tenant, sent)).status).toBe('DELIVERED');
});
