import { createHash } from 'node:crypto';
import { findSeals } from '../../../db/evidence/read-seals.ts';
import { MANIFEST_PATH, SIGNATURE_PATH, type EvidenceManifest } from '../../../domain/evidence/manifest.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../../domain/durations.ts';
import { dayOf, startOf } from '../../../domain/seals/days.ts';
import { sealRound } from '../../../worker/seal-loop.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { formOf, png } from '../../factories/evidence.ts';
import { objectsIn, outcomeOf, recordEvidence, textsIn } from '../../factories/evidence-archive.ts';
import { createPerson } from '../../factories/people.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { unguarded } from '../../factories/tampering.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createMessagePair, createTransaction, readTransaction } from '../../factories/transaction.ts';
import type { TestUser } from '../../factories/user.ts';
import { createVerification, evmWallet } from '../../factories/verification.ts';
import { startTestSystem, type TestSystem } from '../../system.ts';
import { startReceiver, status, type Receiver } from '../../workflows/webhook-system.ts';

let system: TestSystem;
let hook: Receiver;
let tenant: TestTenant;
let reviewer: TestUser;
let id: string;
let verificationId: string;
const photo = png({ text: 'my wallet' });

beforeAll(async () => {
  const prices = { ETH: { usd: '4000', eur: '3600', source: 'test', pricedAt: new Date() } };
  system = await startTestSystem({ prices, config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  hook = await startReceiver(status(200));
  tenant = await createTenant(system, { webhookUrl: hook.url });
  reviewer = await createPerson(system, tenant, 'COMPLIANCE', { name: 'Rita Reviewer' });
  const { OUTGOING } = await configurations(tenant);
  const review = { conditions: { field: 'amount', operator: 'GT', value: '1' }, decision: 'REVIEW' };
  await draft(tenant, OUTGOING.id, [rule({ ...review, reason: 'Large payout' })]);
  await tenant.post(`/rule-engine/${OUTGOING.id}/publish`, { comment: 'First rules' });
  [id, verificationId] = await reviewedPayout();
});
afterAll(async () => {
  await system.stop();
  await hook.stop();
});

/** A payout that a person has let pass, to a wallet that is proven by a picture. */
async function reviewedPayout(): Promise<[id: string, verificationId: string]> {
  const { address } = evmWallet();
  const made = await createTransaction(tenant, {
    amount: '1.5',
    blockchainInfo: { blockchain: 'Ethereum', destination: address, destinationType: 'NON_CUSTODIAL' },
    originator: { type: 'NATURAL', name: 'Anna Keller' },
    beneficiary: { type: 'NATURAL', name: 'Anna Keller' },
  });
  await eventually(
    async () => await readTransaction(tenant, made.id),
    ({ clearance }) => clearance.nextAction === 'REVIEW',
  );
  const passed = { decision: 'PROCEED', reason: 'Known customer' };
  expect((await reviewer.post(`/transactions/${made.id}/review`, passed)).status).toBe(200);
  const proof = await createVerification(tenant, { address, allowedFlows: ['VISUAL_PROOF'] });
  const given = await fetch(`${system.url}/wallet-verification/${proof.id}/verification`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({ verificationFlow: 'VISUAL_PROOF' }, [
      { fileName: 'wallet.png', type: 'image/png', content: photo },
    ]),
  });
  expect(given.status).toBe(200);
  const seen = await reviewer.patch(`/wallet-verification/${proof.id}`, { status: 'VERIFIED' });
  expect(seen.status).toBe(200);
  await eventually(
    async () => await readTransaction(tenant, made.id),
    ({ status: now }) => now === 'CONFIRMED',
  );
  await eventually(
    async () =>
      (await tenant.get<Json[]>(`/tenant/me/webhook-deliveries?_resourceId=${made.id}`)).body.map(
        (delivery) => delivery['status'],
      ),
    (states) => states.length > 0 && states.every((state) => state === 'DELIVERED'),
  );
  return [made.id, proof.id];
}

/** Downloads the evidence of a transaction. */
async function download(of: string, { key = tenant.apiKey, query = '' } = {}): Promise<Buffer> {
  const answer = await fetch(`${system.url}/transactions/${of}/evidence${query}`, {
    headers: { 'X-Api-Key': key },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) throw new Error(bytes.toString());
  expect(answer.headers.get('Content-Type')).toBe('application/zip');
  expect(answer.headers.get('Content-Disposition')).toBe(`attachment; filename="evidence-${of}.zip"`);
  return bytes;
}
const keys = () => [system.db.vault.seals.publicKey];

describe('200', () => {
  let bytes: Buffer;
  let texts: Record<string, string>;
  beforeAll(async () => {
    bytes = await download(id);
    texts = await textsIn(bytes);
  });

  test('the archive has what was known, said and decided, and who did it', async () => {
    const folder = `proofs/${verificationId}`;
    const files = objectsIn(texts[`${folder}/files.jsonl`]);
    const picture = `${folder}/files/${String(files[0]?.['id'])}.png`;
    expect(Object.keys(texts)).toEqual([
      'transaction.json',
      'events.jsonl',
      'messages.jsonl',
      'screenings.jsonl',
      'decisions.jsonl',
      'rules.jsonl',
      'reviews.jsonl',
      'webhooks.jsonl',
      'webhook-attempts.jsonl',
      'exchanges.jsonl',
      `${folder}/verification.json`,
      `${folder}/events.jsonl`,
      `${folder}/files.jsonl`,
      picture,
      'users.jsonl',
      'seals.jsonl',
      'lines.jsonl',
      MANIFEST_PATH,
      SIGNATURE_PATH,
    ]);
    expect(JSON.parse(texts['transaction.json'] ?? '')).toEqual(await readTransaction(tenant, id));
    const log = (await tenant.get<Json[]>(`/transactions/${id}/events`)).body.toReversed();
    expect(objectsIn(texts['events.jsonl']).map(({ hash }) => hash)).toEqual(log.map(({ hash }) => hash));
    const screenings = objectsIn(texts['screenings.jsonl']);
    expect(JSON.stringify(screenings)).toContain('"OFAC_SDN"');
    const [decision] = objectsIn(texts['decisions.jsonl']);
    expect(decision).toMatchObject({ sequence: 1, decision: 'REVIEW', version: 1 });
    expect(JSON.stringify(decision)).toContain('"actual"');
    expect(objectsIn(texts['rules.jsonl'])).toMatchObject([
      { version: 1, comment: 'First rules', rules: [{ reason: 'Large payout' }] },
    ]);
    expect(objectsIn(texts['reviews.jsonl'])).toMatchObject([{ reason: 'Known customer' }]);
    const webhooks = objectsIn(texts['webhooks.jsonl']);
    expect(webhooks.every((webhook) => webhook['resourceId'] === id)).toBe(true);
    // On a slow machine one may have needed several.
    const attempted = objectsIn(texts['webhook-attempts.jsonl']).map(({ deliveryId }) => deliveryId);
    expect(new Set(attempted)).toEqual(new Set(webhooks.map((webhook) => webhook['id'])));
    expect(objectsIn(texts['users.jsonl'])).toEqual([
      { id: reviewer.user.id, name: 'Rita Reviewer', email: reviewer.user.email },
    ]);
    expect(files).toMatchObject([{ name: 'wallet.png', path: picture }]);
    expect(texts[`${folder}/verification.json`]).not.toContain('?token=');
    expect(JSON.parse(texts[`${folder}/verification.json`] ?? '')).toMatchObject({ token: null, url: null });
  });

  test('it is whole by the key of the seals, which is published with them', async () => {
    const { whole, broken } = await outcomeOf(bytes, keys());
    expect(broken).toBeNull();
    expect(whole?.manifest).toMatchObject({
      transactionId: id,
      tenantId: tenant.id,
      tenantName: tenant.name,
      environment: 'sandbox',
      requestedBy: { kind: 'API_KEY', id: tenant.apiKeyId },
      isHidden: false,
      publicKey: system.db.vault.seals.publicKey.pem,
    });
    expect(whole?.seals).toEqual({ compared: [], open: daysIn(texts) });
    const { files } = JSON.parse(texts[MANIFEST_PATH] ?? '') as EvidenceManifest;
    const picture = files.find(({ path }) => path.endsWith('.png'));
    expect(picture?.sha256).toBe(createHash('sha256').update(photo).digest('hex'));
  });

  test('its payload is the manifest, and no seal', () => {
    const [header = '', payload = ''] = (texts[SIGNATURE_PATH] ?? '').split('.');
    const { keyId } = system.db.vault.seals.publicKey;
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
      alg: 'EdDSA',
      kid: keyId,
      typ: 'waybill-evidence',
    });
    expect(Buffer.from(payload, 'base64url').toString()).toBe(texts[MANIFEST_PATH]);
    expect(system.db.vault.seals.open(texts[SIGNATURE_PATH] ?? '')).toBeNull();
  });

  test('the log of the verification says that its files were taken, and nothing without them', async () => {
    const typesOf = async () =>
      (await tenant.get<Json[]>(`/wallet-verification/${verificationId}/events`)).body.map(
        ({ type }) => type,
      );
    const before = (await typesOf()).filter((type) => type === 'FILES_EXPORTED').length;
    expect(before).toBeGreaterThan(0);
    const without = await download(id, { query: '?files=false' });
    const there = await textsIn(without);
    expect(Object.keys(there).filter((path) => path.includes('/files/'))).toEqual([]);
    expect(objectsIn(there[`proofs/${verificationId}/files.jsonl`])).toMatchObject([{ path: null }]);
    expect((await outcomeOf(without, keys())).broken).toBeNull();
    expect((await typesOf()).filter((type) => type === 'FILES_EXPORTED')).toHaveLength(before);
  });

  test('the audit log has each download, with who and what', async () => {
    const { body } = await tenant.get<Json[]>(
      `/tenant/me/audit-log?_operation=getTransactionEvidence&_recordId=${id}`,
    );
    expect(body[0]).toMatchObject({ actor: 'API_KEY', apiKeyId: tenant.apiKeyId, status: 200 });
    expect(body.some((entry) => (entry['parameters'] as Json)['files'] === 'false')).toBe(true);
  });
});

describe('both sides of a message', () => {
  let receiver: TestTenant;
  beforeAll(async () => void (receiver = await createTenant(system)));

  test('have every version of it', async () => {
    const sent = await createMessagePair(system, await createTenant(system), receiver);
    const { key } = { key: receiver.apiKey };
    const bytes = await download(sent.incomingId, { key });
    const [message, ...more] = objectsIn((await textsIn(bytes))['messages.jsonl']);
    expect(more).toEqual([]);
    expect(message).toMatchObject({ withheld: null, message: { originator: { name: 'Anna Keller' } } });
    expect((await outcomeOf(bytes, keys())).whole?.messages).toBe(1);
  });

  test('while party data is hidden, nothing in it names a party, nor lets a guessed name be confirmed', async () => {
    const hidden = { originator: { name: 'Quellario' }, beneficiary: { name: 'Quellario' } };
    const sent = await createMessagePair(system, await createTenant(system), receiver, {
      registered: false,
      body: hidden,
    });
    const { key } = { key: receiver.apiKey };
    const bytes = await download(sent.incomingId, { key });
    expect(bytes.toString('latin1')).not.toMatch(/quellario/i);
    const texts = await textsIn(bytes);
    expect(objectsIn(texts['messages.jsonl'])).toMatchObject([
      { salt: null, message: null, withheld: 'HIDDEN' },
    ]);
    expect([texts['screenings.jsonl'], texts['decisions.jsonl']]).toEqual(['', '']);
    const { whole } = await outcomeOf(bytes, keys());
    expect(whole).toMatchObject({ manifest: { isHidden: true }, messages: 0 });
  });
});

describe('what the deployment itself has lost or changed is named, though the signature is right', () => {
  const brokenAfter = async (tamper: (id: string) => Promise<unknown>) => {
    const sent = await createMessagePair(system, await createTenant(system), receiver);
    await unguarded(system.db.pool, async () => await tamper(sent.incomingId));
    return (await outcomeOf(await download(sent.incomingId, { key: receiver.apiKey }), keys())).broken;
  };
  let receiver: TestTenant;
  beforeAll(async () => void (receiver = await createTenant(system)));

  test.each([
    [
      'a message that is gone',
      'delete from payload_versions where transaction_id = $1',
      { path: 'messages.jsonl', line: 1, fault: 'the version of entry 1 was MISSING in the deployment' },
    ],
    [
      'a message that does not open',
      String.raw`update payload_versions set payload = '\x00' where transaction_id = $1`,
      { path: 'messages.jsonl', line: 1, fault: 'the version of entry 1 was UNREADABLE in the deployment' },
    ],
    [
      'an entry with other words',
      `update events set message = 'Nothing.' where subject_id = $1 and sequence = 1`,
      { path: 'events.jsonl', line: 1, fault: 'entry 1 was changed' },
    ],
    [
      'an entry that is gone',
      'delete from events where subject_id = $1 and sequence = 1',
      { path: 'events.jsonl', line: 1, fault: 'entry 1 is missing' },
    ],
    [
      'a status that nobody gave it',
      `update transactions set status = 'DECLINED' where id = $1`,
      { path: 'transaction.json', line: null, fault: 'has a status that no entry of the log explains' },
    ],
  ])('%s', async (_, statement, broken) => {
    expect(await brokenAfter(async (of) => await system.db.pool.query(statement, [of]))).toMatchObject(
      broken,
    );
  });
});

describe('refusals', () => {
  test('404 for another tenant, for a deleted transaction and for none', async () => {
    const stranger = await createTenant(system);
    expect((await stranger.get(`/transactions/${id}/evidence`)).status).toBe(404);
    const gone = await createTransaction(tenant);
    expect((await tenant.delete(`/transactions/${gone.id}`)).status).toBe(204);
    expect((await tenant.get(`/transactions/${gone.id}/evidence`)).status).toBe(404);
    expect((await tenant.get('/transactions/nothing/evidence')).status).toBe(404);
  });

  test('403 for OBSERVER, 405 for HEAD, 400 for a query that means nothing', async () => {
    const observer = await tenant.as('OBSERVER');
    expect((await observer.get(`/transactions/${id}/evidence`)).status).toBe(403);
    const url = `${system.url}/transactions/${id}/evidence`;
    const head = await fetch(url, { method: 'HEAD', headers: { 'X-Api-Key': tenant.apiKey } });
    expect(head.status).toBe(405);
    expect((await tenant.get(`/transactions/${id}/evidence?files=no`)).status).toBe(400);
  });
});

test('the seals of sealed days prove the logs', async () => {
  const now = addMs(startOf(dayOf(new Date())), 2 * DAY_MS + HOUR_MS);
  while (await sealRound({ db: system.db, now: () => now, notifyWorkflows: () => undefined }));
  const bytes = await download(id, { query: '?files=false' });
  const texts = await textsIn(bytes);
  const days = daysIn(texts);
  expect(texts[`seals/${days.at(-1)}.txt`]).toContain(` ${verificationId} `);
  const { whole, broken } = await outcomeOf(bytes, keys());
  expect([broken, whole?.seals]).toEqual([null, { compared: days, open: [] }]);
  await recordEvidence(system, { tenant, id, now });
  // A later change of a sealed day is one that the seal does not state, which only somebody else could have made.
  await tenant.patch(`/transactions/${id}`, { internalNote: 'later' });
  const day = dayOf(new Date((await readTransaction(tenant, id)).updatedAt));
  const later = await outcomeOf(await download(id, { query: '?files=false' }), keys());
  expect(later.broken).toMatchObject({
    fault: `the seal of ${day} does not fit the entries of that day`,
    path: 'seals.jsonl',
  });
});

test('a day with too many records has its seal without them, and nothing is proven by it', async () => {
  const days = daysIn(await textsIn(await download(id, { query: '?files=false' })));
  const { length } = await findSeals(system.db, tenant.id, days);
  const few = await findSeals(system.db, tenant.id, days, 0);
  expect(few.map(({ hasHeads }) => hasHeads)).toEqual(Array(length).fill(false));
});

test('a file that is lost cuts the connection, so that nobody takes a part for the whole', async () => {
  const { rows } = await system.db.pool.query<{ object_key: string }>(
    'select object_key from verification_files where verification_id = $1',
    [verificationId],
  );
  await system.deps.storage.delete(rows[0]?.object_key ?? '');
  await expect(download(id)).rejects.toThrow('terminated');
  expect(system.log).toContainEqual(
    expect.objectContaining({ msg: 'the evidence of a transaction could not be finished' }),
  );
  expect((await download(id, { query: '?files=false' })).length).toBeGreaterThan(0);
});

/** The days on which the logs of an archive grew. */
function daysIn(texts: Record<string, string>): string[] {
  const logs = Object.keys(texts).filter((path) => path.endsWith('events.jsonl'));
  const events = logs.flatMap((path) => objectsIn(texts[path]));
  return [...new Set(events.map(({ createdAt }) => String(createdAt).slice(0, 10)))].toSorted();
}
