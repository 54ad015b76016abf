import { verifyEvents } from '../../../db/events/verify-events.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createVerification,
  evmWallet,
  readVerification,
  signedFor,
  submit,
} from '../../factories/verification.ts';

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
  expect((await verifyEvents(database.pool, ids[0])).faults).toEqual([]);
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
  expect(await countOf(`events where type = 'PROOF_ACCEPTED' and subject_id`, [keyed.id, plain.id])).toBe(2);
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

test('of fifteen proofs at once that are none ten are looked at, and each has its number', async () => {
  const { id, proof } = await newProof();
  const wrong = { ...proof, message: 'another text' };
  const answers = await Promise.all(Array.from({ length: 15 }, async () => await submit(tenant, id, wrong)));
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
