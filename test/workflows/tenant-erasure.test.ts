import { NoTenantKeys } from '../../db/vault/tenant-keys.ts';
import { verifyEvents } from '../../db/events/verify-events.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { workflowId } from '../../workflows/contract.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { createReceivers } from '../fakes/receivers.ts';
import { createClaim } from '../factories/claim.ts';
import { allowMails, openPortal, portalOf, sendOutside, tokenFor } from '../factories/portal.ts';
import { startSmtp, type TestSmtp } from '../factories/smtp.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { erasuresOf, NAMED_OPERATORS } from '../factories/tenant-erasure.ts';
import { createBody, evmAddress } from '../factories/transaction.ts';
import { createVerification } from '../factories/verification.ts';
import { dumpOf, foundIn, historiesOf } from '../factories/what-is-left.ts';
import { recordRun } from '../record-history.ts';
import { startTestApi, type TestApi } from '../api-client.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let smtp: TestSmtp;
let system: TestSystem;
/** Another process on the same database. */
let other: TestApi;
let tenant: TestTenant;
let friend: TestTenant;
const receivers = createReceivers();
const destination = evmAddress();
const outside = evmAddress();
/** The tenant has registered it. */
const registered = evmAddress();
let webhooks = 0;
const mailbox = 'desk@cove.example';
const PLANTED = ['Whortleberry', 'Grimsthorpe', outside.slice(2), registered.slice(2), mailbox];

beforeAll(async () => {
  smtp = await startSmtp();
  system = await startTestSystem({
    config: {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Waybill <waybill@alpine.example>',
      RATE_LIMIT_HOSTED: 0,
      WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'],
      OPERATOR_KEYS: NAMED_OPERATORS,
    },
  });
  const { DATABASE_URL, MASTER_KEY } = system.config;
  other = await startTestApi({ url: DATABASE_URL }, { config: { MASTER_KEY } });
  const hooks = await receivers.receiver((_request, response) => {
    webhooks += 1;
    response.end();
  });
  tenant = await createTenant(system, { name: 'Grimsthorpe Exchange', webhookUrl: hooks.url });
  friend = await createTenant(system);
  await allowMails(system, tenant);
});
afterAll(async () => {
  await other.stop();
  await system.stop();
  await smtp.stop();
  await receivers.end();
});

const party = { type: 'NATURAL', name: 'Theobald Whortleberry' };
const read = async (by: TestTenant, id: string) => (await by.get<Transaction>(`/transactions/${id}`)).body;

/** Messages to a tenant and to a mailbox, an open claim, a wallet that waits for its proof: workflows of every kind. */
async function plant() {
  await friend.post('/wallets', { address: destination, asset: 'ETH', blockchain: 'Ethereum' });
  await tenant.post('/wallets', { address: registered, asset: 'ETH', blockchain: 'Ethereum' });
  const { body: sent } = await tenant.post<Transaction>(
    '/transactions',
    createBody({
      originator: party,
      beneficiary: party,
      blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    }),
  );
  await eventually(
    async () => await read(tenant, sent.id),
    ({ status }) => status === 'DELIVERED',
  );
  const vaspInfo = { beneficiaryVaspName: 'Cove', beneficiaryVaspEmail: mailbox };
  await sendOutside(tenant, vaspInfo, {
    originator: party,
    beneficiary: party,
    blockchainInfo: { blockchain: 'Ethereum', destination: outside, destinationType: 'CUSTODIAL' },
  });
  const token = await tokenFor(smtp, mailbox);
  await openPortal(system, smtp, { mailbox, token });
  await createClaim(tenant, {
    blockchainInfo: { destination: outside },
    vaspInfo: { originatorVaspName: friend.name },
    beneficiary: { name: 'Theobald Whortleberry' },
  });
  await createVerification(tenant, { address: outside });
  const [received] = (await friend.get<Transaction[]>('/transactions?_direction=INCOMING')).body;
  return { sentId: sent.id, receivedId: received?.id ?? '', token };
}

const runningOf = async (id: string) => {
  const found: string[] = [];
  for await (const { workflowId: name } of system.client.workflow.list({ query: `TrTenant = '${id}'` }))
    found.push(name);
  return found;
};

test('a tenant is erased on its day, with what Temporal has of it; every process drops its keys, the other side goes on', async () => {
  const { plan, approve, fireTimer, read: readErasure } = erasuresOf(system);
  const { receivedId, token } = await plant();
  expect(foundIn(await dumpOf(system.db.pool), PLANTED)).not.toEqual([]);
  // The outbox starts them, and Temporal lists them, a moment later.
  await eventually(
    async () => await runningOf(tenant.id),
    (found) => found.length > 3,
  );
  await other.db.vault.tenantKeys(tenant.id);
  expect((await other.request('GET', '/tenant/me', { key: tenant.apiKey })).status).toBe(200);

  const { body: planned } = await plan(tenant.id, { override: true });
  await approve(tenant.id, { override: true });
  const run = workflowId('tenantErasure', planned.id);
  await eventually(
    async () => await system.client.workflow.getHandle(run).describe(),
    ({ status }) => status.name === 'RUNNING',
  );
  expect((await tenant.get('/tenant/me')).status).toBe(200);
  await fireTimer(tenant.id);
  expect(await system.client.workflow.getHandle(run).result()).toBe('ERASED');
  const before = webhooks;
  await recordRun(system.client, run, { type: 'tenantErasure', name: 'erased' });

  expect((await readErasure(tenant.id)).body).toMatchObject({
    state: 'ERASED',
    erased: { transactions: 3, claims: 1, verifications: 1 },
  });
  expect((await other.request('GET', '/tenant/me', { key: tenant.apiKey })).status).toBe(401);
  await eventually(
    async () =>
      await other.db.vault.tenantKeys(tenant.id).catch((error: unknown) => error instanceof NoTenantKeys),
    (answer) => answer === true,
  );
  expect((await portalOf(system, token).get('/portal/link')).status).toBe(404);
  expect(await runningOf(tenant.id)).toEqual([]);
  // The other tenant's claim and transfer name the same wallet as its own records have to.
  const rows = (await dumpOf(system.db.pool)).split('\n').filter((row) => !row.includes(friend.id));
  expect(foundIn(rows.join('\n'), PLANTED)).toEqual([]);
  expect(foundIn(await historiesOf(system.client), PLANTED)).toEqual([]);
  expect((await verifyEvents(system.db)).faults).toEqual([]);

  expect(await read(friend, receivedId)).toMatchObject({ originator: { name: 'Theobald Whortleberry' } });
  expect((await friend.patch(`/transactions/${receivedId}`, { status: 'CONFIRMED' })).status).toBe(200);
  const info = { blockchain: 'Ethereum', destination: registered, destinationType: 'CUSTODIAL' };
  for (const way of [
    { vaspInfo: { beneficiaryVaspName: 'Grimsthorpe Exchange' } },
    { blockchainInfo: info },
  ]) {
    const lost = await friend.post<Transaction>('/transactions', createBody({ ...PARTIES, ...way }));
    await eventually(
      async () => await read(friend, lost.body.id),
      ({ subStatus }) => subStatus === 'VASP_NOT_FOUND',
    );
  }
  expect(webhooks).toBe(before);
});

const PARTIES: Json = {
  originator: { type: 'NATURAL', name: 'Ada Quill' },
  beneficiary: { type: 'NATURAL', name: 'Ben Stone' },
};

test('an approved erasure that is called off ends its workflow, and the tenant works on', async () => {
  const { plan, approve, callOff } = erasuresOf(system);
  const staying = await createTenant(system);
  const { body: planned } = await plan(staying.id);
  await approve(staying.id);
  const handle = system.client.workflow.getHandle(workflowId('tenantErasure', planned.id));
  await eventually(
    async () => await handle.describe(),
    ({ status }) => status.name === 'RUNNING',
  );
  await callOff(staying.id);
  expect(await handle.result()).toBe('OVER');
  expect((await staying.get('/tenant/me')).status).toBe(200);
});
