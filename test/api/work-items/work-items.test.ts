import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { confirmSelfHostedTransfer } from '../../../db/lifecycle/confirm-self-hosted.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { WorkItem } from '../../../domain/work-items/work-item.ts';
import { useFourEyes } from '../../factories/people.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { WEBHOOK_URL, type Client } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, letPass } from '../../factories/transaction.ts';
import { createVerification, submit } from '../../factories/verification.ts';
import { useApi, useTenant, useTenantPerTest } from '../../use-api.ts';

const price = { usd: '1', eur: '1', source: 'test', pricedAt: new Date() };
const { api, database } = useApi({ prices: { ETH: price }, config: { RATE_LIMIT_WRITES: 0 } });
const tenant = useTenantPerTest(api, { webhookUrl: WEBHOOK_URL });
const stranger = useTenant(api);

const list = async (query = '', by: Client = tenant) => await by.get<WorkItem[]>(`/work-items?${query}`);
const items = async (query = '') => (await list(query)).body;

/** An INCOMING record that its own tenant made and has to decide on. */
async function undecided(): Promise<string> {
  const { id } = await createTransaction(tenant, {
    direction: 'INCOMING',
    vaspInfo: { originatorVaspName: 'Far Away Exchange' },
    blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress(), destinationType: 'CUSTODIAL' },
  });
  return id;
}

test('a new tenant has nothing to do', async () => {
  expect(await list()).toMatchObject({ status: 200, body: [] });
  expect((await list()).headers.get('X-Total-Count')).toBe('0');
});

test('transactions and verifications that wait, with what to do and where', async () => {
  const id = await undecided();
  const { body: shown } = await tenant.get<Transaction>(`/transactions/${id}`);
  expect(shown.clearance.nextAction).toBe('REVIEW');
  const [item, ...others] = await items();
  expect(others).toEqual([]);
  expect(item).toEqual({
    kind: 'TRANSACTION',
    resource: { id, path: `/transactions/${id}` },
    why: expect.any(String) as string,
    since: shown.createdAt,
    deadlineAt: shown.clearance.deadlineAt,
    nextAction: 'REVIEW',
    cursor: expect.any(String) as string,
  });
  const proof = await createVerification(tenant, { allowedFlows: ['SELF_DECLARED'] });
  expect((await submit(tenant, proof.id, { verificationFlow: 'SELF_DECLARED' })).status).toBe(200);
  await database.pool.query(
    `update verifications set status = 'ACTION_REQUIRED' where id = $1 and status = 'VERIFIED'`,
    [proof.id],
  );
  expect(await items('_kind=VERIFICATION')).toMatchObject([
    { resource: { id: proof.id }, why: 'SELF_DECLARED', nextAction: 'REVIEW' },
  ]);
  await tenant.post(`/transactions/${id}/review`, { decision: 'BLOCK', reason: 'no' });
  expect(await items('_kind=TRANSACTION')).toEqual([]);
});

test('what their owners or the payout system do is no work of a person', async () => {
  const { id } = await createTransaction(tenant, {
    blockchainInfo: { blockchain: 'Ethereum', destinationType: 'NON_CUSTODIAL' },
  });
  await tenant.patch('/tenant/me/settings', { autoConfirmSelfHosted: false });
  await letPass(api.db, id);
  await confirmSelfHostedTransfer(api.db, await getTransaction(api.db, tenant.id, id), new Date());
  const { body } = await tenant.get<Transaction>(`/transactions/${id}`);
  expect(body.clearance.nextAction).toBe('PROVE_OWNERSHIP');
  expect(await items()).toEqual([]);
});

test('drafts, proposals, counterparties, keys and the endpoint of webhooks', async () => {
  const { id } = (await configurations(tenant)).OUTGOING;
  await draft(tenant, id, [rule()]);
  expect(await items()).toMatchObject([
    { kind: 'RULE_CONFIGURATION', resource: { id }, why: 'DRAFT_NOT_PUBLISHED', nextAction: 'PUBLISH' },
  ]);
  const [anna] = await useFourEyes(api, tenant, { rules: true });
  await tenant.post(`/rule-engine/${id}/publish`, { comment: 'why' });
  const [proposal, ...none] = await items();
  expect(none).toEqual([]);
  expect(proposal).toMatchObject({ kind: 'PROPOSAL', why: 'RULES', nextAction: 'APPROVE' });
  expect(proposal?.deadlineAt).not.toBeNull();
  await anna.post(`/proposals/${proposal?.resource.id}/approve`);
  expect(await items()).toEqual([]);

  const { body: entity } = await tenant.get(`/entities/lookup?name=${encodeURIComponent(stranger.name)}`);
  const entityId = String(entity['id']);
  await tenant.patch(`/counterparties/${entityId}`, { nextReviewAt: '2020-01-01' });
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  const { body: key } = await tenant.post('/tenant/me/api-keys', { expiresAt: soon, name: 'Secret Name' });
  await tenant.post('/tenant/me/api-keys', {
    expiresAt: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  });
  await database.pool.query(`update tenants set webhook_status = 'DISABLED' where id = $1`, [tenant.id]);
  await tenant.put('/tenant/me/service-keys', { feature: 'aml_check', provider: 'builtin' });
  await database.pool.query('update service_keys set refused_at = now() where tenant_id = $1', [tenant.id]);
  const found = await items('_sort=since');
  expect(found.map(({ kind, why, nextAction }) => [kind, why, nextAction]).toSorted()).toEqual([
    ['API_KEY', 'EXPIRES_SOON', 'REPLACE_KEY'],
    ['COUNTERPARTY', 'REVIEW_DUE', 'RENEW_DUE_DILIGENCE'],
    ['SERVICE_KEY', 'REFUSED_BY_PROVIDER', 'REPLACE_KEY'],
    ['WEBHOOK', 'ENDPOINT_DISABLED', 'SET_WEBHOOK_URL'],
  ]);
  expect(found[0]).toMatchObject({ kind: 'COUNTERPARTY', resource: { id: entityId } });
  expect(found.find(({ kind }) => kind === 'API_KEY')).toMatchObject({
    resource: { id: key['id'] },
    deadlineAt: soon,
  });
  expect(JSON.stringify(found)).not.toContain('Secret');
  for (const { resource } of found.filter(({ kind }) => kind !== 'API_KEY'))
    expect((await tenant.get(resource.path)).status).toBe(200);
  await tenant.delete(`/tenant/me/api-keys/${String(key['id'])}`);
  expect(await items('_kind=API_KEY')).toEqual([]);
});

test('pages by position and by cursor show each item once; another tenant sees none', async () => {
  const made: string[] = [];
  for (let n = 0; n < 5; n += 1) made.push(await undecided());
  // Two that were made in the same millisecond.
  await database.pool.query(
    'update transactions set created_at = (select created_at from transactions where id = $1) where id = $2',
    [made[1], made[2]],
  );
  const { id } = (await configurations(tenant)).INCOMING;
  await draft(tenant, id, [rule()]);
  for (const order of ['ASC', 'DESC']) {
    const all = await items(`_sort=since&_order=${order}`);
    expect(all).toHaveLength(6);
    const byPosition = [
      await items(`_order=${order}&_end=4`),
      await items(`_order=${order}&_start=4`),
    ].flat();
    expect(byPosition).toEqual(all);
    const byCursor: WorkItem[] = [];
    for (let page = await items(`_order=${order}&_end=2`); page.length > 0;) {
      byCursor.push(...page);
      const after = encodeURIComponent(page.at(-1)?.cursor ?? '');
      page = await items(`_order=${order}&_end=2&_after=${after}`);
    }
    expect(byCursor).toEqual(all);
  }
  expect((await list('_kind=TRANSACTION,API_KEY')).headers.get('X-Total-Count')).toBe('5');
  expect(await items(`q=${made[0]}`)).toMatchObject([{ resource: { id: made[0] } }]);
  expect((await list('', stranger)).body).toEqual([]);
});

test.each([
  '_kind=OTHER',
  '_after=x',
  '_after=2026-13-01T00:00:00.000Z~TRANSACTION~a',
  '_sort=kind',
  '_status=x',
])('400: %s', async (query) => {
  expect((await list(query)).status).toBe(400);
});
