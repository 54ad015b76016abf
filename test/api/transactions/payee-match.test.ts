import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Wallet } from '../../../domain/wallets/schema.ts';
import type { Json } from '../../api-client.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList } from '../../factories/sanctions.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, deliver, evmAddress, readTransaction } from '../../factories/transaction.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const sender = useTenant(api, { webhookUrl: WEBHOOK_URL });
const receiver = useTenant(api, { webhookUrl: WEBHOOK_URL });
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', []);
});

const HOLDER = 'Jonas Brandt';

async function register(
  tenant: TestTenant,
  address: string,
  more: Json = { holderName: HOLDER },
): Promise<Wallet> {
  const answer = await tenant.post<Wallet>('/wallets', {
    blockchain: 'Ethereum',
    asset: 'ETH',
    address,
    ...more,
  });
  expect(answer.status).toBe(201);
  return answer.body;
}

async function send(destination: string, beneficiary: Json = { name: HOLDER }, to: TestTenant = receiver) {
  const blockchainInfo = { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' };
  const parties = { originator: { name: 'Anna Keller' }, beneficiary };
  const { id } = await createTransaction(sender, { asset: 'ETH', ...parties, blockchainInfo });
  return { outgoingId: id, incomingId: await deliver(api, sender, to, id) };
}

test('the receiver learns whether its customer is named, in answers, lists and webhooks; the sender does not', async () => {
  const address = evmAddress();
  await register(receiver, address);
  const { outgoingId, incomingId } = await send(address);
  const incoming = await readTransaction(receiver, incomingId);
  expect(incoming.beneficiaryMatch).toBe('MATCH');
  expect(await storedWebhooks(api, receiver, incomingId)).toEqual([incoming]);
  const { body } = await receiver.get<Transaction[]>(`/transactions?_destination=${address}`);
  expect(body).toEqual([incoming]);
  expect((await readTransaction(sender, outgoingId)).beneficiaryMatch).toBeNull();
  for (const webhook of await storedWebhooks(api, sender, outgoingId)) {
    expect(webhook).toMatchObject({ beneficiaryMatch: null });
  }
});

test('it follows what the sender and the holder are said to be', async () => {
  const address = evmAddress();
  const { id } = await register(receiver, address);
  const { outgoingId, incomingId } = await send(address, { name: 'J. Brandt' });
  const match = async () => (await readTransaction(receiver, incomingId)).beneficiaryMatch;
  expect(await match()).toBe('CLOSE');
  await sender.patch(`/transactions/${outgoingId}`, { beneficiary: { name: 'Maria Keller' } });
  expect(await match()).toBe('MISMATCH');
  const renamed = await receiver.patch<Wallet>(`/wallets/${id}`, { holderName: 'Maria Keller' });
  expect(renamed).toMatchObject({ status: 200, body: { holderName: 'Maria Keller', version: 2 } });
  expect(await match()).toBe('MATCH');
  await receiver.patch(`/wallets/${id}`, { holderName: null });
  expect(await match()).toBeNull();
});

test('a sealed record says nothing; registering the wallet with its holder shows it', async () => {
  const address = evmAddress();
  const { incomingId } = await send(address, { name: 'Anna Keller' });
  expect((await readTransaction(receiver, incomingId)).beneficiaryMatch).toBeNull();
  await register(receiver, address);
  expect((await readTransaction(receiver, incomingId)).beneficiaryMatch).toBe('MISMATCH');
});

test('the name of the holder is kept encrypted, and no search finds it', async () => {
  const address = evmAddress();
  const wallet = await register(receiver, address, { holderName: 'Hildegard Zumbrunnen', metadata: 'desk' });
  expect(wallet.holderName).toBe('Hildegard Zumbrunnen');
  const { rows } = await database.pool.query<{ text: string; holder: Buffer }>(
    'select w::text as text, holder_name as holder from wallets w where id = $1',
    [wallet.id],
  );
  expect(rows[0]?.text).not.toContain('Zumbrunnen');
  expect(rows[0]?.holder.toString('latin1')).not.toContain('Zumbrunnen');
  const found = async (q: string) =>
    (await receiver.get<Wallet[]>(`/wallets?q=${q}`)).body.map(({ id }) => id);
  expect(await found('desk')).toContain(wallet.id);
  expect(await found('Zumbrunnen')).toEqual([]);
  expect((await receiver.get<Wallet>(`/wallets/${wallet.id}`)).body.holderName).toBe('Hildegard Zumbrunnen');
});

test('400: a holder without a name, or with too long a one', async () => {
  for (const holderName of ['', 'x'.repeat(201), 7]) {
    const body = { blockchain: 'Ethereum', asset: 'ETH', address: evmAddress(), holderName };
    expect(await receiver.post('/wallets', body)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/holderName' }] },
    });
  }
});

test('another tenant that has the same wallet compares with its own customer', async () => {
  const [address, other] = [evmAddress(), await createTenant(api)];
  await register(other, address, { holderName: 'Somebody Else' });
  const { incomingId } = await send(address, { name: HOLDER }, other);
  expect((await readTransaction(other, incomingId)).beneficiaryMatch).toBe('MISMATCH');
});

test('rules decide by it', async () => {
  const other = await createTenant(api, { webhookUrl: WEBHOOK_URL });
  const { id } = (await configurations(other)).INCOMING;
  const conditions = { field: 'beneficiaryMatch', operator: 'IN', value: ['MATCH'] };
  const rules = [rule({ name: 'Named customers', conditions, decision: 'PROCEED' })];
  expect((await draft(other, id, rules)).status).toBe(200);
  expect((await other.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
  const statusFor = async (name: string) => {
    const address = evmAddress();
    await register(other, address);
    const blockchainInfo = { blockchain: 'Ethereum', destination: address, destinationType: 'CUSTODIAL' };
    const parties = { originator: { name: 'Anna Keller' }, beneficiary: { name } };
    const sent = await createTransaction(sender, { asset: 'ETH', ...parties, blockchainInfo });
    return (await lifecycleSteps(api)(sender, sent)).status;
  };
  expect(await statusFor(HOLDER)).toBe('CONFIRMED');
  expect(await statusFor('Maria Keller')).toBe('DELIVERED');
});
