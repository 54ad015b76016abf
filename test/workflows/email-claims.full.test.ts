import type { TransferClaim } from '../../domain/claims/schema.ts';
import type { PortalClaim, PortalLinkView } from '../../domain/portal/schema.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { workflowId } from '../../workflows/contract.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { claimEvents, createClaim, readClaim } from '../factories/claim.ts';
import {
  allowMails,
  createOutsider,
  openPortal,
  portalOf,
  sendOutside,
  tokenFor,
  untilTransaction,
} from '../factories/portal.ts';
import { startSmtp, type TestSmtp } from '../factories/smtp.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createBody } from '../factories/transaction.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let smtp: TestSmtp;
let system: TestSystem;
/** It asks. */
let tenant: TestTenant;

beforeAll(async () => {
  smtp = await startSmtp();
  system = await startTestSystem({
    config: { SMTP_URL: smtp.url, MAIL_FROM: 'Waybill <waybill@alpine.example>', RATE_LIMIT_HOSTED: 0 },
  });
  tenant = await createTenant(system, { webhookUrl: 'https://alpine.example/in' });
  await allowMails(system, tenant);
});
afterAll(async () => {
  await smtp.stop();
  await system.stop();
});

let count = 0;
const newMailbox = () => `claims-${(count += 1)}@cove${count}.example`;
const NAMED = { beneficiary: { name: 'Jonas Brandt' } };
const DATA = {
  amount: '0.5',
  originator: { type: 'NATURAL', name: 'Anna Keller', dateOfBirth: '1984-03-12', country: 'CH' },
  beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
};

const becomes = async (id: string, status: string, by = tenant) =>
  await eventually(
    async () => await readClaim(by, id),
    (claim) => claim.status === status,
  );
const transferOf = async ({ transactionId }: TransferClaim) =>
  (await tenant.get<Transaction>(`/transactions/${transactionId}`)).body;
const mailsTo = (mailbox: string) => smtp.received.filter(({ to }) => to.includes(mailbox));
const isMailed = async ({ id }: TransferClaim, by = tenant) =>
  await eventually(
    async () => await claimEvents(by, id),
    (types) => types.includes('EMAIL_SENT'),
  );

/** A claim that went to a mailbox that its tenant names. */
async function mailed(overrides: Json = {}, by = tenant) {
  const mailbox = newMailbox();
  const vaspInfo = { originatorVaspName: `Cove ${count}`, originatorVaspEmail: mailbox };
  const claim = await createClaim(by, { vaspInfo, ...NAMED, ...overrides });
  const token = await tokenFor(smtp, mailbox);
  await isMailed(claim, by);
  return { claim, mailbox, token };
}

/** Such a claim, to a mailbox at a domain that the directory has of the VASP. */
async function mailedToKnown() {
  const mailbox = newMailbox();
  const domain = mailbox.slice(mailbox.indexOf('@') + 1);
  const vasp = await createOutsider(system, {
    name: `Cove ${count}`,
    email: mailbox,
    emailDomains: [domain],
  });
  const claim = await createClaim(tenant, { vaspInfo: { originatorVaspName: vasp.name }, ...NAMED });
  const token = await tokenFor(smtp, mailbox);
  await isMailed(claim);
  return { claim, mailbox, token, entityId: vasp.id };
}

async function opened(overrides: Json = {}) {
  const sent = await mailed(overrides);
  return { ...sent, portal: await openPortal(system, smtp, sent) };
}

/** The kinds and versions of the webhooks that a record has sent. */
async function webhooksOf(id: string | null): Promise<string[]> {
  const { rows } = await system.db.pool.query<{ kind: string }>(
    'select kind from webhook_deliveries where resource_id = $1 order by resource_version',
    [id],
  );
  return rows.map(({ kind }) => kind);
}

test('a claim to a VASP on no network goes by e-mail, is opened with a code, and its answer completes the record', async () => {
  const { claim, mailbox, token, entityId } = await mailedToKnown();
  const waiting = await readClaim(tenant, claim.id);
  expect(waiting).toMatchObject({ status: 'PENDING', travelRuleMessageSource: 'EMAIL' });
  const mail = await smtp.mailTo(mailbox);
  for (const secret of ['Brandt', claim.blockchainInfo.transactionHash, claim.blockchainInfo.destination])
    expect(mail.text).not.toContain(secret);
  const link = await portalOf(system, token).get<PortalLinkView>('/portal/link');
  expect(link.body).toMatchObject({
    state: 'OPEN',
    kind: 'CLAIM',
    tenantName: tenant.name,
    expiresAt: claim.deadlineAt,
  });
  expect((await portalOf(system, token).get('/portal/claim')).status).toBe(401);

  const portal = await openPortal(system, smtp, { token, mailbox });
  expect(await readClaim(tenant, claim.id)).toMatchObject({ status: 'DELIVERED' });
  const shown = await portal.get<PortalClaim>('/portal/claim');
  expect(shown.body).toMatchObject({
    status: 'DELIVERED',
    amountDecimal: null,
    blockchainInfo: claim.blockchainInfo,
    vaspInfo: { beneficiaryVaspName: tenant.name },
    beneficiary: { name: 'Jonas Brandt' },
    requestedFields: claim.requestedFields,
    isAnsweredHere: false,
  });
  expect((await portal.get('/portal/message')).status).toBe(404);

  const answer = await portal.post<PortalClaim>('/portal/claim/answer', DATA);
  expect([answer.status, answer.body]).toMatchObject([
    200,
    { status: 'ANSWERED', isAnsweredHere: true, amountDecimal: '0.5' },
  ]);
  const ended = await becomes(claim.id, 'ANSWERED');
  expect(ended.transactionId).toBe(claim.transactionId);
  expect(await transferOf(claim)).toMatchObject({
    amountDecimal: '0.5',
    originator: { name: 'Anna Keller', dateOfBirth: '1984-03-12' },
    beneficiary: { name: 'Jonas Brandt' },
    travelRuleMessageSource: 'EMAIL',
    vaspInfo: { originatorVaspEntityId: entityId },
  });
  // The page takes one answer, so nobody would see what is asked for afterwards.
  const repair = { fields: ['originator.placeOfBirth'], reason: 'We know two.' };
  const asked = await tenant.post(`/transactions/${claim.transactionId}/repair`, repair);
  expect([asked.status, asked.body]).toMatchObject([409, { code: 'invalid_transition' }]);
  expect(await webhooksOf(claim.id)).toContain('claim');
  // It is announced with its verdict.
  await eventually(
    async () => await webhooksOf(claim.transactionId),
    (kinds) => kinds.includes('transaction'),
  );
  const types = await claimEvents(tenant, claim.id);
  expect(types).toEqual(['CREATED', 'EMAIL_SENT', 'DELIVERED', 'EMAIL_OPENED', 'ANSWERED']);
  // The log says which networks were tried before.
  const { body: events } = await tenant.get<{ type: string; data: Json }[]>(`/claims/${claim.id}/events`);
  expect(events.find(({ type }) => type === 'EMAIL_SENT')?.data).toMatchObject({
    skipped: ['NATIVE:NO_TENANT', 'PARTNER:NO_PARTNER', 'TRP:NO_TRAVEL_ADDRESS'],
  });
});

describe('the mailbox', () => {
  test('that the directory does not vouch for sees no name; its answer completes the record, and speaks for nobody', async () => {
    for (const address of [`cove${(count += 1)}@gmail.com`, newMailbox()]) {
      const { name } = await createOutsider(system, {
        name: `Vouching ${(count += 1)}`,
        emailDomains: [`vouching${count}.example`],
      });
      const vaspInfo = { originatorVaspName: name, originatorVaspEmail: address };
      const claim = await createClaim(tenant, { vaspInfo, ...NAMED });
      const token = await tokenFor(smtp, address);
      const portal = await openPortal(system, smtp, { token, mailbox: address });
      const shown = await portal.get<PortalClaim>('/portal/claim');
      expect(shown.body.beneficiary).toBeNull();
      expect(JSON.stringify(shown.body)).not.toContain('Brandt');
      expect((await portal.post('/portal/claim/answer', DATA)).status).toBe(200);
      await becomes(claim.id, 'ANSWERED');
      const record = await transferOf(claim);
      expect(record).toMatchObject({
        originator: { name: 'Anna Keller' },
        travelRuleMessageSource: 'EMAIL',
        vaspInfo: { originatorVaspEntityId: null },
      });
    }
  });

  test('that the server refuses is followed by the next; after the last one the claim has failed', async () => {
    const [named, listed] = [newMailbox(), newMailbox()];
    const { name } = await createOutsider(system, { name: `Refusing Cove ${count}`, email: listed });
    smtp.refused.add(named);
    const vaspInfo = { originatorVaspName: name, originatorVaspEmail: named };
    const claim = await createClaim(tenant, { vaspInfo });
    await isMailed(claim);
    await smtp.mailTo(listed);
    expect(await claimEvents(tenant, claim.id)).toEqual(['CREATED', 'EMAIL_FAILED', 'EMAIL_SENT']);

    smtp.refused.add(listed);
    const other = await createClaim(tenant, { vaspInfo });
    const failed = await becomes(other.id, 'FAILED');
    expect(failed.failureCode).toBe('VASP_NOT_REACHABLE');
    expect(await claimEvents(tenant, other.id)).toEqual([
      'CREATED',
      'EMAIL_FAILED',
      'EMAIL_FAILED',
      'FAILED',
    ]);
  });

  test('gets nothing while the tenant has not switched e-mail on; the log says so', async () => {
    const quiet = await createTenant(system);
    const mailbox = newMailbox();
    const vaspInfo = { originatorVaspName: 'Nobody', originatorVaspEmail: mailbox };
    const claim = await createClaim(quiet, { vaspInfo });
    expect((await becomes(claim.id, 'FAILED', quiet)).failureCode).toBe('VASP_NOT_FOUND');
    expect(mailsTo(mailbox)).toEqual([]);
    const { body } = await quiet.get<{ type: string; data: Json }[]>(`/claims/${claim.id}/events`);
    expect(body[0]?.data['skipped']).toEqual(['EMAIL:SWITCHED_OFF']);
  });

  test('gets the claim where the VASP has a travel address: TRP has no message for claims', async () => {
    const mailbox = newMailbox();
    const { id, name } = await createOutsider(system, { name: `Travelling ${count}`, email: mailbox });
    await system.db.pool.query(`update entities set travel_address = $2 where id = $1`, [id, TRAVEL_ADDRESS]);
    const claim = await createClaim(tenant, { vaspInfo: { originatorVaspName: name } });
    await isMailed(claim);
    const { body } = await tenant.get<{ type: string; data: Json }[]>(`/claims/${claim.id}/events`);
    expect(body.find(({ type }) => type === 'EMAIL_SENT')?.data['skipped']).toContain('TRP:NO_CLAIMS');
  });
});

/** Of no deployment. */
const TRAVEL_ADDRESS = 'ta2W2HPKfHxgSgrzY178knqXHg1H3jfeQrwQ9JrKBs9wv';

describe('an answer', () => {
  test('of which there are ten at once counts once; the others are 409', async () => {
    const { claim, portal } = await opened();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const originator = { type: 'NATURAL', name: `Anna Keller ${index}` };
        return (await portal.post('/portal/claim/answer', { ...DATA, originator })).status;
      }),
    );
    expect(answers.toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
    const { rows } = await system.db.pool.query<{ n: number }>(
      `select count(*)::int as n from transactions where hash_normal = (select hash_normal from claims where id = $1)`,
      [claim.id],
    );
    // The record of the asking side and the message: a refused answer leaves nothing.
    expect(rows[0]?.n).toBe(2);
    expect((await portal.post('/portal/claim/answer', DATA)).status).toBe(409);
  });

  test('and a refusal at once: one of them counts, on both sides', async () => {
    const { claim, portal } = await opened();
    const [answered, declined] = await Promise.all([
      portal.post('/portal/claim/answer', DATA),
      portal.patch('/portal/claim', { status: 'DECLINED' }),
    ]);
    expect([answered.status, declined.status].toSorted()).toEqual([200, 409]);
    const status = answered.status === 200 ? 'ANSWERED' : 'DECLINED';
    await becomes(claim.id, status);
    expect((await portal.get<PortalClaim>('/portal/claim')).body.status).toBe(status);
  });

  test('with a listed name is held before anything counts', async () => {
    const { claim, portal } = await opened();
    const originator = { type: 'NATURAL', name: 'Barnabas Ravenscroft' };
    expect((await portal.post('/portal/claim/answer', { ...DATA, originator })).status).toBe(200);
    // At once: the verdict is stored with the answer.
    const held = await transferOf(claim);
    expect(held.subStatus).toBe('ON_HOLD');
    expect(held.clearance.nextAction).toBe('REVIEW');
  });

  test('leaves what the tenant has said itself, and shows the difference beside it', async () => {
    const { claim, portal } = await opened();
    const beneficiary = { type: 'NATURAL', name: 'Somebody Else' };
    await portal.post('/portal/claim/answer', { ...DATA, beneficiary });
    const record = await untilTransaction(
      tenant,
      claim.transactionId ?? '',
      ({ received }) => received !== null,
    );
    expect(record.beneficiary?.name).toBe('Jonas Brandt');
    expect(record.received?.differences).toContain('/beneficiary/name');
  });

  test('that comes in another way first ends the claim, and the portal says so', async () => {
    const { claim, portal, mailbox } = await openedUnnamed();
    const sender = await createTenant(system);
    const { blockchain, transactionHash, destination } = claim.blockchainInfo;
    const before = mailsTo(mailbox).length;
    await sender.post(
      '/transactions',
      createBody({
        ...DATA,
        blockchainInfo: { blockchain, transactionHash, destination },
        vaspInfo: { beneficiaryVaspName: tenant.name },
      }),
    );
    await becomes(claim.id, 'ANSWERED');
    const shown = await portal.get<PortalClaim>('/portal/claim');
    expect(shown.body).toMatchObject({ status: 'ANSWERED', isAnsweredHere: false });
    expect((await portal.post('/portal/claim/answer', DATA)).status).toBe(409);
    expect((await smtp.mailTo(mailbox, before)).subject).toContain('about a transfer');
  });

  test('after the deadline is 409, and so is a refusal, even before the workflow has ended the claim', async () => {
    const { claim, portal } = await opened();
    await system.db.pool.query(
      `update claims set deadline_at = now() - interval '1 second' where id = $1 or counterpart_id = $1`,
      [claim.id],
    );
    const late = await portal.post('/portal/claim/answer', DATA);
    expect([late.status, late.body['code']]).toEqual([409, 'invalid_transition']);
    expect((await portal.patch('/portal/claim', { status: 'DECLINED' })).status).toBe(409);
    await system.wake('claimRequest', claim.id);
    await becomes(claim.id, 'EXPIRED');
    expect((await portal.get<PortalClaim>('/portal/claim')).body.status).toBe('EXPIRED');
  });

  test('without the originator, or with a transaction, is 400', async () => {
    const { portal } = await opened();
    for (const body of [
      {},
      { beneficiary: DATA.beneficiary },
      { ...DATA, transactionId: crypto.randomUUID() },
    ])
      expect((await portal.post('/portal/claim/answer', body)).status).toBe(400);
  });
});

/** An opened claim that names no VASP but a mailbox. */
async function openedUnnamed() {
  const mailbox = newMailbox();
  const claim = await createClaim(tenant, { vaspInfo: { originatorVaspEmail: mailbox } });
  const token = await tokenFor(smtp, mailbox);
  await isMailed(claim);
  return { claim, mailbox, token, portal: await openPortal(system, smtp, { token, mailbox }) };
}

test('a claim is declined with a reason, which the asking tenant learns', async () => {
  const { claim, portal } = await opened();
  const reasoning = { statusReasoning: 'These coins are not from us.' };
  const { body } = await portal.patch<PortalClaim>('/portal/claim', { status: 'DECLINED', ...reasoning });
  expect(body).toMatchObject({ status: 'DECLINED', ...reasoning });
  expect(await becomes(claim.id, 'DECLINED')).toMatchObject(reasoning);
  for (const status of ['CANCELLED', 'ANSWERED'])
    expect((await portal.patch('/portal/claim', { status })).status).toBe(409);
  expect((await portal.patch('/portal/claim', { status: 'DECLINED' })).status).toBe(200);
  expect((await portal.post('/portal/claim/answer', DATA)).status).toBe(409);
});

describe('the link', () => {
  test('locks after ten wrong codes, and a new one takes its place', async () => {
    const { mailbox, token } = await mailed();
    const portal = portalOf(system, token);
    await portal.post('/portal/code');
    const right = (await smtp.mailTo(mailbox, 1)).subject.slice(0, 6);
    const wrong = right === '000000' ? '000001' : '000000';
    for (let number = 0; number < 10; number += 1) await portal.post('/portal/session', { code: wrong });
    expect((await portal.post('/portal/session', { code: right })).status).toBe(409);
    expect((await portal.get('/portal/link')).body).toMatchObject({ state: 'LOCKED', kind: 'CLAIM' });
    expect((await portal.post('/portal/new-link')).status).toBe(202);
    const renewed = await tokenFor(smtp, mailbox, 2);
    expect((await portal.get('/portal/link')).body).toMatchObject({ state: 'REPLACED' });
    const again = await openPortal(system, smtp, { token: renewed, mailbox });
    expect((await again.get('/portal/claim')).status).toBe(200);
  });

  test('gets no other mailbox a mail, once the directory has another', async () => {
    const { claim, mailbox, token, entityId } = await mailedToKnown();
    const next = `next-${mailbox}`;
    const patched = await system.request('PATCH', `/operator/entities/${entityId}`, {
      operatorKey: system.operatorKey,
      body: { email: next },
    });
    expect(patched.status).toBe(200);
    await system.db.pool.query('update claims set wake_at = now() where id = $1', [claim.id]);
    await system.wake('claimRequest', claim.id);
    const nextToken = await tokenFor(smtp, next);
    expect((await portalOf(system, token).post('/portal/new-link')).status).toBe(409);
    expect((await portalOf(system, nextToken).post('/portal/new-link')).status).toBe(202);
    await smtp.mailTo(next, 1);
    expect([mailsTo(mailbox).length, mailsTo(next).length]).toEqual([1, 2]);
  });

  test('of a message leads to no claim, and a session of one claim opens no other', async () => {
    const messageBox = newMailbox();
    await sendOutside(tenant, { beneficiaryVaspName: 'Nobody Known', beneficiaryVaspEmail: messageBox });
    const token = await tokenFor(smtp, messageBox);
    const message = await openPortal(system, smtp, { token, mailbox: messageBox });
    expect((await message.get('/portal/link')).body).toMatchObject({ kind: 'TRANSACTION' });
    expect((await message.get('/portal/claim')).status).toBe(404);
    expect((await message.patch('/portal/claim', { status: 'DECLINED' })).status).toBe(404);
    expect((await message.post('/portal/claim/answer', DATA)).status).toBe(404);

    const [one, other] = [await opened(), await mailed()];
    const session = await system.db.pool.query('select 1 from portal_links where claim_id = $1', [
      one.claim.id,
    ]);
    expect(session.rowCount).toBe(1);
    expect((await portalOf(system, other.token, one.token).get('/portal/claim')).status).toBe(401);
    expect((await portalOf(system, 'A'.repeat(64)).get('/portal/claim')).status).toBe(404);
  });

  test('is sent again when three quarters of the time are over and nobody has opened it', async () => {
    const { claim, mailbox, token } = await mailed();
    await system.db.pool.query('update claims set remind_at = now(), wake_at = now() where id = $1', [
      claim.id,
    ]);
    await system.wake('claimRequest', claim.id);
    expect(await tokenFor(smtp, mailbox, 1)).toBe(token);
    expect((await smtp.mailTo(mailbox)).subject).toContain('Reminder');
    const types = await eventually(
      async () => await claimEvents(tenant, claim.id),
      (all) => all.includes('REMINDED'),
    );
    expect(types.filter((type) => type === 'REMINDED')).toHaveLength(1);
  });

  test('that has expired by then is replaced by the one in the reminder', async () => {
    const { claim, mailbox, token } = await mailed();
    await system.db.pool.query('update portal_links set expires_at = created_at where claim_id = $1', [
      claim.id,
    ]);
    await system.db.pool.query('update claims set remind_at = now(), wake_at = now() where id = $1', [
      claim.id,
    ]);
    await system.wake('claimRequest', claim.id);
    const renewed = await tokenFor(smtp, mailbox, 1);
    expect(renewed).not.toBe(token);
    expect((await portalOf(system, token).get('/portal/link')).body).toMatchObject({ state: 'REPLACED' });
    await openPortal(system, smtp, { token: renewed, mailbox });
    const { body } = await tenant.get<{ type: string; message: string }[]>(`/claims/${claim.id}/events`);
    expect(body.find(({ type }) => type === 'REMINDED')?.message).toContain('with a new link');
    expect(JSON.stringify(body)).not.toContain(mailbox);
  });

  test('that replaces another one and is refused is an event of the claim', async () => {
    const { claim, mailbox, token } = await mailed();
    smtp.refused.add(mailbox);
    const portal = portalOf(system, token);
    expect((await portal.post('/portal/new-link')).status).toBe(202);
    await eventually(
      async () => await claimEvents(tenant, claim.id),
      (types) => types.at(-1) === 'EMAIL_FAILED',
    );
    expect((await readClaim(tenant, claim.id)).status).toBe('PENDING');
    expect((await portal.get('/portal/link')).body).toMatchObject({ isNewLinkRefused: true });
  });

  test('of a claim that was opened is followed by a mail at that time', async () => {
    const { claim, mailbox } = await opened();
    const before = mailsTo(mailbox).length;
    const { rows } = await system.db.pool.query<{ id: string }>(
      'update claims set remind_at = now(), wake_at = now() where counterpart_id = $1 returning id',
      [claim.id],
    );
    await system.wake('claimRequest', rows[0]?.id ?? '');
    expect((await smtp.mailTo(mailbox, before)).subject).toContain('about a transfer');
    expect(await claimEvents(tenant, claim.id)).toContain('REMINDED');
  });

  test('ends kindly with a claim that was taken back or has expired, opened or not', async () => {
    const [unopened, open, late, lateOpen] = [await mailed(), await opened(), await mailed(), await opened()];
    for (const { claim } of [unopened, open])
      await tenant.patch(`/claims/${claim.id}`, { status: 'CANCELLED', statusReasoning: 'Ours alone.' });
    for (const { claim } of [late, lateOpen]) {
      await tenant.post(`/sandbox/claims/${claim.id}/fire-timer`);
      await becomes(claim.id, 'EXPIRED');
    }
    for (const { token } of [unopened, late]) {
      const portal = portalOf(system, token);
      expect((await portal.get('/portal/link')).body).toMatchObject({ state: 'ENDED', kind: 'CLAIM' });
      for (const path of ['/portal/code', '/portal/new-link'])
        expect((await portal.post(path)).status).toBe(409);
    }
    for (const [{ portal }, status] of [
      [open, 'CANCELLED'],
      [lateOpen, 'EXPIRED'],
    ] as const) {
      expect((await portal.get<PortalClaim>('/portal/claim')).body).toMatchObject({
        status,
        statusReasoning: null,
      });
      expect((await portal.post('/portal/claim/answer', DATA)).status).toBe(409);
      expect((await portal.patch('/portal/claim', { status: 'DECLINED' })).status).toBe(409);
    }
  });
});

test('names cannot add headers, recipients or lines to a mail of a claim', async () => {
  const evil = `Evil\r\nBcc: victim@elsewhere.example\r\n\r\nBody \u2028 \u202e`;
  const asking = await createTenant(system);
  await allowMails(system, asking);
  await system.db.pool.query('update tenants set name = $2 where id = $1', [asking.id, evil]);
  const { mailbox } = await mailed({}, asking);
  const mail = await smtp.mailTo(mailbox);
  expect(mail.to).toEqual([mailbox]);
  expect(mail.raw).not.toMatch(/^Bcc:/im);
  expect(smtp.received.flatMap(({ to }) => to)).not.toContain('victim@elsewhere.example');
  const several = `${newMailbox()},victim@elsewhere.example`;
  const body = { asset: 'ETH', vaspInfo: { originatorVaspEmail: several } };
  expect((await asking.post('/claims', body)).status).toBe(400);
});

test('no mail, history or log of the worker names a person, a mailbox or a token', async () => {
  const { claim, mailbox, token, portal } = await opened();
  await portal.post('/portal/claim/answer', DATA);
  for (const { text } of smtp.received) expect(text).not.toMatch(/Keller|Brandt/);
  const logs = JSON.stringify([system.workerLog, system.log]);
  for (const secret of [mailbox, token, 'Keller']) expect(logs).not.toContain(secret);
  const history = await system.client.workflow.getHandle(workflowId('claimRequest', claim.id)).fetchHistory();
  const shown = JSON.stringify(history, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  );
  for (const secret of [mailbox, token, 'Keller', 'Brandt']) expect(shown).not.toContain(secret);
});
