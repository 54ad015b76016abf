import type { HostedVerification } from '../../../domain/verifications/hosted.ts';
import type { Json } from '../../api-client.ts';
import { createVerification, evmWallet, readVerification } from '../../factories/verification.ts';
import { useApi, useTenant, startSecondApi } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

async function call<T = Json>(method: string, path: string, token: string, body?: unknown) {
  return await api.request<T>(method, path, { headers: { 'X-Verification-Token': token }, body });
}

const textFor = async (token: string) =>
  await call<{ message: string; expiresAt: string }>('POST', '/wallet/verification/message', token, {});

const prove = async (token: string, body: unknown) =>
  await call<HostedVerification & Json>('POST', '/wallet/verification/proof', token, body);

describe('the token', () => {
  test('opens what the owner of the wallet may see, nothing that the tenant notes', async () => {
    const made = await createVerification(tenant, {
      metadata: 'internal words',
      customerIdentification: 'C-17',
      redirectUrl: 'https://app.example/back',
    });
    const answer = await call<HostedVerification>('GET', '/wallet/verification', made.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: made.id,
      tenantName: tenant.name,
      branding: { displayName: null, color: null, hasLogo: false, hasIcon: false },
      status: 'PENDING',
      failureCode: null,
      flow: null,
      allowedFlows: made.allowedFlows,
      asset: 'ETH',
      blockchain: 'Ethereum',
      addressFormat: 'EVM',
      address: made.address,
      satoshiFlow: {
        amount: null,
        depositAddress: null,
        deadlineAt: null,
        paymentUri: null,
        confirmationsNeeded: null,
        transfer: null,
        nearMisses: [],
      },
      triesLeft: 10,
      additionalSteps: [],
      redirectUrl: 'https://app.example/back',
      expiresAt: made.expiresAt,
    });
  });

  test('every wrong one gets the same 404', async () => {
    const [made, deleted] = [await createVerification(tenant), await createVerification(tenant)];
    await tenant.delete(`/wallet-verification/${deleted.id}`);
    const other = made.token.endsWith('A') ? 'B' : 'A';
    const wrong = [
      '',
      'x',
      made.id,
      made.token.slice(0, -1) + other,
      `${made.token}A`,
      made.token.slice(0, 60),
      made.token.toUpperCase(),
      deleted.token,
      deleted.token.slice(0, 22) + made.token.slice(22),
    ];
    const answers = await Promise.all(
      wrong.map(async (token) => await call('GET', '/wallet/verification', token || ' ')),
    );
    answers.push(await api.request('GET', '/wallet/verification'));
    for (const { status, body } of answers) {
      expect([status, body['code'], body['detail']]).toEqual([
        404,
        'not_found',
        'There is no such verification.',
      ]);
    }
  });

  test('in a query it opens nothing and reaches no log', async () => {
    const made = await createVerification(tenant);
    const answer = await api.request('GET', `/wallet/verification?token=${made.token}`);
    expect(answer.status).toBe(400);
    await fetch(`${api.url}/wallet/?token=${made.token}`);
    await call('GET', '/wallet/verification', made.token);
    expect(JSON.stringify(api.log)).not.toContain(made.token);
    expect(JSON.stringify(api.log)).toContain('"/wallet"');
  });

  test('is stored nowhere', async () => {
    const made = await createVerification(tenant);
    const { rows: tables } = await database.pool.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
    );
    const secret = Buffer.from(made.token, 'base64url').subarray(16);
    for (const { name } of tables) {
      const { rows } = await database.pool.query<{ text: string }>(`select t::text as text from ${name} t`);
      for (const needle of [made.token, made.token.slice(22), secret.toString('hex')]) {
        expect(rows.filter(({ text }) => text.includes(needle))).toEqual([]);
      }
    }
  });
});

describe('a signature over our own text', () => {
  test('is accepted, once, byte for byte, without any warning', async () => {
    const wallet = evmWallet();
    const made = await createVerification(tenant, { address: wallet.address });
    const { status, body } = await textFor(made.token);
    expect(status).toBe(201);
    expect(body.message).toMatch(/^127\.0\.0\.1:3000 wants you to sign in with your Ethereum account:\n/);
    expect(body.message).toContain(`Request ID: ${made.id}`);
    expect(body.message).not.toContain(made.token);
    expect(Date.parse(body.expiresAt) - Date.now()).toBeLessThanOrEqual(10 * 60_000);
    expect((await textFor(made.token)).body).toEqual(body);
    const signature = await wallet.signMessage(body);
    const proof = { verificationFlow: 'SIGNATURE_PROOF', message: body.message, signature };
    const changed = await prove(made.token, { ...proof, message: `${body.message} ` });
    expect([changed.status, changed.body]).toMatchObject([400, { errors: [{ code: 'not_our_text' }] }]);
    expect((await prove(made.token, proof)).body).toMatchObject({
      status: 'VERIFIED',
      flow: 'SIGNATURE_PROOF',
    });
    expect(await readVerification(tenant, made.id)).toMatchObject({
      status: 'VERIFIED',
      warnings: [],
      message: body.message,
    });
    expect((await prove(made.token, proof)).status).toBe(409);
    expect((await textFor(made.token)).status).toBe(409);
  });

  test('serves where an origin is asked for, too', async () => {
    const wallet = evmWallet();
    const made = await createVerification(tenant, { address: wallet.address, origin: 'https://app.example' });
    const { message } = (await textFor(made.token)).body;
    const signature = await wallet.signMessage({ message });
    const answer = await prove(made.token, { verificationFlow: 'SIGNATURE_PROOF', message, signature });
    expect(answer.body).toMatchObject({ status: 'VERIFIED' });
  });

  test('of another key is 400 and counted', async () => {
    const made = await createVerification(tenant);
    const { message } = (await textFor(made.token)).body;
    const signature = await evmWallet().signMessage({ message });
    const answer = await prove(made.token, { verificationFlow: 'SIGNATURE_PROOF', message, signature });
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'signature_mismatch' }]);
    const { body } = await tenant.get<Json[]>(`/wallet-verification/${made.id}/events`);
    expect(body[0]).toMatchObject({
      type: 'PROOF_REJECTED',
      actor: 'SYSTEM',
      data: { via: 'HOSTED_PAGE', attempt: 1 },
    });
  });

  test('no text without a signature flow, none after the end of the time', async () => {
    const made = await createVerification(tenant, { allowedFlows: ['SELF_DECLARED'] });
    expect((await textFor(made.token)).status).toBe(400);
    await tenant.post(`/sandbox/wallet-verification/${made.id}/fire-timer`);
    expect((await textFor(made.token)).status).toBe(410);
    expect((await prove(made.token, { verificationFlow: 'SELF_DECLARED' })).status).toBe(410);
  });
});

test('a declaration on the page is told to be one', async () => {
  const made = await createVerification(tenant);
  const answer = await prove(made.token, { verificationFlow: 'SELF_DECLARED' });
  expect([answer.status, answer.body]).toMatchObject([200, { status: 'VERIFIED', flow: 'SELF_DECLARED' }]);
});

test('a declaration has its text and the typed name, for the tenant alone, and in no event', async () => {
  const made = await createVerification(tenant);
  const declaration = { name: 'Anna <b>Keller</b>', statement: 'Ich erkläre, dass die Wallet mir gehört.' };
  const answer = await prove(made.token, { verificationFlow: 'SELF_DECLARED', declaration });
  expect(answer.status).toBe(200);
  expect(JSON.stringify(answer.body)).not.toContain('Keller');
  expect((await readVerification(tenant, made.id)).declaration).toEqual(declaration);
  const { body } = await tenant.get<Json[]>(`/wallet-verification/${made.id}/events`);
  expect(JSON.stringify(body)).not.toContain('Keller');
  const other = await createVerification(tenant);
  const proof = { verificationFlow: 'SELF_DECLARED', declaration };
  const { status } = await tenant.post(`/wallet-verification/${other.id}/verification`, proof);
  expect(status).toBe(400);
});

test('too many calls from one address are 429', async () => {
  const strict = await startSecondApi(api, { config: { RATE_LIMIT_HOSTED: 3 } });
  const statuses: number[] = [];
  for (let number = 0; number < 4; number += 1) {
    statuses.push((await strict.request('GET', '/wallet/verification')).status);
  }
  expect(statuses).toEqual([404, 404, 404, 429]);
});

describe('the page', () => {
  test('does not repeat the token of its address', async () => {
    const page = await fetch(`${api.url}/wallet/?token=abc`);
    expect([page.status, await page.text()]).toEqual([200, expect.not.stringContaining('abc')]);
  });

  test('is found without the slash at its end', async () => {
    const answer = await fetch(`${api.url}/wallet?token=abc`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, 'wallet/?token=abc']);
  });
});
