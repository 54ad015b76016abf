import { parseSignature } from 'viem';
import { readChains } from '../../../chains/chains-file.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import { anchorVerifications } from '../../../db/verifications/anchor-heads.ts';
import type { Json } from '../../api-client.ts';
import { WEBHOOK_URL } from '../../factories/tenant.ts';
import { evmAddress } from '../../factories/transaction.ts';
import {
  createVerification,
  evmWallet,
  readVerification,
  submit,
  verificationBody,
  signedFor,
} from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { chains } = readChains(
  JSON.stringify([
    {
      name: 'Ethereum',
      caip2: 'eip155:1',
      kind: 'EVM',
      nativeAsset: 'ETH',
      decimals: 18,
      rpcUrl: 'http://127.0.0.1:9',
      tokens: [{ asset: 'USDC', address: evmAddress(), decimals: 6 }],
    },
    {
      name: 'Bitcoin',
      caip2: 'bip122:000000000019d6689c085ae165831e93',
      kind: 'BITCOIN',
      nativeAsset: 'BTC',
      decimals: 8,
      esploraUrl: 'http://127.0.0.1:9',
    },
  ]),
);

const { api, database } = useApi({ config: { chains } });
const tenant = useTenant(api);

/** Rows of everything that a proof or a creation could leave; a wrong proof is an entry of the log. */
async function stored(): Promise<unknown> {
  const tables = ['verifications', 'signed_messages', 'satoshi_watches', 'webhook_deliveries', 'outbox'];
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  const { rows } = await database.pool.query(
    `select ${counts.join(', ')}, (select count(*) from events where type <> 'PROOF_REJECTED') as events`,
  );
  return rows[0];
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const word = (value: bigint) => value.toString(16).padStart(64, '0');
const MESSAGE = 'I own this wallet.\r\nReally.';
const permit = {
  types: { EIP712Domain: [], Permit: [{ name: 'value', type: 'uint256' }] },
  domain: { name: 'USD Coin' },
  primaryType: 'Permit',
  message: { value: '1' },
};

/** The signature with its last byte, v, replaced. */
const withV = (v: string) => (signature: string) => signature.slice(0, -2) + v;

function highTwin(signature: string): string {
  const { r, s } = parseSignature(signature as `0x${string}`);
  return `${r}${word(ORDER - BigInt(s))}${signature.endsWith('1b') ? '1c' : '1b'}`;
}

describe('a proof that is', () => {
  test.each<[string, string, (signature: string) => string]>([
    ['no hexadecimal', 'signature_malformed', (signature) => `${signature.slice(0, -1)}g`],
    ['a digit short', 'signature_malformed', (signature) => signature.slice(0, -1)],
    ['two bytes short', 'signature_malformed', (signature) => signature.slice(0, -4)],
    ['a byte long', 'signature_malformed', (signature) => `${signature}00`],
    ['written with 0X', 'signature_malformed', (signature) => `0X${signature.slice(2)}`],
    ['the high-s twin', 'signature_malformed', highTwin],
    ['of v 2', 'signature_malformed', withV('02')],
    ['of v 29', 'signature_malformed', withV('1d')],
    ['of v 37', 'signature_malformed', withV('25')],
    ['of r 0', 'signature_malformed', (signature) => `0x${word(0n)}${signature.slice(66)}`],
  ])('%s: 400, and nothing is stored', async (_what, code, change) => {
    const wallet = evmWallet();
    const made = await createVerification(tenant, { address: wallet.address });
    const signature = change(await wallet.signMessage({ message: MESSAGE }));
    await requireRefused(made.id, { message: MESSAGE, signature }, code);
  });

  test.each<[string, string, string]>([
    ['without a word', '', 'message_empty'],
    ['of 10 kB and a byte', 'x'.repeat(10_241), 'validation_failed'],
    ['with a lone surrogate', `${MESSAGE}\ud83d`, 'validation_failed'],
    ['of line ends that were changed', MESSAGE.replaceAll('\r\n', '\n'), 'signature_mismatch'],
    ['of a space more', `${MESSAGE} `, 'signature_mismatch'],
    ['typed data', JSON.stringify(permit), 'signature_typed_data'],
    ['typed data, spread over lines', JSON.stringify(permit, null, 2), 'signature_typed_data'],
    ['typed data in a list', JSON.stringify([permit]), 'signature_typed_data'],
    ['typed data as a text in JSON', JSON.stringify(JSON.stringify(permit)), 'signature_typed_data'],
  ])('over a text %s: 400, and nothing is stored', async (_what, message, code) => {
    const wallet = evmWallet();
    const made = await createVerification(tenant, { address: wallet.address });
    const signature = await wallet.signMessage({ message: MESSAGE });
    await requireRefused(made.id, { message, signature }, code);
  });

  async function requireRefused(id: string, proof: { message: string; signature: string }, code: string) {
    const before = await stored();
    const answer = await submit(tenant, id, { verificationFlow: 'SIGNATURE_PROOF', ...proof });
    expect([answer.status, answer.body]).toMatchObject([400, { code, detail: expect.any(String) }]);
    expect(JSON.stringify(answer.body)).not.toContain(proof.signature);
    expect(await stored()).toEqual(before);
    expect(await readVerification(tenant, id)).toMatchObject({ status: 'PENDING', message: null });
  }
});

describe('a satoshi test', () => {
  const wallet = evmAddress();
  const bitcoin = {
    blockchain: 'Bitcoin',
    asset: 'BTC',
    address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  };
  const depositAddress = evmAddress();
  const legacy = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';
  test.each<[string, Json, string]>([
    ['to the wallet itself', { satoshiFlow: { depositAddress: wallet } }, '/satoshiFlow/depositAddress'],
    [
      'to the wallet in capitals',
      { satoshiFlow: { depositAddress: `0x${wallet.slice(2).toUpperCase()}` } },
      '/satoshiFlow/depositAddress',
    ],
    ['to another chain', { satoshiFlow: { depositAddress: legacy } }, '/satoshiFlow/depositAddress'],
    [
      'below dust',
      { ...bitcoin, satoshiFlow: { depositAddress: legacy, amount: '0.00000545' } },
      '/satoshiFlow/amount',
    ],
    ['of nothing', { satoshiFlow: { depositAddress, amount: '0' } }, '/satoshiFlow/amount'],
    [
      'of more decimals than the asset has',
      { asset: 'USDC', satoshiFlow: { depositAddress, amount: '0.0000001' } },
      '/satoshiFlow/amount',
    ],
    ['without its deposit', { allowedFlows: ['SATOSHI_TEST'] }, '/satoshiFlow'],
    [
      'on a chain without a node',
      { blockchain: 'Polygon', allowedFlows: ['SATOSHI_TEST'], satoshiFlow: { depositAddress } },
      '/allowedFlows',
    ],
  ])('%s: 400 at its place, and nothing is stored', async (_what, change, pointer) => {
    const before = await stored();
    const body = verificationBody({ address: wallet, ...change });
    const answer = await tenant.post('/wallet-verification', body);
    expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ pointer }] }]);
    expect(await stored()).toEqual(before);
  });

  test('is taken where nothing of that is so', async () => {
    const made = await createVerification(tenant, { address: wallet, satoshiFlow: { depositAddress } });
    expect(made.allowedFlows).toContain('SATOSHI_TEST');
  });
});

describe('proofs that arrive together', () => {
  const tenant = useTenant(api, { webhookUrl: WEBHOOK_URL });

  async function newProof(wallet = evmWallet()) {
    const made = await createVerification(tenant, { address: wallet.address });
    return { id: made.id, proof: await signedFor(wallet, made) };
  }

  const newProofs = async (count: number) =>
    await Promise.all(Array.from({ length: count }, async () => await newProof()));

  async function countOf(rows: string, ids: readonly string[]): Promise<number | undefined> {
    const { rows: found } = await database.pool.query<{ n: number }>(
      `select count(*)::int as n from ${rows} = any($1::uuid[])`,
      [ids],
    );
    return found[0]?.n;
  }

  test('forty proofs that arrive together are each stored, logged, told and answered once', async () => {
    const all = await newProofs(40);
    const ids = all.map(({ id }) => id);
    const entriesBefore = api.outbox.length;
    const answers = await Promise.all(
      all.map(async ({ id, proof }) => await submit(tenant, id, proof, { 'Idempotency-Key': id })),
    );
    expect(answers.map(({ status, body }) => [status, body.id, body.status, body.version])).toEqual(
      ids.map((id) => [200, id, 'VERIFIED', 2]),
    );
    for (const { id, body } of answers.map(({ body }) => ({ id: body.id, body }))) {
      expect(await readVerification(tenant, id)).toEqual(body);
    }
    expect(await countOf(`events where type = 'PROOF_ACCEPTED' and subject_id`, ids)).toBe(40);
    expect(await countOf('webhook_deliveries where resource_id', ids)).toBe(40);
    expect(await countOf('signed_messages where verification_id', ids)).toBe(40);
    expect(await countOf('proof_attempts where attempts = 1 and verification_id', ids)).toBe(40);
    expect((await verifyEvents(api.db, ids[0])).faults).toEqual([]);
    const told = api.outbox.slice(entriesBefore).filter(({ workflow }) => workflow === 'walletVerification');
    expect(told.map(({ subjectId }) => subjectId).toSorted()).toEqual(ids.toSorted());

    const repeated = await Promise.all(
      all.map(async ({ id, proof }) => await submit(tenant, id, proof, { 'Idempotency-Key': id })),
    );
    expect(repeated.map(({ body }) => body)).toEqual(answers.map(({ body }) => body));
    expect(await countOf('proof_attempts where attempts = 1 and verification_id', ids)).toBe(40);
  });

  test('twins under one Idempotency-Key among others get one answer, and twins without one a single 200', async () => {
    const [keyed, plain, ...others] = await newProofs(6);
    if (!keyed || !plain) throw new Error('none made');
    const headers = { 'Idempotency-Key': `twins-${keyed.id}` };
    const answers = await Promise.all([
      ...[1, 2, 3].map(async () => await submit(tenant, keyed.id, keyed.proof, headers)),
      ...[1, 2, 3].map(async () => await submit(tenant, plain.id, plain.proof)),
      ...others.map(async ({ id, proof }) => await submit(tenant, id, proof)),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, 3)).toEqual([200, 200, 200]);
    expect(new Set(answers.slice(0, 3).map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(statuses.slice(3, 6).toSorted()).toEqual([200, 409, 409]);
    expect(new Set(statuses.slice(6))).toEqual(new Set([200]));
    expect(await countOf(`events where type = 'PROOF_ACCEPTED' and subject_id`, [keyed.id, plain.id])).toBe(
      2,
    );
  });

  test('a key that two different proofs bring at once is one of them, and 422 for the other', async () => {
    const [one, other] = await newProofs(2);
    if (!one || !other) throw new Error('none made');
    const headers = { 'Idempotency-Key': `shared-${one.id}` };
    const answers = await Promise.all(
      [one, other].map(async ({ id, proof }) => await submit(tenant, id, proof, headers)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    const refused = answers[0]?.status === 422 ? one : other;
    expect(await readVerification(tenant, refused.id)).toMatchObject({ status: 'PENDING', message: null });
    expect((await submit(tenant, refused.id, refused.proof)).body).toMatchObject({
      status: 'VERIFIED',
      warnings: [],
    });
  });

  test('one text for five verifications at once is new for one of them and replayed for the others', async () => {
    const wallet = evmWallet();
    const made = await Promise.all(
      [1, 2, 3, 4, 5].map(async () => await createVerification(tenant, { address: wallet.address })),
    );
    const message = `I own ${wallet.address}`;
    const proof = {
      verificationFlow: 'SIGNATURE_PROOF',
      message,
      signature: await wallet.signMessage({ message }),
    };
    const answers = await Promise.all(made.map(async ({ id }) => await submit(tenant, id, proof)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.filter(({ body }) => body.warnings.includes('MESSAGE_REPLAYED'))).toHaveLength(4);
  });

  test('a record that somebody holds keeps only its own proof waiting', async () => {
    const [held, ...others] = await newProofs(5);
    if (!held) throw new Error('none made');
    const holder = await database.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from verifications where id = $1 for no key update', [held.id]);
    let isAnswered = false;
    const waiting = submit(tenant, held.id, held.proof).finally(() => (isAnswered = true));
    const answers = await Promise.all(others.map(async ({ id, proof }) => await submit(tenant, id, proof)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(isAnswered).toBe(false);
    await holder.query('commit');
    holder.release();
    expect((await waiting).body).toMatchObject({ status: 'VERIFIED', warnings: [] });
  });

  test('a change between the look and the write is seen: what was proven meanwhile takes no other proof', async () => {
    const { id, proof } = await newProof();
    const { admitProof } = api.deps;
    api.deps.admitProof = async (arriving) => {
      api.deps.admitProof = admitProof;
      const admitted = await admitProof(arriving);
      await submit(tenant, id, { verificationFlow: 'SELF_DECLARED' });
      return admitted;
    };
    expect((await submit(tenant, id, proof)).status).toBe(409);
    expect(await readVerification(tenant, id)).toMatchObject({
      flow: 'SELF_DECLARED',
      message: null,
      version: 2,
    });
  });

  test('a head that is anchored between the look and the write keeps an anchor', async () => {
    const { id, proof } = await newProof();
    await database.pool.query('update verifications set head_mac = null where id = $1', [id]);
    const { admitProof } = api.deps;
    api.deps.admitProof = async (arriving) => {
      api.deps.admitProof = admitProof;
      const admitted = await admitProof(arriving);
      expect(await anchorVerifications(api.db)).toBeGreaterThan(0);
      return admitted;
    };
    expect((await submit(tenant, id, proof)).body).toMatchObject({ status: 'VERIFIED', warnings: [] });
    expect(await countOf('verifications where head_mac is not null and id', [id])).toBe(1);
    expect((await verifyEvents(api.db, id)).faults).toEqual([]);
  });

  test('of fifteen proofs at once that are none ten are looked at, and each has its number', async () => {
    const { id, proof } = await newProof();
    const wrong = { ...proof, message: 'another text' };
    const answers = await Promise.all(
      Array.from({ length: 15 }, async () => await submit(tenant, id, wrong)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(10);
    const { rows } = await database.pool.query<{ attempts: number }>(
      'select attempts from proof_attempts where verification_id = $1',
      [id],
    );
    // Those that came after the end were not counted any more.
    expect(rows[0]?.attempts).toBe(10 + statuses.filter((status) => status === 429).length);
    expect(await readVerification(tenant, id)).toMatchObject({ failureCode: 'TOO_MANY_ATTEMPTS' });
  });
});
