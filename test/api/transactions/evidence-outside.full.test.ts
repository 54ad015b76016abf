import { ensureGateways } from '../../../db/gateways/ensure-gateways.ts';
import type { TransferClaim } from '../../../domain/claims/schema.ts';
import type { EvidenceManifest } from '../../../domain/evidence/manifest.ts';
import { INQUIRY_PATH, travelTokenIn } from '../../../domain/travel-address/travel-url.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Wallet } from '../../../domain/wallets/schema.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { askedClaim, createClaim, readClaim } from '../../factories/claim.ts';
import { objectsIn, outcomeOf, textsIn } from '../../factories/evidence-archive.ts';
import { createPartner } from '../../factories/partner.ts';
import {
  allowMails,
  createOutsider,
  openPortal,
  sendOutside,
  tokenFor,
  untilTransaction,
} from '../../factories/portal.ts';
import { selfSigned } from '../../factories/self-signed.ts';
import { startSmtp, type TestSmtp } from '../../factories/smtp.ts';
import { unguarded } from '../../factories/tampering.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { evmAddress } from '../../factories/transaction.ts';
import { payloadOf } from '../../domain/ivms101/fixtures.ts';
import { startTestSystem, type TestSystem } from '../../system.ts';

let smtp: TestSmtp;
let system: TestSystem;
let tenant: TestTenant;
beforeAll(async () => {
  smtp = await startSmtp();
  system = await startTestSystem({
    config: {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'waybill@alpine.example',
      RATE_LIMIT_HOSTED: 0,
      RATE_LIMIT_TRP: 0,
      WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'],
      TRUST_PROXY: true,
      TRP_CERT_HEADER: 'X-Client-Cert',
    },
  });
  await ensureGateways(system.db, new Date());
  tenant = await createTenant(system);
  await allowMails(system, tenant);
});
afterAll(async () => {
  await smtp.stop();
  await system.stop();
});

async function download(id: string, by = tenant): Promise<Buffer> {
  const answer = await fetch(`${system.url}/transactions/${id}/evidence`, {
    headers: { 'X-Api-Key': by.apiKey },
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

const checked = async (bytes: Buffer) => await outcomeOf(bytes, [system.db.vault.seals.publicKey]);

interface Evidence {
  bytes: Buffer;
  texts: Record<string, string>;
}

/** The evidence of a transaction, which is whole by the deployment's key. */
async function evidenceOf(id: string, by = tenant): Promise<Evidence> {
  const bytes = await download(id, by);
  expect((await checked(bytes)).broken).toBeNull();
  return { bytes, texts: await textsIn(bytes) };
}

const exchangesOf = async (id: string) => objectsIn((await evidenceOf(id)).texts['exchanges.jsonl']);
const someTime = expect.any(String) as string;

test('a message by e-mail: to which mailbox it went, and when it was opened and read', async () => {
  const mailbox = 'travel-rule@harbour.example';
  const id = await sendOutside(tenant, {
    beneficiaryVaspName: 'Harbour Outside',
    beneficiaryVaspEmail: mailbox,
  });
  const token = await tokenFor(smtp, mailbox);
  await untilTransaction(tenant, id, ({ subStatus }) => subStatus === 'EMAIL_SENT');
  const sent = {
    network: 'EMAIL',
    claimId: null,
    mailbox,
    mail: { status: 'SENT', attempts: 1, error: null },
    sentAt: someTime,
    openedAt: null,
    endedAt: null,
  };
  expect(await exchangesOf(id)).toMatchObject([sent]);
  const portal = await openPortal(system, smtp, { token, mailbox });
  await portal.patch('/portal/message', { destinationConfirmed: true });
  const { texts } = await evidenceOf(id);
  expect(objectsIn(texts['exchanges.jsonl'])).toMatchObject([
    { ...sent, openedAt: someTime },
    { network: 'GATEWAY', source: 'EMAIL', type: 'DESTINATION_CONFIRMED', createdAt: someTime },
  ]);
  // Whoever had the token could read the message.
  expect(Object.values(texts).join('\n')).not.toContain(token);
});

test('a claim by e-mail: to which mailbox the link went', async () => {
  const mailbox = 'claims@harbour.example';
  const vaspInfo = { originatorVaspName: 'Harbour Outside', originatorVaspEmail: mailbox };
  const claim = await createClaim(tenant, { vaspInfo });
  await tokenFor(smtp, mailbox);
  await eventually(
    async () =>
      (await tenant.get<{ type: string }[]>(`/claims/${claim.id}/events`)).body.map(({ type }) => type),
    (types) => types.includes('EMAIL_SENT'),
  );
  expect(await exchangesOf(String(claim.transactionId))).toMatchObject([
    { network: 'EMAIL', claimId: claim.id, mailbox, sentAt: someTime, openedAt: null },
  ]);
});

test('a message to a partner: each reading of its data', async () => {
  const { partner, apiKey } = await createPartner(system);
  const networks = [`PARTNER:${partner.name}`];
  const { name } = await createOutsider(system, { name: 'Straits Digital', networks });
  const id = await sendOutside(tenant, { beneficiaryVaspName: name });
  await untilTransaction(tenant, id, ({ status }) => status === 'DELIVERED');
  const ask = async (method: string, path = '', body?: Json) =>
    await system.request<{ id: string }>(method, `/partners/me/transactions${path}`, {
      headers: { 'X-Partner-Api-Key': apiKey.apiKey },
      ...(body && { body }),
    });
  const { body: messages } = (await ask('GET')) as unknown as { body: { id: string }[] };
  const path = `/${messages[0]!.id}`;
  await ask('PATCH', path, { destinationConfirmed: true });
  await ask('GET', path);
  await ask('GET', path);
  const readings = (await exchangesOf(id)).filter(({ type }) => type === 'DATA_READ');
  expect(readings.length).toBeGreaterThanOrEqual(2);
  expect(readings[0]).toMatchObject({ network: 'GATEWAY', source: networks[0], createdAt: someTime });
});

test('an inquiry by TRP: who sent it, by which certificate, and where it is told', async () => {
  const wallet = { address: evmAddress(), asset: 'ETH', blockchain: 'Ethereum' };
  const { id } = (await tenant.post<Wallet>('/wallets', wallet)).body;
  const { body } = await tenant.get<{ travelAddress: string }>(`/wallets/${id}/travel-address`);
  const certificate = selfSigned('trp.alpine.example', new Date('2035-01-01'));
  const taken = await system.request('POST', `${INQUIRY_PATH}${travelTokenIn(body.travelAddress)}?t=i`, {
    headers: {
      'api-version': '3.2.1',
      'request-identifier': 'request-7',
      'X-Client-Cert': encodeURIComponent(certificate.cert),
    },
    body: {
      asset: { slip0044: 60 },
      amount: 1.5,
      callback: 'https://alpine.example/resolutions/secret-path',
      IVMS101: payloadOf('21-analytics-2020.json'),
    },
  });
  expect(taken.status).toBe(200);
  const [message] = (await tenant.get<Transaction[]>(`/transactions?_destination=${wallet.address}`)).body;
  // An earlier message of the same record, which its sender has taken back.
  const { rowCount } = await system.db.pool.query(
    `insert into message_pairs (id, outgoing_tenant_id, outgoing_id, incoming_tenant_id, incoming_id, created_at, closed_at)
     select gen_random_uuid(), tenant_id, id, $1, $2, now(), now() from transactions t
     where not exists (select 1 from message_pairs p where t.id in (p.outgoing_id, p.incoming_id)) limit 1`,
    [tenant.id, message!.id],
  );
  expect(rowCount).toBe(1);
  const { texts } = await evidenceOf(message!.id);
  expect(objectsIn(texts['exchanges.jsonl'])).toMatchObject([
    {
      network: 'TRP',
      direction: 'INCOMING',
      requestIdentifier: 'request-7',
      host: 'alpine.example',
      certificate: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      provenEntityId: null,
      answer: null,
      told: null,
    },
  ]);
  // Whoever knows the address of the callback can answer for us.
  expect(Object.values(texts).join('\n')).not.toContain('secret-path');
});

/** A claim of a new tenant that `tenant` answers, once both sides know it. */
async function answeredClaim(): Promise<[side: TestTenant, claim: TransferClaim][]> {
  const asking = await createTenant(system);
  const claim = await createClaim(asking, { vaspInfo: { originatorVaspName: tenant.name } });
  const asked = (await eventually(
    async () => await askedClaim(tenant, claim),
    (found) => found !== undefined,
  )) as TransferClaim;
  const answer = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
  expect((await tenant.post(`/claims/${asked.id}/answer`, answer)).status).toBe(200);
  const sides: [TestTenant, string][] = [
    [tenant, asked.id],
    [asking, claim.id],
  ];
  const answered = async ([side, id]: [TestTenant, string]): Promise<[TestTenant, TransferClaim]> => [
    side,
    await eventually(
      async () => await readClaim(side, id),
      ({ status }) => status === 'ANSWERED',
    ),
  ];
  return await Promise.all(sides.map(answered));
}

test('a claim that the transaction answers, with its own log, on both sides', async () => {
  for (const [side, claim] of await answeredClaim()) {
    const { bytes, texts } = await evidenceOf(claim.transactionId ?? '', side);
    const path = `claims/${claim.id}/events.jsonl`;
    expect(JSON.parse(texts[`claims/${claim.id}/claim.json`] ?? '')).toEqual(claim);
    const log = objectsIn(texts[path]);
    expect(log.at(-1)).toMatchObject({ subjectKind: 'CLAIM', type: 'ANSWERED', newStatus: 'ANSWERED' });
    const { logs } = JSON.parse(texts['manifest.json'] ?? '') as EvidenceManifest;
    expect(logs).toContainEqual(
      expect.objectContaining({ kind: 'CLAIM', id: claim.id, path, sequence: log.length }),
    );
    const { whole } = await checked(bytes);
    expect(whole?.events).toBe(logs.reduce((sum, { sequence }) => sum + sequence, 0));
  }
});

test('a claim whose status or log was changed in the database is named', async () => {
  const [asked, asking] = await answeredClaim();
  const [side, claim] = asked!;
  const [asker, theirs] = asking!;
  await system.db.pool.query(`update claims set status = 'DECLINED' where id = $1`, [claim.id]);
  expect((await checked(await download(claim.transactionId ?? '', side))).broken).toMatchObject({
    path: `claims/${claim.id}/claim.json`,
    fault: 'has a status that no entry of the log explains',
  });
  await unguarded(system.db.pool, async () => {
    await system.db.pool.query('delete from events where subject_id = $1 and sequence = 1', [theirs.id]);
  });
  expect((await checked(await download(theirs.transactionId ?? '', asker))).broken).toMatchObject({
    path: `claims/${theirs.id}/events.jsonl`,
    line: 1,
  });
});
