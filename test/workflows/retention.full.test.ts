import { verifyEvents } from '../../db/events/verify-events.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { ObjectMissing } from '../../storage/storage.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { createReceivers } from '../fakes/receivers.ts';
import { activateList, listEntry } from '../factories/sanctions.ts';
import { formOf, png } from '../factories/evidence.ts';
import { createVerification, submit } from '../factories/verification.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createBody, evmAddress, evmHash, fullParty } from '../factories/transaction.ts';
import { dumpOf, foundIn as findPlanted, historiesOf, runRetention } from '../factories/what-is-left.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;
const receivers = createReceivers();

const CUSTOMER = 'Barnabas Ravenscroft';
const party = fullParty(CUSTOMER);
const origin = evmAddress();
const destination = evmAddress();
const elsewhere = evmAddress();
const hash = evmHash();
const wallet = evmAddress();
const heldWallet = evmAddress();
const planted = {
  originator: { ...party, name: CUSTOMER, firstName: undefined, lastName: undefined },
  beneficiary: { type: 'NATURAL', name: CUSTOMER, accountNumber: 'ACC-RAVEN' },
  metadata: 'Wedding of Ravenscroft',
  internalNote: 'Ravenscroft called twice',
};

beforeAll(async () => {
  system = await startTestSystem({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  const hooks = await receivers.receiver((_request, response) => void response.end());
  alpine = await createTenant(system, { webhookUrl: hooks.url });
  await alpine.patch('/tenant/me/settings', { selfHosted: { thresholdEur: null } });
  harbour = await createTenant(system, { webhookUrl: hooks.url });
  await activateList(system.db.pool, 'OFAC_SDN', [listEntry('1', CUSTOMER)]);
});
afterAll(async () => {
  await system.stop();
  await receivers.end();
});

const read = async (tenant: TestTenant, id: string) =>
  (await tenant.get<Transaction>(`/transactions/${id}`)).body;
const becomes = async (tenant: TestTenant, id: string, status: string, subStatus: string | null) =>
  await eventually(
    async () => await read(tenant, id),
    (now) => now.status === status && now.subStatus === subStatus,
  );

async function send(body: Json): Promise<string> {
  const answer = await alpine.post<Transaction>('/transactions', createBody(body));
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const run = async (days: number) => await runRetention(system, days);
const dump = async () => await dumpOf(system.db.pool);
const histories = async () => await historiesOf(system.client);

/** The keyed tokens by which the tenant's customers are found. */
async function tokensOf(tenant: TestTenant): Promise<string[]> {
  const { rows } = await system.db.pool.query<{ tokens: string[] }>(
    `select array_agg(distinct token::text) as tokens from (
       select unnest(search_tokens) as token from transactions where tenant_id = $1
       union select subject_token from transactions where tenant_id = $1 and subject_token is not null
       union select subject_token from customer_sums where tenant_id = $1
       union select unnest(search_tokens) from screenings where tenant_id = $1
       union select name_token from screenings where tenant_id = $1
     ) all_tokens`,
    [tenant.id],
  );
  return rows[0]?.tokens ?? [];
}

/** A proof by a picture, with a test by a small transfer beside it; and one of a wallet that the held transfer goes to. */
async function plantVerification() {
  const overrides = { metadata: 'Wallet of Ravenscroft', customerIdentification: 'C-RAVEN' };
  const { id } = await createVerification(alpine, { ...overrides, address: wallet });
  const given = await fetch(`${system.url}/wallet-verification/${id}/verification`, {
    method: 'POST',
    headers: { 'X-Api-Key': alpine.apiKey },
    body: formOf({ verificationFlow: 'VISUAL_PROOF' }, [{ fileName: 'ravenscroft.png', content: png() }]),
  });
  expect(given.status).toBe(200);
  await system.db.pool.query(
    `insert into satoshi_watches (verification_id, tenant_id, chain, asset, sender, recipient, place, units, generated,
       armed_from, deadline, state)
     values ($1, $2, 'Ethereum', 'ETH', $3, $3, 1, 1, true, now(), now(), 'DONE')`,
    [id, alpine.id, wallet],
  );
  await system.db.pool.query(
    `insert into chain_observations (verification_id, tenant_id, chain, transaction_hash, position, verdict, is_claim, height,
       block_hash, block_time, state)
     values ($1, $2, 'Ethereum', $3, 0, 'MATCH', true, 1, 'x', now(), 'SETTLED')`,
    [id, alpine.id, hash],
  );
  const { rows } = await system.db.pool.query<{ object_key: string }>(
    'select object_key from verification_files',
  );
  const other = await createVerification(alpine, { address: heldWallet });
  await submit(alpine, other.id, { verificationFlow: 'SELF_DECLARED' });
  return { verificationId: id, objectKey: rows[0]?.object_key ?? '' };
}

const NEEDLES = [
  wallet.slice(2),
  CUSTOMER,
  'Ravenscroft',
  'ACC-RAVEN',
  'X1234567',
  'Genève',
  hash.slice(2),
  origin.slice(2),
  elsewhere.slice(2),
  'REF-RAVEN',
];
const foundIn = (text: string) => findPlanted(text, NEEDLES);

test('one customer, planted everywhere, is found nowhere once the time to keep the records is over', async () => {
  await harbour.post('/wallets', { address: destination, asset: 'ETH', blockchain: 'Ethereum' });
  const reviewed = await send({
    ...planted,
    reference: 'REF-RAVEN',
    vaspInfo: { beneficiaryVaspName: harbour.name },
    blockchainInfo: { blockchain: 'Ethereum', destination, origin, destinationType: 'CUSTODIAL' },
  });
  await becomes(alpine, reviewed, 'PENDING', 'ON_HOLD');
  await alpine.post(`/transactions/${reviewed}/review`, {
    decision: 'PROCEED',
    reason: 'Not that Ravenscroft.',
  });
  await becomes(alpine, reviewed, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  const [received] = (await harbour.get<Transaction[]>('/transactions?_direction=INCOMING')).body;
  await harbour.post(`/transactions/${received?.id}/review`, {
    decision: 'PROCEED',
    reason: 'Not that Ravenscroft.',
  });
  await becomes(alpine, reviewed, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
  await alpine.patch(`/transactions/${reviewed}`, { transactionHash: hash });
  const unrouted = await send({
    ...planted,
    blockchainInfo: { blockchain: 'Ethereum', destination: elsewhere, origin, destinationType: 'CUSTODIAL' },
  });
  await becomes(alpine, unrouted, 'PENDING', 'ON_HOLD');
  await alpine.delete(`/transactions/${unrouted}`);
  const held = await send({
    originator: { type: 'NATURAL', name: 'Jonas Brandt' },
    blockchainInfo: { blockchain: 'Ethereum', destination: heldWallet, destinationType: 'NON_CUSTODIAL' },
  });
  await alpine.put(`/transactions/${held}/legal-hold`, { hold: true, reason: 'A case.' });
  await becomes(alpine, held, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
  expect(foundIn(await dump())).not.toEqual([]);
  const tokens = [...(await tokensOf(alpine)), ...(await tokensOf(harbour))];
  expect(tokens.length).toBeGreaterThan(10);

  const { verificationId, objectKey } = await plantVerification();

  const nothing = { looked: 0, erased: 0, kept: 0 };
  // Five calendar years have at most 1,827 days.
  expect(await run(1_820)).toEqual({ transactions: nothing, claims: nothing, verifications: nothing });
  expect(await run(1_830)).toEqual({
    transactions: { looked: 4, erased: 3, kept: 1 },
    claims: nothing,
    verifications: { looked: 2, erased: 1, kept: 1 },
  });

  // Answers that are kept under an Idempotency-Key, and the bodies of webhooks of others, go by their age.
  await expect(system.deps.storage.get(objectKey)).rejects.toThrow(ObjectMissing);
  expect((await alpine.get(`/wallet-verification/${verificationId}`)).status).toBe(404);
  expect((await verifyEvents(system.db, verificationId)).faults).toEqual([]);
  expect(foundIn(await dump())).toEqual([]);
  expect(foundIn(await histories())).toEqual([]);
  const left = [...(await tokensOf(alpine)), ...(await tokensOf(harbour))];
  const ofHeld = await system.db.pool.query<{ tokens: string[] }>(
    `select search_tokens::text[] || subject_token::text as tokens from transactions where id = $1`,
    [held],
  );
  expect(
    left.filter((token) => !(ofHeld.rows[0]?.tokens ?? []).includes(token) && tokens.includes(token)).length,
  ).toBeLessThanOrEqual(
    // The name token of the held one's screening.
    2,
  );
  for (const [tenant, id] of [
    [alpine, reviewed],
    [alpine, unrouted],
    [harbour, received?.id ?? ''],
  ] as const) {
    expect((await tenant.get(`/transactions/${id}`)).status).toBe(404);
    expect((await tenant.get(`/tenant/me/archive/${id}?reason=curious`)).status).toBe(404);
    expect((await tenant.put(`/transactions/${id}/legal-hold`, { hold: true, reason: 'late' })).status).toBe(
      404,
    );
    const { faults, erased } = await verifyEvents(system.db, id);
    expect([faults, erased]).toEqual([[], id === unrouted ? [] : [id]]);
    expect(
      (await tenant.get<Json[]>('/sanctions/history')).body.map(({ transactionId }) => transactionId),
    ).not.toContain(id);
  }
  expect((await alpine.get<Json[]>('/transactions?q=ravenscroft')).body).toEqual([]);
  expect(await read(alpine, held)).toMatchObject({ originator: { name: 'Jonas Brandt' } });
  const operator = { operatorKey: system.operatorKey };
  const log = await system.request<Json[]>('GET', `/operator/transactions/${reviewed}/events`, operator);
  expect(log.body[0]).toMatchObject({ type: 'ERASED', actor: 'SYSTEM' });
});

test('whoever keeps its record longer goes on with it after the other side has erased its own', async () => {
  system.clock.offsetMs = 0;
  await harbour.patch('/tenant/me/settings', { retentionDays: 3_653 });
  const id = await send({
    originator: { type: 'NATURAL', name: 'Ada Quill' },
    beneficiary: { type: 'NATURAL', name: 'Ben Stone' },
    vaspInfo: { beneficiaryVaspName: harbour.name },
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
  });
  await becomes(alpine, id, 'DELIVERED', 'AWAITING_COUNTERPARTY');
  const [received] = (await harbour.get<Transaction[]>('/transactions?_direction=INCOMING')).body;
  await harbour.patch(`/transactions/${received?.id}`, { status: 'CONFIRMED' });
  await becomes(alpine, id, 'CONFIRMED', 'AWAITING_TRANSACTION_HASH');
  expect(await run(1_830)).toMatchObject({ transactions: { erased: 1 } });
  expect((await alpine.get(`/transactions/${id}`)).status).toBe(404);
  expect(await read(harbour, received?.id ?? '')).toMatchObject({ originator: { name: 'Ada Quill' } });
  expect((await harbour.patch(`/transactions/${received?.id}`, { transactionHash: evmHash() })).status).toBe(
    200,
  );
  expect((await harbour.delete(`/transactions/${received?.id}`)).status).toBe(204);
  expect((await verifyEvents(system.db)).faults).toEqual([]);
});
