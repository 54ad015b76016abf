import { parse } from 'csv-parse/sync';
import type { TransferClaim } from '../../domain/claims/schema.ts';
import type { SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import type { WalletVerification } from '../../domain/verifications/schema.ts';
import type { Wallet } from '../../domain/wallets/schema.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { auditLog } from '../factories/audit.ts';
import { createClaim } from '../factories/claim.ts';
import { fileOfExport, madeExport, type ShownExport } from '../factories/exports.ts';
import { createPerson } from '../factories/people.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createTransaction, evmAddress } from '../factories/transaction.ts';
import { createVerification, evmWallet, signedFor, submit } from '../factories/verification.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
let tenant: TestTenant;
let other: TestTenant;
beforeAll(async () => {
  system = await startTestSystem({ config: { RATE_LIMIT_WRITES: 0 } });
  other = await createTenant(system);
});
afterAll(async () => await system.stop());
beforeEach(async () => {
  tenant = await createTenant(system);
});

const FORMULA = '=HYPERLINK("http://x")';

async function made(body: Json, client: TestTenant = tenant): Promise<ShownExport> {
  const done = await madeExport(client, body);
  expect(done.status).toBe('READY');
  return done;
}

/** The lines of the CSV of a resource. */
async function csv(resource: string, filter: Json = {}): Promise<Json[]> {
  const done = await made({ resource, filter, format: 'CSV' });
  const lines: Json[] = parse(await fileOfExport(system, tenant, done), { columns: true });
  expect(lines).toHaveLength(done.rows);
  return lines;
}

/** The entries of the JSON of a resource. */
async function json<T>(resource: string, filter: Json = {}, client: TestTenant = tenant): Promise<T[]> {
  const done = await made({ resource, filter }, client);
  const entries = JSON.parse(await fileOfExport(system, client, done)) as T[];
  expect(entries).toHaveLength(done.rows);
  return entries;
}

const idsOf = (entries: readonly { id: unknown }[]) => entries.map(({ id }) => id);

/** Times around what was made so far and what comes next. */
async function between(): Promise<string> {
  const { rows } = await system.db.pool.query<{ now: Date }>('select clock_timestamp() as now');
  const now = rows[0]?.now ?? new Date();
  while (Date.now() <= now.getTime() + 1) await Promise.resolve();
  return new Date(now.getTime() + 1).toISOString();
}

test('claims: both directions, by direction, status and time', async () => {
  const first = await createClaim(tenant, { beneficiary: { name: FORMULA } });
  const middle = await between();
  const second = await createClaim(tenant);
  await tenant.patch(`/claims/${second.id}`, { status: 'CANCELLED', statusReasoning: 'No longer needed' });
  await createClaim(other);
  const lines = await csv('claims');
  expect(lines).toMatchObject([
    { id: first.id, direction: 'OUTGOING', 'beneficiary.name': `'${FORMULA}` },
    { id: second.id, status: 'CANCELLED', statusReasoning: 'No longer needed' },
  ]);
  const [shown] = await json<TransferClaim>('claims', { status: ['CANCELLED'] });
  expect(shown).toEqual((await tenant.get<TransferClaim>(`/claims/${second.id}`)).body);
  expect(idsOf(await json<TransferClaim>('claims', { until: middle }))).toEqual([first.id]);
  expect(idsOf(await json<TransferClaim>('claims', { from: middle }))).toEqual([second.id]);
  expect(await json('claims', { direction: 'INCOMING' })).toEqual([]);
});

test('wallets: by status and source', async () => {
  const register = async (body: Json) =>
    (
      await tenant.post<Wallet>('/wallets', {
        asset: 'ETH',
        blockchain: 'Ethereum',
        address: evmAddress(),
        ...body,
      })
    ).body;
  const wallet = await register({ metadata: '@SUM(1)', holderName: 'Ada Quill' });
  const unsure = await register({});
  await tenant.patch(`/wallets/${unsure.id}`, { status: 'UNCONFIRMED' });
  await other.post('/wallets', { asset: 'ETH', blockchain: 'Ethereum', address: evmAddress() });
  expect(await csv('wallets')).toMatchObject([
    { id: String(wallet.id), address: wallet.address, metadata: "'@SUM(1)", holderName: 'Ada Quill' },
    { id: String(unsure.id), status: 'UNCONFIRMED', metadata: '', confirmedAt: '' },
  ]);
  expect(await json('wallets', { status: ['CONFIRMED'], source: ['MANUAL', 'CSV'] })).toEqual([wallet]);
  expect(await json('wallets', { source: ['DETECTED'] })).toEqual([]);
});

test('verifications: by status, flow and step, without the address of the page', async () => {
  const wallet = evmWallet();
  const proven = await createVerification(tenant, { address: wallet.address, metadata: '-1' });
  await submit(tenant, proven.id, await signedFor(wallet, proven));
  const open = await createVerification(tenant, {
    customerIdentification: 'C-7',
    additionalSteps: [{ kind: 'SELFIE' }],
  });
  const deleted = await createVerification(tenant);
  await tenant.delete(`/wallet-verification/${deleted.id}`);
  await createVerification(other);
  const lines = await csv('verifications');
  expect(lines).toMatchObject([
    { id: proven.id, status: 'VERIFIED', flow: 'SIGNATURE_PROOF', metadata: "'-1" },
    { id: open.id, customerIdentification: 'C-7', additionalSteps: 'SELFIE NOT_STARTED' },
  ]);
  expect(JSON.stringify(lines)).not.toContain(open.token);
  const [shown] = await json<WalletVerification>('verifications', { status: ['PENDING'] });
  const { body } = await tenant.get<WalletVerification>(`/wallet-verification/${open.id}`);
  expect(shown).toEqual({ ...body, token: null, url: null });
  expect(idsOf(await json<WalletVerification>('verifications', { flow: ['SIGNATURE_PROOF'] }))).toEqual([
    proven.id,
  ]);
  expect(idsOf(await json<WalletVerification>('verifications', { step: ['NOT_STARTED'] }))).toEqual([
    open.id,
  ]);
});

test('screenings: on request and of transactions, with their matches', async () => {
  const asked = await tenant.post<SanctionsScreening>('/sanctions/search', { name: 'Barnabas Ravenscroft' });
  const clean = await tenant.post<SanctionsScreening>('/sanctions/search', { name: '+Ada Quill' });
  await other.post('/sanctions/search', { name: 'Barnabas Ravenscroft' });
  const [hit, ...rest] = await json<SanctionsScreening & { transactionId: string | null }>('screenings', {
    sanctioned: true,
  });
  expect(rest).toEqual([]);
  expect(hit).toEqual({ ...asked.body, transactionId: null });
  const lines = await csv('screenings', { kind: 'NAME' });
  expect(lines).toMatchObject([
    { id: asked.body.id, sanctioned: 'true', matches: expect.stringContaining('(OFAC_SDN)') as string },
    { id: clean.body.id, sanctioned: 'false', screenedName: "'+Ada Quill", matches: '' },
  ]);
  expect(await json('screenings', { kind: 'ADDRESS' })).toEqual([]);
});

test('screenings of a transaction name it, and go with it', async () => {
  const sent = await createTransaction(tenant, { originator: { name: 'Barnabas Ravenscroft' } });
  const ofSent = async () =>
    (await json<{ transactionId: string | null }>('screenings')).filter(
      ({ transactionId }) => transactionId === sent.id,
    );
  await eventuallyHeld(sent.id);
  expect(await ofSent()).not.toEqual([]);
  await system.db.pool.query('update transactions set deleted_at = now() where id = $1', [sent.id]);
  expect(await ofSent()).toEqual([]);
});

async function eventuallyHeld(id: string): Promise<void> {
  const isHeld = async () => {
    const { body } = await tenant.get<{ clearance: { reasons: string[] } }>(`/transactions/${id}`);
    return body.clearance.reasons.includes('SANCTIONS');
  };
  await eventually(isHeld, (held) => held);
}

/** As many operations as a filter takes. */
const MANY = ['listTransactions', ...Array.from({ length: 99 }, (_, at) => `operation${at}`)];

test('the audit log: as its list shows it, by actor, operation, user and key; each export is in it before its answer', async () => {
  const person = await createPerson(system, tenant, 'COMPLIANCE', { name: '=Rita' });
  await person.get('/transactions');
  const log = await auditLog(tenant);
  const entries = await json<Json>('audit');
  expect(entries).toEqual(expect.arrayContaining(log));
  const created = entries.filter(({ operation }) => operation === 'createExport');
  expect(created).toMatchObject([{ actor: 'API_KEY', apiKeyId: tenant.apiKeyId, status: 202 }]);
  const lines = await csv('audit', { userId: person.user.id, operation: MANY });
  expect(lines).toMatchObject([{ actor: 'USER', 'user.name': "'=Rita", operation: 'listTransactions' }]);
  expect(await csv('audit', { actor: ['USER'], apiKeyId: tenant.apiKeyId })).toEqual([]);
  // Another tenant finds nothing of these by their ids.
  expect(await json('audit', { userId: person.user.id }, other)).toEqual([]);
});

test('the manifest says what the file is and that it is whole, for nobody else and not before there is one', async () => {
  await createClaim(tenant);
  const done = await made({ resource: 'claims', filter: { direction: 'OUTGOING' }, format: 'CSV' });
  const { status, body } = await tenant.get(`/exports/${done.id}/manifest`);
  const { rows, sizeBytes, sha256, requestedBy, createdAt, finishedAt } = done;
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      exportId: done.id,
      tenant: { id: tenant.id, name: tenant.name },
      resource: 'claims',
      format: 'CSV',
      filter: { direction: 'OUTGOING' },
      purpose: 'For a test.',
      columns: expect.arrayContaining(['id', 'beneficiary.name']) as string[],
      productVersion: '0.1.0',
      rows,
      sizeBytes,
      sha256,
      requestedBy,
      createdAt,
      finishedAt,
    },
  });
  const [header] = (await fileOfExport(system, tenant, done)).split('\r\n');
  expect((body['columns'] as string[]).join(',')).toBe(header);
  expect(await other.get(`/exports/${done.id}/manifest`)).toMatchObject({ status: 404 });
  expect(await (await tenant.as('OBSERVER')).get(`/exports/${done.id}/manifest`)).toMatchObject({
    status: 403,
  });
  await system.db.pool.query(`update exports set state = 'MAKING' where id = $1`, [done.id]);
  expect(await tenant.get(`/exports/${done.id}/manifest`)).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  });
});

test.each([
  [{ resource: 'claims', format: 'IVMS101' }, '/format'],
  [{ resource: 'audit', format: 'CSV', filter: { direction: 'OUTGOING' } }, '/filter/direction'],
  [{ resource: 'wallets', format: 'CSV', filter: { status: ['PENDING'] } }, '/filter/status/0'],
  [{ resource: 'wallets', format: 'CSV', filter: { status: [] } }, '/filter/status'],
  [{ resource: 'claims', format: 'CSV', filter: { status: ['FAILED', 'FAILED'] } }, '/filter/status'],
  [{ resource: 'screenings', format: 'CSV', filter: { sanctioned: 'true' } }, '/filter/sanctioned'],
  [{ resource: 'audit', format: 'CSV', filter: { userId: 'x' } }, '/filter/userId'],
  [{ resource: 'audit', format: 'CSV', filter: { operation: [''] } }, '/filter/operation/0'],
  [{ resource: 'audit', format: 'CSV', filter: { operation: [...MANY, 'one'] } }, '/filter/operation'],
  [{ resource: 'verifications', format: 'CSV', purpose: 'x'.repeat(501) }, '/purpose'],
])('%j is refused at %s, and nothing is made', async (body, pointer) => {
  const answer = await tenant.post('/exports', { purpose: 'For a test.', ...body });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  expect((await tenant.get<Json[]>('/exports')).body).toEqual([]);
});
