import type { WalletVerification } from '../../../domain/verifications/schema.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createVerification, readVerification, submit } from '../../factories/verification.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, { config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  tenant = await createTenant(api, { webhookUrl: 'http://127.0.0.1:9/hook' });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

/** As after a visual proof. */
async function toReview(): Promise<WalletVerification> {
  const made = await createVerification(tenant);
  await database.pool.query(
    `update verifications set status = 'ACTION_REQUIRED', flow = 'VISUAL_PROOF' where id = $1`,
    [made.id],
  );
  return made;
}

async function verified(): Promise<WalletVerification> {
  const made = await createVerification(tenant);
  return (await submit(tenant, made.id, { verificationFlow: 'SELF_DECLARED' })).body;
}

const patch = async (id: string, body: Json) => await tenant.patch(`/wallet-verification/${id}`, body);
const webhooks = async (id: string) =>
  (
    await database.pool.query<{ resource_version: number }>(
      'select resource_version from webhook_deliveries where resource_id = $1 order by 1',
      [id],
    )
  ).rows.map((row) => row.resource_version);

describe('PATCH', () => {
  test.each(['VERIFIED', 'DECLINED'])('a reviewer decides %s, with a reason, in the log', async (status) => {
    const { id } = await toReview();
    const answer = await patch(id, { status, statusReasoning: 'seen' });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { status, statusReasoning: 'seen', riskScore: 34, riskSeverity: 'medium' },
    ]);
    expect(answer.body['verifiedAt'] === null).toBe(status === 'DECLINED');
    const { body } = await tenant.get<Json[]>(`/wallet-verification/${id}/events`);
    expect(body[0]).toMatchObject({
      type: 'REVIEWED',
      actor: 'API_KEY',
      apiKeyId: tenant.apiKeyId,
      previousStatus: 'ACTION_REQUIRED',
      newStatus: status,
      basis: { kind: 'API_KEY' },
    });
    expect(JSON.stringify(body)).not.toContain('seen');
    expect(await webhooks(id)).toEqual([2]);
  });

  test.each([
    ['VERIFIED', 'DECLINED'],
    ['VERIFIED', 'VERIFIED'],
    ['DECLINED', 'DECLINED'],
  ])('of two reviewers at once, %s and %s, one wins and the other gets 409', async (one, other) => {
    const { id } = await toReview();
    const answers = await Promise.all([patch(id, { status: one }), patch(id, { status: other })]);
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    expect(won?.status).toBe(200);
    expect([lost?.status, lost?.body]).toMatchObject([409, { code: 'invalid_transition', allowed: [] }]);
    expect((await readVerification(tenant, id)).version).toBe(2);
  });

  test.each(['VERIFIED', 'DECLINED', 'ACTION_REQUIRED', 'FAILED', 'DELETED'])(
    'what is PENDING cannot be set to %s: 409 with nothing allowed',
    async (status) => {
      const { id } = await createVerification(tenant);
      const answer = await patch(id, { status });
      expect([answer.status, answer.body]).toMatchObject([409, { allowed: [] }]);
      expect((await readVerification(tenant, id)).version).toBe(1);
    },
  );

  test('409 names what may be set', async () => {
    const { id } = await toReview();
    const answer = await patch(id, { status: 'FAILED' });
    expect(answer.body).toMatchObject({ code: 'invalid_transition', allowed: ['VERIFIED', 'DECLINED'] });
  });

  test('texts change at any time, null clears, the same again is no change', async () => {
    const made = await createVerification(tenant, { metadata: 'first' });
    expect((await patch(made.id, { metadata: 'second', status: 'PENDING' })).body).toMatchObject({
      metadata: 'second',
      version: 2,
    });
    expect((await patch(made.id, { metadata: 'second' })).body).toMatchObject({ version: 2 });
    expect((await patch(made.id, { metadata: null })).body).toMatchObject({ metadata: null, version: 3 });
    expect((await patch(made.id, {})).body).toMatchObject({ version: 3 });
    expect(await webhooks(made.id)).toEqual([2, 3]);
  });

  test.each<[Json]>([
    [{ status: 'APPROVED' }],
    [{ status: null }],
    [{ statusReasoning: '' }],
    [{ metadata: 'x'.repeat(2_001) }],
    [{ asset: 'BTC' }],
  ])('%j is 400', async (body) => {
    const { id } = await toReview();
    expect((await patch(id, body)).status).toBe(400);
  });

  test('OBSERVER 403, a stranger 404', async () => {
    const { id } = await toReview();
    const path = `/wallet-verification/${id}`;
    expect((await (await tenant.as('OBSERVER')).patch(path, { status: 'VERIFIED' })).status).toBe(403);
    expect((await (await createTenant(api)).patch(path, { status: 'VERIFIED' })).status).toBe(404);
  });
});

describe('revoke', () => {
  test('makes a VERIFIED one DECLINED, with its reason, and tells', async () => {
    const { id } = await verified();
    const answer = await tenant.post(`/wallet-verification/${id}/revoke`, { reason: 'sold the wallet' });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { status: 'DECLINED', failureCode: 'REVOKED', statusReasoning: 'sold the wallet' },
    ]);
    expect(await webhooks(id)).toEqual([2, 3]);
    const again = await tenant.post(`/wallet-verification/${id}/revoke`, { reason: 'again' });
    expect([again.status, again.body]).toMatchObject([409, { code: 'invalid_transition', allowed: [] }]);
    const { body } = await tenant.get<Json[]>(`/wallet-verification/${id}/events`);
    expect(JSON.stringify(body)).not.toContain('sold');
  });

  test('409 for what was never accepted, 400 without a reason', async () => {
    const { id } = await createVerification(tenant);
    expect((await tenant.post(`/wallet-verification/${id}/revoke`, { reason: 'x' })).status).toBe(409);
    expect((await tenant.post(`/wallet-verification/${id}/revoke`, {})).status).toBe(400);
  });
});

describe('DELETE', () => {
  test('204, then 404 everywhere, and one last webhook that says DELETED', async () => {
    const { id, token } = await verified();
    expect((await tenant.delete(`/wallet-verification/${id}`)).status).toBe(204);
    const path = `/wallet-verification/${id}`;
    const answers = [
      await tenant.get(path),
      await tenant.get(`${path}/events`),
      await tenant.patch(path, { metadata: 'x' }),
      await tenant.delete(path),
      await tenant.post(`${path}/revoke`, { reason: 'x' }),
      await submit(tenant, id, { verificationFlow: 'SELF_DECLARED' }),
      await tenant.post(`/sandbox${path}/fire-timer`),
      await api.request('GET', '/wallet/verification', { headers: { 'X-Verification-Token': token } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    const { body } = await tenant.get<WalletVerification[]>(`/wallet-verification?q=${id}`);
    expect(body).toEqual([]);
    expect(await webhooks(id)).toEqual([2, 3]);
  });
});

describe('fire-timer', () => {
  test('202 ends the time of a PENDING one, 409 of any other', async () => {
    const made = await createVerification(tenant);
    const path = `/sandbox/wallet-verification/${made.id}/fire-timer`;
    const answer = await tenant.post(path);
    expect(answer.status).toBe(202);
    expect(Date.parse(String(answer.body['expiresAt']))).toBeLessThanOrEqual(Date.now());
    expect((await submit(tenant, made.id, { verificationFlow: 'SELF_DECLARED' })).status).toBe(410);
    const { id } = await verified();
    expect((await tenant.post(`/sandbox/wallet-verification/${id}/fire-timer`)).status).toBe(409);
  });
});
