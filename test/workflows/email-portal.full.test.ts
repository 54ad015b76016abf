import { remindToAnswer } from '../../db/lifecycle/remind-to-answer.ts';
import { endOfWorkingDays } from '../../domain/claims/working-days.ts';
import { eventually } from '../eventually.ts';
import type { PortalLinkView, PortalMessage } from '../../domain/portal/schema.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import {
  allowMails,
  createOutsider,
  eventTypes,
  openPortal,
  portalOf,
  sendOutside,
  tokenFor,
  untilTransaction,
} from '../factories/portal.ts';
import { startSmtp, type TestSmtp } from '../factories/smtp.ts';
import { workflowId } from '../../workflows/contract.ts';
import { createBody, findOnList } from '../factories/transaction.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let smtp: TestSmtp;
let system: TestSystem;
let tenant: TestTenant;

beforeAll(async () => {
  smtp = await startSmtp();
  system = await startTestSystem({
    config: { SMTP_URL: smtp.url, MAIL_FROM: 'Waybill <waybill@alpine.example>', RATE_LIMIT_HOSTED: 0 },
  });
  tenant = await createTenant(system);
  await allowMails(system, tenant);
});
afterAll(async () => {
  await smtp.stop();
  await system.stop();
});

let count = 0;
const newMailbox = () => `travel-rule-${(count += 1)}@harbour${count}.example`;
/** Why no network before e-mail reaches a VASP that is in no directory. */
const NOBODY_KNOWN = ['NATIVE:NO_HOLDER', 'PARTNER:VASP_UNKNOWN', 'TRP:NO_TRAVEL_ADDRESS'];
/** The networks that an event names as tried in vain. */
async function skippedOf(by: TestTenant, id: string, wanted: string): Promise<unknown> {
  const { body } = await by.get<{ type: string; data: { skipped?: unknown } }[]>(
    `/transactions/${id}/events`,
  );
  return body.find(({ type }) => type === wanted)?.data.skipped;
}
const isSent = ({ subStatus }: { subStatus: string | null }) => subStatus === 'EMAIL_SENT';

test('a message to a VASP on no network goes by e-mail, is opened with a code, and is confirmed', async () => {
  const mailbox = newMailbox();
  const id = await sendOutside(tenant, {
    beneficiaryVaspName: 'Nobody Known',
    beneficiaryVaspEmail: mailbox,
  });
  const sent = await untilTransaction(tenant, id, isSent);
  expect(sent).toMatchObject({
    status: 'PENDING',
    clearance: { outcome: 'WAIT', nextAction: 'WAIT_FOR_COUNTERPARTY' },
  });
  expect(await skippedOf(tenant, id, 'EMAIL_SENT')).toEqual(NOBODY_KNOWN);
  const { body: waiting } = await tenant.get<{ id: string }[]>(
    '/transactions?_nextAction=WAIT_FOR_COUNTERPARTY',
  );
  expect(waiting.map((each) => each.id)).toContain(id);

  const mail = await smtp.mailTo(mailbox);
  expect(mail.text).not.toMatch(/Keller|Brandt|1\.5/);
  const token = await tokenFor(smtp, mailbox);
  const before = await portalOf(system, token).get<PortalLinkView>('/portal/link');
  expect(before.body).toMatchObject({
    state: 'OPEN',
    tenantName: tenant.name,
    mailbox: `t…@harbour${count}.example`,
  });
  expect((await portalOf(system, token).get('/portal/message')).status).toBe(401);

  const portal = await openPortal(system, smtp, { token, mailbox });
  const delivered = await untilTransaction(tenant, id, ({ status }) => status === 'DELIVERED');
  expect(delivered).toMatchObject({ travelRuleMessageSource: 'EMAIL' });
  const sealed = (await portal.get<PortalMessage>('/portal/message')).body;
  expect(sealed).toMatchObject({ status: 'DELIVERED', sealed: true, originator: null, beneficiary: null });
  expect(JSON.stringify(sealed)).not.toMatch(/Keller|Brandt/);
  expect((await portal.patch('/portal/message', { status: 'CONFIRMED' })).status).toBe(409);

  const opened = await portal.patch<PortalMessage>('/portal/message', { destinationConfirmed: true });
  expect(opened.body).toMatchObject({ sealed: false, originator: { name: 'Anna Keller' } });
  const given = await portal.patch<PortalMessage>('/portal/message', {
    beneficiary: { name: 'Brandt Jonas', accountNumber: 'H-1', country: 'SG' },
    status: 'CONFIRMED',
  });
  expect([given.status, given.body]).toMatchObject([200, { status: 'CONFIRMED' }]);
  const confirmed = await untilTransaction(tenant, id, ({ clearance }) => clearance.outcome === 'GO');
  expect(confirmed).toMatchObject({
    status: 'CONFIRMED',
    beneficiary: { name: 'Jonas Brandt', accountNumber: 'H-1', country: 'SG' },
  });
  const types = await eventTypes(tenant, id);
  for (const type of ['EMAIL_SENT', 'DELIVERED', 'EMAIL_OPENED', 'DESTINATION_CONFIRMED', 'DATA_UPDATED'])
    expect(types).toContain(type);
});

describe('the mailbox', () => {
  test('at no domain of the VASP, or at a free-mail provider, is reviewed first, each one by itself', async () => {
    const domain = `straits${(count += 1)}.example`;
    const { name } = await createOutsider(system, { name: `Straits ${count}`, emailDomains: [domain] });
    const strange = `someone@elsewhere${count}.example`;
    const id = await sendOutside(tenant, { beneficiaryVaspName: name, beneficiaryVaspEmail: strange });
    const held = await untilTransaction(tenant, id, ({ subStatus }) => subStatus === 'ON_HOLD');
    expect(held.clearance).toMatchObject({
      reasons: ['PENDING', 'ON_HOLD', 'MAILBOX'],
      nextAction: 'REVIEW',
    });
    expect(smtp.received.filter(({ to }) => to.includes(strange))).toEqual([]);

    // What was released for one mailbox does not count for the next.
    const free = `straits${count}@gmail.com`;
    await tenant.patch(`/transactions/${id}`, { vaspInfo: { beneficiaryVaspEmail: free } });
    const proceed = { decision: 'PROCEED', reason: 'Known by telephone.' };
    await tenant.post(`/transactions/${id}/review`, proceed);
    await untilTransaction(tenant, id, ({ clearance }) => clearance.reasons.includes('MAILBOX'));
    await tenant.post(`/transactions/${id}/review`, proceed);
    await untilTransaction(tenant, id, isSent);
    await smtp.mailTo(free);
    expect(smtp.received.filter(({ to }) => to.includes(strange))).toEqual([]);
  });

  test('of the directory is taken where none is named; one below a domain of the VASP fits', async () => {
    const mailbox = `ops@eu.merlion${(count += 1)}.example`;
    const { name } = await createOutsider(system, {
      name: `Merlion ${count}`,
      email: mailbox,
      emailDomains: [`merlion${count}.example`],
    });
    const id = await sendOutside(tenant, { beneficiaryVaspName: name });
    const sent = await untilTransaction(tenant, id, isSent);
    expect(sent.vaspInfo.beneficiaryVaspEntityId).not.toBeNull();
    await smtp.mailTo(mailbox);
    expect(await skippedOf(tenant, id, 'EMAIL_SENT')).toEqual([
      'NATIVE:NO_TENANT',
      'PARTNER:NO_PARTNER',
      'TRP:NO_TRAVEL_ADDRESS',
    ]);
  });

  test('that the server refuses is followed by the next; after the last one the message has failed', async () => {
    const [named, listed] = [newMailbox(), newMailbox()];
    const { name } = await createOutsider(system, { name: `Refusing ${count}`, email: listed });
    smtp.refused.add(named);
    const id = await sendOutside(tenant, { beneficiaryVaspName: name, beneficiaryVaspEmail: named });
    await untilTransaction(tenant, id, isSent);
    await smtp.mailTo(listed);
    expect(await eventTypes(tenant, id)).toEqual(expect.arrayContaining(['EMAIL_FAILED', 'EMAIL_SENT']));

    smtp.refused.add(listed);
    const other = await sendOutside(tenant, { beneficiaryVaspName: name });
    const failed = await untilTransaction(tenant, other, ({ status }) => status === 'FAILED');
    expect(failed.subStatus).toBe('VASP_NOT_REACHABLE');
    smtp.refused.delete(listed);
    await tenant.post(`/transactions/${other}/retry`);
    await untilTransaction(tenant, other, isSent);
  });

  test('that the server refuses while the message is held lifts no hold; the review sends it on, or it has failed', async () => {
    const listed = newMailbox();
    const { name } = await createOutsider(system, { name: `Held ${count}`, email: listed });
    for (const [beneficiaryVaspName, goesOn] of [
      [name, true],
      ['Nobody Known', false],
    ] as const) {
      const named = newMailbox();
      let answer: () => void = () => undefined;
      smtp.refusedAfter.set(named, new Promise((resolve) => (answer = resolve)));
      const id = await sendOutside(tenant, { beneficiaryVaspName, beneficiaryVaspEmail: named });
      await smtp.asked(named);
      await findOnList(system.db, id);
      answer();
      await eventually(
        async () => await eventTypes(tenant, id),
        (types) => types.includes('EMAIL_FAILED'),
      );
      const held = (await tenant.get<Transaction>(`/transactions/${id}`)).body;
      expect([held.status, held.subStatus, held.clearance.nextAction]).toEqual([
        'PENDING',
        'ON_HOLD',
        'REVIEW',
      ]);
      await tenant.post(`/transactions/${id}/review`, PROCEED);
      const after = await untilTransaction(tenant, id, (now) => isSent(now) || now.status === 'FAILED');
      expect([after.status, after.subStatus]).toEqual(
        goesOn ? ['PENDING', 'EMAIL_SENT'] : ['FAILED', 'VASP_NOT_REACHABLE'],
      );
    }
    await smtp.mailTo(listed);
  });

  test('gets nothing while the tenant has not switched e-mail on', async () => {
    const quiet = await createTenant(system);
    const mailbox = newMailbox();
    const id = await sendOutside(quiet, { beneficiaryVaspName: 'Nobody', beneficiaryVaspEmail: mailbox });
    await untilTransaction(quiet, id, ({ subStatus }) => subStatus === 'VASP_NOT_FOUND');
    expect(await skippedOf(quiet, id, 'VASP_NOT_FOUND')).toEqual([...NOBODY_KNOWN, 'EMAIL:SWITCHED_OFF']);
    expect(smtp.received.filter(({ to }) => to.includes(mailbox))).toEqual([]);
  });
});

async function sentMessage(sender = tenant) {
  const mailbox = newMailbox();
  const id = await sendOutside(sender, {
    beneficiaryVaspName: 'Nobody Known',
    beneficiaryVaspEmail: mailbox,
  });
  await untilTransaction(sender, id, isSent);
  return { id, mailbox, token: await tokenFor(smtp, mailbox) };
}

const PROCEED = { decision: 'PROCEED', reason: 'A namesake.' };
const mailsTo = (mailbox: string) => smtp.received.filter(({ to }) => to.includes(mailbox));
const isHeld = ({ subStatus }: { subStatus: string | null }) => subStatus === 'ON_HOLD';
const waitsForMailbox = ({ clearance }: { clearance: { reasons: string[] } }) =>
  clearance.reasons.includes('MAILBOX');

describe('a message that goes anew to a mailbox that has had its mail', () => {
  /** It waits for the mailbox again, and is found when nobody opens it. */
  async function isWaiting(id: string): Promise<void> {
    await untilTransaction(tenant, id, isSent);
    await system.db.pool.query(
      `update transactions set created_at = created_at - interval '73 hours' where id = $1`,
      [id],
    );
    const { body } = await tenant.get<{ transactionId: string }[]>('/reconciliation?_kind=ANSWER_MISSING');
    expect(body.map(({ transactionId }) => transactionId)).toContain(id);
  }

  test('by a retry gets another mail, with another link', async () => {
    const { id, mailbox, token } = await sentMessage();
    await tenant.post(`/sandbox/transactions/${id}/fire-timer`);
    await untilTransaction(tenant, id, ({ status }) => status === 'FAILED');
    expect((await tenant.post(`/transactions/${id}/retry`)).status).toBe(200);
    await isWaiting(id);
    const renewed = await tokenFor(smtp, mailbox, 1);
    expect((await portalOf(system, token).get('/portal/link')).body).toMatchObject({ state: 'REPLACED' });
    await openPortal(system, smtp, { token: renewed, mailbox });
  });

  test('for another VASP gets another mail, and the link before shows nothing of it', async () => {
    const { id, mailbox, token } = await sentMessage();
    await tenant.patch(`/transactions/${id}`, { vaspInfo: { beneficiaryVaspName: 'Somebody Else' } });
    expect((await portalOf(system, token).post('/portal/code')).status).toBe(409);
    await isWaiting(id);
    await openPortal(system, smtp, { token: await tokenFor(smtp, mailbox, 1), mailbox });
  });

  test('after a review waits for the same link, without another mail', async () => {
    const { id, mailbox, token } = await sentMessage();
    await findOnList(system.db, id);
    await tenant.post(`/transactions/${id}/review`, PROCEED);
    await isWaiting(id);
    expect(mailsTo(mailbox)).toHaveLength(1);
    await openPortal(system, smtp, { token, mailbox });
  });

  test('after a review gets another mail where its link has expired', async () => {
    const { id, mailbox } = await sentMessage();
    await findOnList(system.db, id);
    await system.db.pool.query('update portal_links set expires_at = created_at where transaction_id = $1', [
      id,
    ]);
    await tenant.post(`/transactions/${id}/review`, PROCEED);
    await isWaiting(id);
    await openPortal(system, smtp, { token: await tokenFor(smtp, mailbox, 1), mailbox });
  });

  test('waits for its link, too, if it was held while the mail was on its way', async () => {
    const mailbox = newMailbox();
    let take: () => void = () => undefined;
    smtp.takenAfter.set(mailbox, new Promise((resolve) => (take = resolve)));
    const vaspInfo = { beneficiaryVaspName: 'Nobody Known', beneficiaryVaspEmail: mailbox };
    const id = await sendOutside(tenant, vaspInfo);
    await smtp.mailTo(mailbox);
    await findOnList(system.db, id);
    take();
    await eventually(
      async () =>
        await system.db.pool.query(
          'select from portal_links where transaction_id = $1 and sent_at is not null',
          [id],
        ),
      ({ rowCount }) => rowCount === 1,
    );
    await untilTransaction(tenant, id, isHeld);
    await tenant.post(`/transactions/${id}/review`, PROCEED);
    await isWaiting(id);
    expect(mailsTo(mailbox)).toHaveLength(1);
    await openPortal(system, smtp, { token: await tokenFor(smtp, mailbox), mailbox });
  });

  test.each([
    ['open', false],
    ['held', true],
  ])('is reviewed for a VASP that is named afterwards, at none of its domains: %s', async (_, held) => {
    const { id, mailbox, token } = await sentMessage();
    const { name } = await createOutsider(system, {
      name: `Later ${(count += 1)}`,
      emailDomains: [`later${count}.example`],
    });
    if (held) await findOnList(system.db, id);
    await tenant.patch(`/transactions/${id}`, { vaspInfo: { beneficiaryVaspName: name } });
    // The name is screened with the hold first.
    if (held)
      await eventually(
        async () => await tenant.post(`/transactions/${id}/review`, PROCEED),
        ({ status }) => status === 200,
      );
    await untilTransaction(tenant, id, waitsForMailbox);
    for (const path of ['/portal/code', '/portal/new-link'])
      expect((await portalOf(system, token).post(path)).status).toBe(409);
    expect(mailsTo(mailbox)).toHaveLength(1);
    await tenant.post(`/transactions/${id}/review`, PROCEED);
    await isWaiting(id);
    await openPortal(system, smtp, { token: await tokenFor(smtp, mailbox, 1), mailbox });
  });
});

describe('the code', () => {
  test('locks the link after ten wrong tries; a new link goes to the same mailbox and ends the one before', async () => {
    const { mailbox, token } = await sentMessage();
    const portal = portalOf(system, token);
    await portal.post('/portal/code');
    const { subject } = await smtp.mailTo(mailbox, 1);
    const right = subject.slice(0, 6);
    const wrong = right === '000000' ? '000001' : '000000';
    const tries = [];
    for (let number = 0; number < 10; number += 1)
      tries.push((await portal.post('/portal/session', { code: wrong })).status);
    expect(tries).toEqual([...Array<number>(9).fill(400), 409]);
    expect((await portal.post('/portal/session', { code: right })).status).toBe(409);
    expect((await portal.get('/portal/link')).body).toMatchObject({ state: 'LOCKED' });
    expect((await portal.post('/portal/code')).status).toBe(409);

    expect((await portal.post('/portal/new-link')).status).toBe(202);
    const renewed = await tokenFor(smtp, mailbox, 2);
    expect(renewed).not.toBe(token);
    expect((await portal.get('/portal/link')).body).toMatchObject({ state: 'REPLACED' });
    const opened = await openPortal(system, smtp, { token: renewed, mailbox });
    expect((await opened.get('/portal/message')).status).toBe(200);
    expect((await portalOf(system, token, 'x').get('/portal/message')).status).toBe(401);
  });

  test('that is right lets nobody try more wrong ones: ten lock the link, whatever comes between', async () => {
    const { id, mailbox, token } = await sentMessage();
    const portal = portalOf(system, token);
    const tryWrong = async () => (await portal.post('/portal/session', { code: '123456' })).status;
    await system.db.pool.query('update portal_links set tries = 8 where transaction_id = $1', [id]);
    await openPortal(system, smtp, { token, mailbox });
    expect(await tryWrong()).toBe(400);
    await openPortal(system, smtp, { token, mailbox });
    expect((await portal.get('/portal/link')).body).toMatchObject({ state: 'OPEN' });
    expect(await tryWrong()).toBe(409);
    expect((await portal.get('/portal/link')).body).toMatchObject({ state: 'LOCKED' });
  });

  test('counts once, and not after ten minutes; five are sent in an hour', async () => {
    const { id, mailbox, token } = await sentMessage();
    const portal = await openPortal(system, smtp, { token, mailbox });
    const again = portalOf(system, token);
    expect((await again.post('/portal/session', { code: portal.code })).status).toBe(400);
    await again.post('/portal/code');
    const late = (await smtp.mailTo(mailbox, 2)).subject.slice(0, 6);
    await system.db.pool.query(
      `update portal_links set code_expires_at = code_expires_at - interval '10 minutes' where transaction_id = $1`,
      [id],
    );
    expect((await again.post('/portal/session', { code: late })).status).toBe(400);
    const statuses = [];
    for (let number = 0; number < 4; number += 1) statuses.push((await again.post('/portal/code')).status);
    expect(statuses).toEqual([202, 202, 202, 429]);
  });

  test('that is right is not used up by a message that cannot be opened now, nor is it a try', async () => {
    const { id, mailbox, token } = await sentMessage();
    const portal = portalOf(system, token);
    await portal.post('/portal/code');
    const code = (await smtp.mailTo(mailbox, 1)).subject.slice(0, 6);
    await findOnList(system.db, id);
    for (let times = 0; times < 2; times += 1)
      expect((await portal.post('/portal/session', { code })).status).toBe(409);
    await tenant.post(`/transactions/${id}/review`, PROCEED);
    await untilTransaction(tenant, id, isSent);
    const { rows } = await system.db.pool.query('select tries from portal_links where transaction_id = $1', [
      id,
    ]);
    expect(rows).toEqual([{ tries: 0 }]);
    expect((await portal.post('/portal/session', { code })).status).toBe(201);
    expect((await portal.post('/portal/session', { code })).status).toBe(400);
  });

  test('of ten requests at once with the right code one opens the message', async () => {
    const { id, mailbox, token } = await sentMessage();
    const portal = portalOf(system, token);
    await portal.post('/portal/code');
    const code = (await smtp.mailTo(mailbox, 1)).subject.slice(0, 6);
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => (await portal.post('/portal/session', { code })).status),
    );
    expect(answers.filter((status) => status === 201)).toHaveLength(1);
    expect((await eventTypes(tenant, id)).filter((type) => type === 'EMAIL_OPENED')).toHaveLength(1);
  });
});

describe('the link', () => {
  test('of a wrong token is the same 404, whatever is wrong with it', async () => {
    const { token } = await sentMessage();
    const other = token.endsWith('A') ? 'B' : 'A';
    const wrong = ['x', token.slice(0, -1) + other, `${token}A`, token.slice(0, 40), 'A'.repeat(64)];
    for (const guess of wrong) {
      const { status, body } = await portalOf(system, guess).get('/portal/link');
      expect([status, body['detail']]).toEqual([404, 'There is no such link.']);
    }
    expect((await system.request('GET', '/portal/link')).status).toBe(404);
  });

  test('counts for 14 days, then only a new one may be asked for, three a day', async () => {
    const { id, mailbox, token } = await sentMessage();
    await system.db.pool.query(`update portal_links set expires_at = created_at where transaction_id = $1`, [
      id,
    ]);
    const portal = portalOf(system, token);
    expect((await portal.get('/portal/link')).body).toMatchObject({ state: 'EXPIRED' });
    expect((await portal.post('/portal/code')).status).toBe(409);
    const statuses = [];
    for (let number = 0; number < 4; number += 1)
      statuses.push((await portal.post('/portal/new-link')).status);
    expect(statuses).toEqual([202, 202, 202, 429]);
    await smtp.mailTo(mailbox, 3);
    expect((await eventTypes(tenant, id)).filter((type) => type === 'EMAIL_RENEWED')).toHaveLength(3);
  });

  test('gets no other mailbox a mail, neither before the review of that mailbox nor after', async () => {
    const { id, mailbox, token } = await sentMessage();
    const free = `harbour${(count += 1)}@gmail.com`;
    await tenant.patch(`/transactions/${id}`, { vaspInfo: { beneficiaryVaspEmail: free } });
    await untilTransaction(tenant, id, waitsForMailbox);
    const renew = async (by: string) => (await portalOf(system, by).post('/portal/new-link')).status;
    expect(await renew(token)).toBe(409);
    await tenant.post(`/transactions/${id}/review`, PROCEED);
    await untilTransaction(tenant, id, isSent);
    expect(await renew(token)).toBe(409);
    expect(await renew(await tokenFor(smtp, free))).toBe(202);
    await smtp.mailTo(free, 1);
    expect([mailsTo(free).length, mailsTo(mailbox).length]).toEqual([2, 1]);
    expect((await eventTypes(tenant, id)).filter((type) => type === 'EMAIL_RENEWED')).toHaveLength(1);
  });

  test('gets no new one while the message is held', async () => {
    const { id, mailbox, token } = await sentMessage();
    await findOnList(system.db, id);
    const portal = portalOf(system, token);
    expect((await portal.post('/portal/new-link')).status).toBe(409);
    await tenant.post(`/transactions/${id}/review`, PROCEED);
    await untilTransaction(tenant, id, isSent);
    expect((await portal.post('/portal/new-link')).status).toBe(202);
    await smtp.mailTo(mailbox, 1);
    expect(mailsTo(mailbox)).toHaveLength(2);
  });

  test('leads to nothing once the message is withdrawn, or deleted', async () => {
    const [withdrawn, deleted] = [await sentMessage(), await sentMessage()];
    await tenant.patch(`/transactions/${withdrawn.id}`, { status: 'CANCELLED' });
    await tenant.delete(`/transactions/${deleted.id}`);
    expect((await portalOf(system, withdrawn.token).get('/portal/link')).body).toMatchObject({
      state: 'ENDED',
    });
    for (const path of ['/portal/code', '/portal/new-link'])
      expect((await portalOf(system, withdrawn.token).post(path)).status).toBe(409);
    // The right token says what has become of the message, a wrong one nothing.
    const { status, body } = await portalOf(system, deleted.token).get('/portal/link');
    expect([status, body['isDeleted'], body['detail']]).toEqual([
      404,
      true,
      'The message is no longer available: its sender has deleted it.',
    ]);
    const wrong = deleted.token.slice(0, -2) + (deleted.token.endsWith('AA') ? 'BA' : 'AA');
    expect((await portalOf(system, wrong).get('/portal/link')).body).toMatchObject({
      detail: 'There is no such link.',
    });
  });

  test('that replaces another one and is refused by the mail server is an event, and the page says where to ask', async () => {
    const asking = await createTenant(system, { email: 'desk@alpine.example' });
    await allowMails(system, asking);
    const { id, mailbox, token } = await sentMessage(asking);
    smtp.refused.add(mailbox);
    const portal = portalOf(system, token);
    expect((await portal.post('/portal/new-link')).status).toBe(202);
    await eventually(
      async () => await eventTypes(asking, id),
      (types) => types.at(-1) === 'EMAIL_FAILED',
    );
    expect((await portal.get('/portal/link')).body).toMatchObject({
      state: 'REPLACED',
      isNewLinkRefused: true,
      senderEmail: 'desk@alpine.example',
    });
    // The message waits on, and its mailbox may take another mail.
    expect((await asking.get<{ subStatus: string }>(`/transactions/${id}`)).body.subStatus).toBe(
      'EMAIL_SENT',
    );
    smtp.refused.delete(mailbox);
    expect((await portal.post('/portal/new-link')).status).toBe(202);
    await openPortal(system, smtp, { token: await tokenFor(smtp, mailbox, 1), mailbox });
    expect((await portal.get('/portal/link')).body).toMatchObject({
      state: 'REPLACED',
      isNewLinkRefused: false,
      senderEmail: null,
    });
  });

  test('is sent again after three days and after seven, if nobody has opened it', async () => {
    const { id, mailbox, token } = await sentMessage();
    for (const [days, mails] of [
      [3, 2],
      [4, 3],
    ] as const) {
      await system.db.pool.query(
        `update portal_links set sent_at = sent_at - make_interval(days => $2) where transaction_id = $1`,
        [id, days],
      );
      await system.db.pool.query('update transactions set wake_at = now() where id = $1', [id]);
      await system.wake('transactionLifecycle', id);
      expect(await tokenFor(smtp, mailbox, mails - 1)).toBe(token);
    }
    expect((await smtp.mailTo(mailbox)).subject).toContain('Reminder');
    const { body } = await tenant.get<{ type: string }[]>(`/transactions/${id}/events`);
    expect(body.filter(({ type }) => type === 'REMINDED')).toHaveLength(2);
    expect(JSON.stringify(body)).not.toContain(mailbox);
  });

  test('that is locked when a reminder is due is replaced by one that opens the message', async () => {
    const { id, mailbox, token } = await sentMessage();
    await system.db.pool.query(
      `update portal_links set sent_at = sent_at - interval '3 days', tries = 10 where transaction_id = $1`,
      [id],
    );
    await system.db.pool.query('update transactions set wake_at = now() where id = $1', [id]);
    await system.wake('transactionLifecycle', id);
    const renewed = await tokenFor(smtp, mailbox, 1);
    expect(renewed).not.toBe(token);
    // Its reminders go on where those of the link before have stopped, from the day on which it was sent.
    const { rows } = await system.db.pool.query<{ reminders: number; days: number; waits: number }>(
      `select reminders, extract(day from now() - sent_at)::int as days,
         (select round(extract(epoch from t.wake_at - l.sent_at) / 86400)::int from transactions t where t.id = $1) as waits
       from portal_links l where transaction_id = $1 and ended_at is null`,
      [id],
    );
    expect(rows).toEqual([{ reminders: 1, days: 0, waits: 7 }]);
    await openPortal(system, smtp, { token: renewed, mailbox });
  });
});

describe('an opened message without an answer', () => {
  const portalUrl = 'http://127.0.0.1/portal';
  const remind = async (id: string) =>
    await remindToAnswer(system.db, { tenantId: tenant.id, id, portalUrl, now: new Date() });

  /** As if the message had been opened that many days earlier than it was. */
  async function openedEarlier(id: string, days: number): Promise<void> {
    await system.db.pool.query(
      `update portal_links set last_opened_at = last_opened_at - make_interval(days => $2) where transaction_id = $1`,
      [id, days],
    );
  }

  async function lastOpened(id: string): Promise<Date> {
    const { rows } = await system.db.pool.query<{ at: Date }>(
      'select max(last_opened_at) as at from portal_links where transaction_id = $1',
      [id],
    );
    return rows[0]!.at;
  }

  async function currentDetails(id: string): Promise<string> {
    const handle = system.client.workflow.getHandle(workflowId('transactionLifecycle', id));
    const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    return metadata.currentDetails ?? '';
  }

  /** Opens the message, and waits until its workflow waits for the end of the third working day. */
  async function openedAndTimed({ id, mailbox, token }: { id: string; mailbox: string; token: string }) {
    const portal = await openPortal(system, smtp, { token, mailbox });
    const dueAt = endOfWorkingDays(await lastOpened(id), 3, 'UTC');
    await eventually(
      async () => await currentDetails(id),
      (details) => details.includes(`Next check: ${dueAt.toISOString()}`),
    );
    return { portal, dueAt };
  }

  test('is reminded of once, at the end of the third working day after the last opening', async () => {
    const message = await sentMessage();
    const { id, mailbox, token } = message;
    await openedAndTimed(message);
    const before = await lastOpened(id);
    const { dueAt } = await openedAndTimed(message);
    expect((await lastOpened(id)).getTime()).toBeGreaterThan(before.getTime());
    expect(await remind(id)).toEqual({ outbox: [], dueAt });
    await openedEarlier(id, 12);
    await system.wake('transactionLifecycle', id);
    const reminder = await smtp.mailTo(mailbox, 3);
    expect(reminder.subject).toContain('waits for your answer');
    expect(await tokenFor(smtp, mailbox, 3)).toBe(token);
    expect((await eventTypes(tenant, id)).filter((type) => type === 'REMINDED')).toHaveLength(1);
    await openPortal(system, smtp, message);
    await openedEarlier(id, 12);
    expect(await remind(id)).toEqual({ outbox: [], dueAt: null });
  });

  test('is reminded of once by several at once, and not once it is answered or not opened', async () => {
    const [unopened, answered] = [await sentMessage(), await sentMessage()];
    expect(await remind(unopened.id)).toEqual({ outbox: [], dueAt: null });
    const { portal } = await openedAndTimed(answered);
    await openedEarlier(answered.id, 12);
    const reminders = await Promise.all([1, 2, 3].map(async () => await remind(answered.id)));
    expect(reminders.flatMap(({ outbox }) => outbox)).toHaveLength(1);
    await system.db.pool.query(
      'update portal_links set answer_reminded_at = null where transaction_id = $1',
      [answered.id],
    );
    await portal.patch('/portal/message', { status: 'DECLINED' });
    expect(await remind(answered.id)).toEqual({ outbox: [], dueAt: null });
  });
});

test('what the tenant changes is told by mail, and the withdrawal shows', async () => {
  const { id, mailbox, token } = await sentMessage();
  const portal = await openPortal(system, smtp, { token, mailbox });
  await portal.patch('/portal/message', { destinationConfirmed: true });
  await tenant.patch(`/transactions/${id}`, { originator: { placeOfBirth: 'Chur' } });
  expect((await smtp.mailTo(mailbox, 2)).subject).toContain('has changed');
  expect((await portal.get<PortalMessage>('/portal/message')).body.originator?.placeOfBirth).toBe('Chur');
  await tenant.patch(`/transactions/${id}`, { status: 'CANCELLED' });
  await smtp.mailTo(mailbox, 3);
  expect((await portal.get<PortalMessage>('/portal/message')).body.status).toBe('CANCELLED');
  expect((await portal.patch('/portal/message', { status: 'CONFIRMED' })).status).toBe(409);
});

test('missing data is asked for on the portal; what the tenant gives is told by mail and ends the request', async () => {
  const { id, mailbox, token } = await sentMessage();
  const portal = await openPortal(system, smtp, { token, mailbox });
  const request = { fields: ['originator.placeOfBirth'], reason: 'Two customers have this name.' };
  expect((await portal.post('/portal/message/repair', request)).status).toBe(409);
  await portal.patch('/portal/message', { destinationConfirmed: true });
  const asked = await portal.post<PortalMessage>('/portal/message/repair', request);
  expect(asked.body.requestedFields).toEqual(['originator.placeOfBirth']);
  const waiting = await untilTransaction(tenant, id, ({ subStatus }) => subStatus === 'DATA_REQUESTED');
  expect(waiting).toMatchObject({
    requestedFields: request.fields,
    clearance: { nextAction: 'PROVIDE_DATA' },
  });
  await tenant.patch(`/transactions/${id}`, { originator: { placeOfBirth: 'Chur' } });
  expect((await smtp.mailTo(mailbox, 2)).subject).toContain('has changed');
  const { body } = await portal.get<PortalMessage>('/portal/message');
  expect(body).toMatchObject({ requestedFields: [], originator: { placeOfBirth: 'Chur' } });
});

test('a message is declined with a reason, without its personal data', async () => {
  const { id, mailbox, token } = await sentMessage();
  const portal = await openPortal(system, smtp, { token, mailbox });
  const answer = { status: 'DECLINED', statusReasonCode: 'UNKNOWN_ADDRESS', statusReasoning: 'Not ours.' };
  const { body } = await portal.patch<PortalMessage>('/portal/message', answer);
  expect(body).toMatchObject({ status: 'DECLINED', sealed: true, originator: null });
  expect(await untilTransaction(tenant, id, ({ status }) => status === 'DECLINED')).toMatchObject({
    statusReasonCode: 'UNKNOWN_ADDRESS',
    statusReasoning: 'Not ours.',
    clearance: { outcome: 'STOP' },
  });
  expect((await portal.patch('/portal/message', { destinationConfirmed: true })).status).toBe(409);
});

test('names cannot add headers, recipients or lines to a mail', async () => {
  const evil = `Evil\r\nBcc: victim@elsewhere.example\r\n\r\nBody \u2028 \u202e`;
  const sender = await createTenant(system);
  await allowMails(system, sender);
  await system.db.pool.query('update tenants set name = $2 where id = $1', [sender.id, evil]);
  const { mailbox } = await sentMessage(sender);
  const mail = await smtp.mailTo(mailbox);
  expect(mail.to).toEqual([mailbox]);
  expect(mail.raw).not.toMatch(/^Bcc:/im);
  expect(mail.subject).not.toContain('\u202e');
  expect(smtp.received.flatMap(({ to }) => to)).not.toContain('victim@elsewhere.example');
  const several = `${newMailbox()},victim@elsewhere.example`;
  const body = { vaspInfo: { beneficiaryVaspName: 'Nobody', beneficiaryVaspEmail: several } };
  expect((await sender.post('/transactions/preflight', { ...createBody(), ...body })).status).toBe(400);
});

test('no mail, history or log of the worker names a person, and no table holds a token', async () => {
  const { id, mailbox, token } = await sentMessage();
  await openPortal(system, smtp, { token, mailbox });
  for (const { text } of smtp.received) expect(text).not.toMatch(/Keller|Brandt/);
  const logs = JSON.stringify([system.workerLog, system.log]);
  for (const secret of [mailbox, token, 'Keller']) expect(logs).not.toContain(secret);
  const history = await system.client.workflow
    .getHandle(workflowId('transactionLifecycle', id))
    .fetchHistory();
  const shown = JSON.stringify(history, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  );
  for (const secret of [mailbox, token]) expect(shown).not.toContain(secret);
  const { rows } = await system.db.pool.query<{ text: string }>('select l::text as text from portal_links l');
  const secret = Buffer.from(token, 'base64url').subarray(16).toString('hex');
  expect(rows.filter(({ text }) => text.includes(secret) || text.includes(mailbox))).toEqual([]);
});
