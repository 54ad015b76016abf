import { hashTypedData } from 'viem';
import { expireDueVerifications } from '../../../db/verifications/expire-due.ts';
import type { WalletVerification } from '../../../domain/verifications/schema.ts';
import type { Json } from '../../api-client.ts';
import { createTenant, WEBHOOK_URL } from '../../factories/tenant.ts';
import {
  createVerification,
  evmWallet,
  readVerification,
  signedFor,
  submit,
} from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api, { webhookUrl: WEBHOOK_URL });

async function walletAndVerification(overrides: Json = {}) {
  const wallet = evmWallet();
  const made = await createVerification(tenant, { address: wallet.address, ...overrides });
  return { wallet, made };
}

/** The bodies of all webhooks of a record, in order. */
async function webhooksOf({ id }: Pick<WalletVerification, 'id'>) {
  const { rows } = await database.pool.query<{
    kind: string;
    resource_kind: string;
    resource_version: number;
  }>(
    'select kind, resource_kind, resource_version from webhook_deliveries where resource_id = $1 order by resource_version',
    [id],
  );
  return rows;
}

const makeExpired = async (id: string) =>
  await database.pool.query(
    `update verifications set expires_at = now() - interval '1 millisecond' where id = $1`,
    [id],
  );

describe('200', () => {
  test('a signature of the address makes it VERIFIED, with message and signature, and is told by webhook', async () => {
    const { wallet, made } = await walletAndVerification();
    const proof = await signedFor(wallet, made);
    const answer = await submit(tenant, made.id, proof);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        id: made.id,
        status: 'VERIFIED',
        flow: 'SIGNATURE_PROOF',
        message: proof.message,
        signature: proof.signature,
        riskScore: 5,
        riskSeverity: 'low',
        warnings: [],
        version: 2,
      },
    ]);
    expect(await readVerification(tenant, made.id)).toEqual(answer.body);
    expect(await webhooksOf(made)).toEqual([
      { kind: 'wallet-verification', resource_kind: 'VERIFICATION', resource_version: 2 },
    ]);
  });

  test('a declaration makes it VERIFIED, at a higher risk', async () => {
    const made = await createVerification(tenant);
    const answer = await submit(tenant, made.id, { verificationFlow: 'SELF_DECLARED' });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { status: 'VERIFIED', flow: 'SELF_DECLARED', message: null, signature: null, riskSeverity: 'medium' },
    ]);
  });

  test('both come as a form as well', async () => {
    const { wallet, made } = await walletAndVerification();
    const proof = await signedFor(wallet, made);
    const signed = await submitForm(made.id, { ...proof });
    expect([signed.status, signed.body]).toMatchObject([200, { status: 'VERIFIED', message: proof.message }]);
    const other = await createVerification(tenant);
    const declared = await submitForm(other.id, { verificationFlow: 'SELF_DECLARED' });
    expect([declared.status, declared.body]).toMatchObject([200, { status: 'VERIFIED' }]);
  });

  test('the same request under an Idempotency-Key gets the same answer, and one log entry', async () => {
    const { wallet, made } = await walletAndVerification();
    const proof = await signedFor(wallet, made);
    const headers = { 'Idempotency-Key': `proof-${made.id}` };
    const first = await submit(tenant, made.id, proof, headers);
    const second = await submit(tenant, made.id, proof, headers);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    const other = await submit(tenant, made.id, { ...proof, message: 'other' }, headers);
    expect([other.status, other.body]).toMatchObject([422, { code: 'idempotency_key_reused' }]);
  });

  test('of two proofs at once one is accepted', async () => {
    const { wallet, made } = await walletAndVerification();
    const proof = await signedFor(wallet, made);
    const answers = await Promise.all([submit(tenant, made.id, proof), submit(tenant, made.id, proof)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await readVerification(tenant, made.id)).version).toBe(2);
  });
});

async function submitForm(id: string, parts: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) form.append(name, value);
  const answer = await fetch(`${api.url}/wallet-verification/${id}/verification`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: form,
  });
  return { status: answer.status, body: (await answer.json()) as Json };
}

describe('warnings', () => {
  test('a text that was signed for another verification, of whichever tenant, is told and costs risk', async () => {
    const stranger = await createTenant(api);
    const wallet = evmWallet();
    const message = `I own ${wallet.address}`;
    const proof = {
      verificationFlow: 'SIGNATURE_PROOF',
      message,
      signature: await wallet.signMessage({ message }),
    };
    const [first, second] = [
      await createVerification(stranger, { address: wallet.address }),
      await createVerification(tenant, { address: wallet.address }),
    ];
    expect((await submit(stranger, first.id, proof)).body).toMatchObject({
      warnings: ['UNBOUND_MESSAGE'],
      riskScore: 25,
    });
    const replayed = await submit(tenant, second.id, proof);
    expect([replayed.status, replayed.body]).toMatchObject([
      200,
      {
        status: 'VERIFIED',
        warnings: expect.arrayContaining(['UNBOUND_MESSAGE', 'MESSAGE_REPLAYED']),
        riskScore: 65,
        riskSeverity: 'medium',
      },
    ]);
    expect(JSON.stringify(replayed.body)).not.toContain(first.id);
  });

  test('a sign-in text of another site and a text that names nothing are told', async () => {
    const foreign = await walletAndVerification();
    const message = [
      'evil.example wants you to sign in with your Ethereum account:',
      foreign.wallet.address,
      '',
      'URI: https://evil.example',
      'Version: 1',
      'Chain ID: 1',
      'Nonce: abcdefgh1',
      `Issued At: ${new Date().toISOString()}`,
    ].join('\n');
    const signature = await foreign.wallet.signMessage({ message });
    const answer = await submit(tenant, foreign.made.id, {
      verificationFlow: 'SIGNATURE_PROOF',
      message,
      signature,
    });
    expect(answer.body).toMatchObject({
      status: 'VERIFIED',
      warnings: ['FOREIGN_DOMAIN', 'UNBOUND_MESSAGE'],
    });

    const unbound = await walletAndVerification();
    const hello = {
      verificationFlow: 'SIGNATURE_PROOF',
      message: 'hello',
      signature: await unbound.wallet.signMessage({ message: 'hello' }),
    };
    expect((await submit(tenant, unbound.made.id, hello)).body).toMatchObject({
      status: 'VERIFIED',
      warnings: ['UNBOUND_MESSAGE'],
    });
  });

  test('with an origin they are refusals, and a sign-in of that origin is accepted once', async () => {
    const origin = 'https://app.example';
    const { wallet, made } = await walletAndVerification({ origin });
    const free = await submit(tenant, made.id, await signedFor(wallet, made));
    expect([free.status, free.body]).toMatchObject([400, { errors: [{ pointer: '/message' }] }]);
    const message = [
      'app.example wants you to sign in with your Ethereum account:',
      wallet.address,
      '',
      'URI: https://app.example',
      'Version: 1',
      'Chain ID: 1',
      'Nonce: abcdefgh1',
      `Issued At: ${new Date().toISOString()}`,
    ].join('\n');
    const proof = {
      verificationFlow: 'SIGNATURE_PROOF',
      message,
      signature: await wallet.signMessage({ message }),
    };
    expect((await submit(tenant, made.id, proof)).body).toMatchObject({ status: 'VERIFIED', warnings: [] });
    const again = await createVerification(tenant, { address: wallet.address, origin });
    const replayed = await submit(tenant, again.id, proof);
    expect([replayed.status, replayed.body]).toMatchObject([
      400,
      { errors: [{ pointer: '/message', code: 'message_replayed' }] },
    ]);
    expect(await readVerification(tenant, again.id)).toMatchObject({ status: 'PENDING', message: null });
  });
});

describe('400', () => {
  test.each([
    ['no signer at all', { signature: `0x${'00'.repeat(65)}` }, 'signature_malformed'],
    ['not hex', { signature: 'no-hex-here' }, 'signature_malformed'],
    ['a capital X', { signature: `0X${'11'.repeat(65)}` }, 'signature_malformed'],
    ['too short', { signature: `0x${'11'.repeat(63)}` }, 'signature_malformed'],
    ['empty', { signature: '' }, 'signature_malformed'],
    ['an empty message', { message: '' }, 'message_empty'],
    ['a changed message', { message: 'another text' }, 'signature_mismatch'],
    [
      'typed data',
      { message: '{"types":{},"domain":{},"primaryType":"Permit","message":{}}' },
      'signature_typed_data',
    ],
    ['a message over 10 kB', { message: 'x'.repeat(10_241) }, 'validation_failed'],
    ['no message', { message: undefined }, 'validation_failed'],
    ['an unknown field', { note: 'x' }, 'validation_failed'],
    ['an unknown flow', { verificationFlow: 'TRUST_ME' }, 'validation_failed'],
    ['a flow in small letters', { verificationFlow: 'signature_proof' }, 'validation_failed'],
  ])('%s: refused, and the verification stays PENDING with nothing of it', async (_what, change, code) => {
    const { wallet, made } = await walletAndVerification();
    const proof = { ...(await signedFor(wallet, made)), ...change };
    const answer = await submit(tenant, made.id, proof);
    expect([answer.status, answer.body]).toMatchObject([400, { code }]);
    expect(JSON.stringify(answer.body)).not.toContain(proof.signature || 'nothing');
    expect(await readVerification(tenant, made.id)).toMatchObject({
      status: 'PENDING',
      flow: null,
      message: null,
      signature: null,
    });
    expect(await webhooksOf(made)).toEqual([]);
  });

  test('the signature of another key', async () => {
    const { made } = await walletAndVerification();
    const answer = await submit(tenant, made.id, await signedFor(evmWallet(), made));
    expect([answer.status, answer.body]).toMatchObject([400, { code: 'signature_mismatch' }]);
  });

  test('a flow that the verification does not allow', async () => {
    const made = await createVerification(tenant, { allowedFlows: ['SIGNATURE_PROOF'] });
    for (const verificationFlow of ['SELF_DECLARED', 'SATOSHI_TEST', 'VISUAL_PROOF']) {
      const answer = await submit(tenant, made.id, { verificationFlow });
      expect([answer.status, answer.body]).toMatchObject([
        400,
        { errors: [{ pointer: '/verificationFlow', code: 'flow_not_allowed' }] },
      ]);
    }
    expect((await readVerification(tenant, made.id)).version).toBe(1);
  });

  test('the tenth wrong proof is 400 like the others and makes it FAILED, with one webhook; then 409', async () => {
    const { wallet, made } = await walletAndVerification();
    const proof = await signedFor(wallet, made);
    const wrong = { ...proof, message: 'another text' };
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const before = await readVerification(tenant, made.id);
      expect([attempt, before.status]).toEqual([attempt, 'PENDING']);
      const answer = await submit(tenant, made.id, wrong);
      expect([attempt, answer.status, answer.body['code']]).toEqual([attempt, 400, 'signature_mismatch']);
    }
    expect(await readVerification(tenant, made.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'TOO_MANY_ATTEMPTS',
    });
    expect(await webhooksOf(made)).toHaveLength(1);
    const late = await submit(tenant, made.id, proof);
    expect([late.status, late.body]).toMatchObject([409, { code: 'verification_completed' }]);
  });

  test('the repeat of a refused request under its Idempotency-Key gets the same refusal, and is no further try', async () => {
    const { made } = await walletAndVerification();
    const wrong = await signedFor(evmWallet(), made);
    const headers = { 'Idempotency-Key': `wrong-${made.id}` };
    const first = await submit(tenant, made.id, wrong, headers);
    const second = await submit(tenant, made.id, wrong, headers);
    expect([first.status, first.body]).toMatchObject([400, { code: 'signature_mismatch' }]);
    expect([second.status, second.body]).toEqual([400, first.body]);
    expect(second.headers.get('Content-Type')).toBe('application/problem+json');
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    const { rows } = await database.pool.query<{ bad_tries: number }>(
      'select bad_tries from verifications where id = $1',
      [made.id],
    );
    expect(rows).toEqual([{ bad_tries: 1 }]);
  });

  test('twenty wrong proofs at once end it once', async () => {
    const { made } = await walletAndVerification();
    const wrong = await signedFor(evmWallet(), made);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => await submit(tenant, made.id, wrong)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    expect(statuses.every((status) => [400, 409, 429].includes(status))).toBe(true);
    const { rows } = await database.pool.query<{ type: string }>(
      `select type from events where subject_id = $1 and type = 'TOO_MANY_ATTEMPTS'`,
      [made.id],
    );
    expect(rows).toHaveLength(1);
  });
});

describe('no proof any more', () => {
  test('409 after completion, whatever is sent', async () => {
    const { wallet, made } = await walletAndVerification();
    await submit(tenant, made.id, { verificationFlow: 'SELF_DECLARED' });
    for (const body of [await signedFor(wallet, made), { verificationFlow: 'SELF_DECLARED' }]) {
      const answer = await submit(tenant, made.id, body);
      expect([answer.status, answer.body]).toMatchObject([
        409,
        { code: 'verification_completed', status: 409 },
      ]);
    }
  });

  test('410 by the clock alone, marked as expired or not', async () => {
    const { wallet, made } = await walletAndVerification();
    await makeExpired(made.id);
    const answer = await submit(tenant, made.id, await signedFor(wallet, made));
    expect([answer.status, answer.body]).toMatchObject([410, { code: 'verification_expired' }]);
    await expireDueVerifications(api.db, new Date(), []);
    expect((await tenant.get(`/wallet-verification/${made.id}`)).body).toMatchObject({ status: 'FAILED' });
    expect((await submit(tenant, made.id, await signedFor(wallet, made))).status).toBe(410);
  });

  test('404 after deletion, and for what is somebody else’s', async () => {
    const { wallet, made } = await walletAndVerification();
    const stranger = await createTenant(api);
    const proof = await signedFor(wallet, made);
    expect((await submit(stranger, made.id, proof)).status).toBe(404);
    await tenant.delete(`/wallet-verification/${made.id}`);
    expect((await submit(tenant, made.id, proof)).status).toBe(404);
  });
});

test('401 without a key, 403 for an OBSERVER', async () => {
  const { wallet, made } = await walletAndVerification();
  const path = `/wallet-verification/${made.id}/verification`;
  const body = await signedFor(wallet, made);
  expect((await api.request('POST', path, { body })).status).toBe(401);
  expect((await (await tenant.as('OBSERVER')).post(path, body)).status).toBe(403);
  expect((await readVerification(tenant, made.id)).status).toBe('PENDING');
});

test('429 for the eleventh proof within a minute, with the time to wait', async () => {
  // A form without a usable proof is no wrong proof, but a proof that was looked at.
  const made = await createVerification(tenant, { allowedFlows: ['VISUAL_PROOF'] });
  await database.pool.query(`insert into proof_attempts values ($1, $2, now() - interval '20 seconds', 10)`, [
    made.id,
    tenant.id,
  ]);
  const answer = await submit(tenant, made.id, { verificationFlow: 'VISUAL_PROOF' });
  expect([answer.status, answer.body]).toMatchObject([429, { code: 'rate_limited' }]);
  const seconds = Number(answer.headers.get('Retry-After'));
  expect(seconds).toBeGreaterThan(10);
  expect(seconds).toBeLessThanOrEqual(40);
  await database.pool.query(
    `update proof_attempts set window_started_at = now() - interval '61 seconds' where verification_id = $1`,
    [made.id],
  );
  expect((await submit(tenant, made.id, { verificationFlow: 'VISUAL_PROOF' })).status).toBe(400);
});

test('a permit that is submitted as proof is found nowhere: not stored, not logged, not answered', async () => {
  const { wallet, made } = await walletAndVerification();
  const typed = {
    domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: wallet.address },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'value', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: wallet.address, value: 1_000_000n },
  } as const;
  const signature = await wallet.signTypedData(typed);
  const text = JSON.stringify(typed, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
  for (const message of [text, hashTypedData(typed), 'Canarrio permit']) {
    const answer = await submit(
      tenant,
      made.id,
      { verificationFlow: 'SIGNATURE_PROOF', message, signature },
      { 'Idempotency-Key': `canary-${message.length}` },
    );
    expect(answer.status).toBe(400);
    expect(JSON.stringify([answer.body, ...answer.headers])).not.toContain(signature.slice(2, 40));
  }
  const needles = [signature.slice(2, 60), Buffer.from(signature.slice(2, 60)).toString('hex'), 'Canarrio'];
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ text: string }>(`select t::text as text from ${name} t`);
    for (const needle of needles) expect(rows.filter(({ text }) => text.includes(needle))).toEqual([]);
  }
  for (const needle of needles) expect(JSON.stringify(api.log)).not.toContain(needle);
  // What is sealed cannot be searched from outside: read it.
  const opened = JSON.stringify([
    await readVerification(tenant, made.id),
    (await tenant.get(`/wallet-verification/${made.id}/events`)).body,
  ]);
  for (const needle of needles) expect(opened).not.toContain(needle);
});
