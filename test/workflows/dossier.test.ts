import { createHash } from 'node:crypto';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { formOf, png } from '../factories/evidence.ts';
import { fileOfExport, madeExport } from '../factories/exports.ts';
import { configurations, draft, rule } from '../factories/rules.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  evmAddress,
  evmHash,
  readTransaction,
} from '../factories/transaction.ts';
import { createVerification } from '../factories/verification.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
let tenant: TestTenant;
let found: { sentId: string; receivedId: string; claimId: string; proofId: string; walletId: number };

beforeAll(async () => {
  system = await startTestSystem({ config: { RATE_LIMIT_WRITES: 0 } });
  tenant = await createTenant(system);
  const { OUTGOING } = await configurations(tenant);
  const review = { conditions: { field: 'amount', operator: 'GT', value: '1' }, decision: 'REVIEW' };
  await draft(tenant, OUTGOING.id, [rule({ ...review, name: 'RuleSecret', reason: 'RuleReasonSecret' })]);
  await tenant.post(`/rule-engine/${OUTGOING.id}/publish`, { comment: 'First rules' });
  found = await plantRecords();
});
afterAll(async () => await system.stop());

const CUSTOMER = 'C-4711';

/** The customer has a name that a list has in another order, so that the listed form tells one from the other. */
const OWN = {
  type: 'NATURAL',
  name: 'Ravenscroft, Barnabas',
  customerIdentification: CUSTOMER,
  accountNumber: 'OWN-ACCOUNT',
  address: '1 Quill Street',
  dateOfBirth: '1980-02-29',
};
const OTHER = { type: 'NATURAL', name: 'OtherSecret Person', accountNumber: 'OtherAccountSecret' };

/** What a customer must not get, by kind. */
const FORBIDDEN = {
  'other persons': ['OtherSecret', 'OtherAccountSecret', 'JointSecret', 'HolderSecret'],
  'other addresses': ['0x00000000000000000000000000000000000c0ffe'],
  notes: ['NoteSecret', 'MetadataSecret', 'WalletNoteSecret', 'ProofNoteSecret', 'ExtraSecret'],
  'statuses and reasons': [
    'ReasoningSecret',
    'ReviewSecret',
    'LegalHoldSecret',
    'ClaimReasonSecret',
    'BLOCKED_BY',
  ],
  rules: ['RuleSecret', 'RuleReasonSecret'],
  screenings: ['OFAC_SDN', 'Barnabas Ravenscroft', 'sanction', 'SANCTIONS', 'risk'],
  'events and people': ['HELD', 'REVIEWED', 'SCREENED', 'Secret'],
};

/** Records of the customer of every kind, with a secret in each place where there may be one. */
async function plantRecords(): Promise<typeof found> {
  const sent = await createTransaction(tenant, {
    amount: '1.5',
    internalNote: 'NoteSecret',
    metadata: 'MetadataSecret',
    vaspInfo: { beneficiaryVaspName: 'Far Away Exchange', beneficiaryVaspExtraInfo: 'ExtraSecret' },
    blockchainInfo: { blockchain: 'Ethereum', destination: '0x00000000000000000000000000000000000c0ffe' },
    originator: OWN,
    beneficiary: OTHER,
    additionalOriginators: [{ name: 'JointSecret' }],
  });
  await eventually(
    async () => await readTransaction(tenant, sent.id),
    ({ clearance }) => clearance.nextAction === 'REVIEW',
  );
  await tenant.post(`/transactions/${sent.id}/review`, { decision: 'BLOCK', reason: 'ReviewSecret' });
  await tenant.put(`/transactions/${sent.id}/legal-hold`, { hold: true, reason: 'LegalHoldSecret' });
  const [receivedId, walletId, claimId] = await plantReceived();
  return { sentId: sent.id, receivedId, claimId, walletId, proofId: await plantProof() };
}

async function plantReceived(): Promise<[receivedId: string, walletId: number, claimId: string]> {
  const destination = evmAddress();
  const wallet = await tenant.post<{ id: number }>('/wallets', {
    asset: 'ETH',
    blockchain: 'Ethereum',
    address: destination,
    metadata: 'WalletNoteSecret',
    holderName: 'HolderSecret',
  });
  const transactionHash = evmHash();
  const received = await createTransaction(tenant, {
    direction: 'INCOMING',
    blockchainInfo: { blockchain: 'Ethereum', destination, transactionHash },
    originator: OTHER,
    beneficiary: OWN,
  });
  const claim = await tenant.post<{ id: string }>(`/transactions/${received.id}/claim`, {
    beneficiary: { name: OWN.name },
    vaspInfo: { originatorVaspName: 'Far Away Exchange' },
  });
  expect(claim.status).toBe(201);
  await tenant.patch(`/claims/${claim.body.id}`, {
    status: 'CANCELLED',
    statusReasoning: 'ClaimReasonSecret',
  });
  await tenant.patch(`/transactions/${received.id}`, {
    status: 'DECLINED',
    statusReasoning: 'ReasoningSecret',
  });
  return [received.id, wallet.body.id, claim.body.id];
}

const PHOTO = png({ text: 'my wallet' });

async function plantProof(): Promise<string> {
  const { id } = await createVerification(tenant, {
    customerIdentification: CUSTOMER,
    metadata: 'ProofNoteSecret',
    allowedFlows: ['VISUAL_PROOF'],
  });
  const given = await fetch(`${system.url}/wallet-verification/${id}/verification`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({ verificationFlow: 'VISUAL_PROOF' }, [
      { fileName: 'wallet.png', type: 'image/png', content: PHOTO },
    ]),
  });
  expect(given.status).toBe(200);
  await tenant.patch(`/wallet-verification/${id}`, {
    status: 'DECLINED',
    statusReasoning: 'ReasoningSecret',
  });
  return id;
}

interface Dossier extends Json {
  about: Json;
  transactions: Json[];
  verifications: Json[];
  wallets: Json[];
  found: Json;
}

async function textOf(purpose: string, customerIdentification = CUSTOMER, of = tenant): Promise<string> {
  const body = { resource: 'dossier', filter: { customerIdentification }, purpose };
  const done = await madeExport(of, body);
  expect(done).toMatchObject({ status: 'READY', purpose, filter: { customerIdentification } });
  return await fileOfExport(system, of, done);
}

const dossierOf = async (...given: Parameters<typeof textOf>) =>
  JSON.parse(await textOf(...given)) as Dossier;

test('an authority gets every record of the customer, with screenings, decisions, holds, reasons, notes and events', async () => {
  const text = await textOf('AUTHORITY');
  const dossier = JSON.parse(text) as Dossier;
  expect(dossier.found).toEqual({
    transactions: 2,
    claims: 1,
    verifications: 1,
    wallets: 1,
    deleted: { transactions: 0, verifications: 0 },
  });
  expect(dossier.transactions).toMatchObject([
    {
      transaction: await readTransaction(tenant, found.sentId),
      customerAs: ['ORIGINATOR'],
      blockedBy: 'REVIEW',
      legalHold: { reason: 'LegalHoldSecret' },
      reviews: [{ decision: 'BLOCK', reason: 'ReviewSecret' }],
      claims: [],
    },
    {
      transaction: { id: found.receivedId },
      customerAs: ['BENEFICIARY'],
      claims: [{ claim: { id: found.claimId } }],
    },
  ]);
  expect(dossier.verifications).toMatchObject([
    { verification: { id: found.proofId, token: null }, files: [{ name: 'wallet.png' }] },
  ]);
  expect(dossier.wallets).toMatchObject([{ id: found.walletId, holderName: 'HolderSecret' }]);
  // Whatever the customer must not get is in the records, or the test below would prove nothing.
  for (const secret of Object.values(FORBIDDEN).flat()) expect(text).toContain(secret);
});

test('a customer gets the own data, and nothing that would tip off or is of another person', async () => {
  const text = await textOf('DATA_SUBJECT');
  for (const [kind, secrets] of Object.entries(FORBIDDEN))
    expect([kind, secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()))]).toEqual([
      kind,
      [],
    ]);
  const { transactions, verifications, wallets, about } = JSON.parse(text) as Dossier;
  expect(about).toMatchObject({
    purpose: 'DATA_SUBJECT',
    customerIdentification: CUSTOMER,
    tenant: { id: tenant.id, name: tenant.name },
  });
  const customer = { name: OWN.name, accountNumber: OWN.accountNumber, dateOfBirth: OWN.dateOfBirth };
  expect(transactions).toMatchObject([
    {
      id: found.sentId,
      otherVasp: 'Far Away Exchange',
      customerAs: [{ role: 'ORIGINATOR', data: customer }],
    },
    {
      id: found.receivedId,
      customerAs: [{ role: 'BENEFICIARY', data: customer }],
      claims: [{ id: found.claimId, otherVasp: 'Far Away Exchange' }],
    },
  ]);
  const sha256 = createHash('sha256').update(PHOTO).digest('hex');
  expect(verifications).toMatchObject([{ id: found.proofId, files: [{ name: 'wallet.png', sha256 }] }]);
  expect(wallets).toMatchObject([{ id: found.walletId }]);
  for (const record of [...transactions, ...verifications]) expect(record).not.toHaveProperty('status');
});

test('whoever is an additional originator gets the own part of it alone; deleted records are counted', async () => {
  const joint = { type: 'NATURAL', name: 'Ada Quill', customerIdentification: 'C-joint' };
  const { id } = await createTransaction(tenant, { originator: OWN, additionalOriginators: [joint] });
  const deleted = await createTransaction(tenant, { originator: joint });
  expect((await tenant.delete(`/transactions/${deleted.id}`)).status).toBeLessThan(300);
  const proof = await createVerification(tenant, { customerIdentification: 'C-joint' });
  await tenant.delete(`/wallet-verification/${proof.id}`);
  const dossier = await dossierOf('DATA_SUBJECT', 'C-joint');
  expect(dossier.transactions).toMatchObject([{ id, customerAs: [{ role: 'ADDITIONAL_ORIGINATOR' }] }]);
  expect(JSON.stringify(dossier)).not.toContain('Barnabas');
  expect(dossier.found).toMatchObject({ transactions: 1, deleted: { transactions: 1, verifications: 1 } });
});

test('of an unknown customer there are no records, and the dossier says so; nor are there those of another tenant', async () => {
  const nothing = { transactions: 0, claims: 0, verifications: 0, wallets: 0 };
  for (const dossier of [
    await dossierOf('DATA_SUBJECT', 'C'.repeat(200)),
    await dossierOf('AUTHORITY', CUSTOMER, await createTenant(system)),
  ]) {
    expect(dossier).toMatchObject({ transactions: [], verifications: [], wallets: [], found: nothing });
  }
});

test("another VASP's customer with the same number, and a sealed message, are in no dossier", async () => {
  const receiver = await createTenant(system);
  await createTransaction(receiver, {
    direction: 'INCOMING',
    originator: { ...OTHER, customerIdentification: 'C-1' },
    beneficiary: { name: 'Jonas Brandt' },
  });
  const { incomingId } = await createMessagePair(system, tenant, receiver, {
    registered: false,
    body: { amount: '0.5', beneficiary: { name: 'Jonas Brandt', customerIdentification: 'C-1' } },
  });
  expect((await readTransaction(receiver, incomingId)).sealed).toBe(true);
  expect((await dossierOf('AUTHORITY', 'C-1', receiver)).transactions).toEqual([]);
});

test('the customer is nowhere in the database in plain text, nor in the workflow', async () => {
  const body = { resource: 'dossier', filter: { customerIdentification: 'C-hidden' }, purpose: 'AUTHORITY' };
  const { id } = await madeExport(tenant, body);
  const { rows } = await system.db.pool.query<{ row: string }>(
    `select e::text as row from exports e where id = $1
     union all select a::text from audit_entries a where tenant_id = $2`,
    [id, tenant.id],
  );
  const history = await system.client.workflow.getHandle(`export/${id}`).fetchHistory();
  expect(JSON.stringify([rows, history])).not.toContain('C-hidden');
});

describe('what is refused', () => {
  const BODY = { resource: 'dossier', format: 'JSON', purpose: 'AUTHORITY' };
  const filter = { customerIdentification: CUSTOMER };
  test.each([
    [{ ...BODY }, '/filter'],
    [{ ...BODY, filter: {} }, '/filter/customerIdentification'],
    [{ ...BODY, filter: { customerIdentification: '' } }, '/filter/customerIdentification'],
    [{ ...BODY, filter: { customerIdentification: 'x'.repeat(201) } }, '/filter/customerIdentification'],
    [{ ...BODY, filter: { ...filter, from: '2026-01-01T00:00:00Z' } }, '/filter/from'],
    [{ ...BODY, filter, purpose: 'A question of Inspector Quill' }, '/purpose'],
    [{ ...BODY, filter, purpose: undefined }, '/purpose'],
    [{ ...BODY, filter, format: 'CSV' }, '/format'],
  ])('%j at %s', async (body, pointer) => {
    expect(await tenant.post('/exports', body)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    });
  });

  test('a dossier for whoever may not export', async () => {
    const observer = await tenant.as('OBSERVER');
    expect((await observer.post('/exports', { ...BODY, filter })).status).toBe(403);
  });
});
