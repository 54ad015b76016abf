import { readExportedClaims } from '../../db/claims/read-exported.ts';
import { verifyEvents } from '../../db/events/verify-events.ts';
import { recountNext, markForRecount } from '../../db/statistics/recount.ts';
import type { EventView } from '../../domain/events/schema.ts';
import type { Statistics } from '../../domain/statistics/schema.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { askedClaim, claimEvents, createClaim, readClaim } from '../factories/claim.ts';
import { allowMails, openPortal, portalOf, tokenFor } from '../factories/portal.ts';
import { startSmtp, type TestSmtp } from '../factories/smtp.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { evmAddress, evmHash } from '../factories/transaction.ts';
import { dumpOf, foundIn, historiesOf, runRetention } from '../factories/what-is-left.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let smtp: TestSmtp;
let system: TestSystem;
/** It asks. */
let alpine: TestTenant;
/** It is asked, and keeps its records longer. */
let harbour: TestTenant;

beforeAll(async () => {
  smtp = await startSmtp();
  system = await startTestSystem({
    config: { SMTP_URL: smtp.url, MAIL_FROM: 'Waybill <waybill@alpine.example>', RATE_LIMIT_HOSTED: 0 },
  });
  alpine = await createTenant(system, { webhookUrl: 'https://alpine.example/in' });
  harbour = await createTenant(system);
  await allowMails(system, alpine);
  await harbour.patch('/tenant/me/settings', { retentionDays: 3_653 });
});
afterAll(async () => {
  await smtp.stop();
  await system.stop();
});

const hash = evmHash();
const destination = evmAddress();
const origin = evmAddress();
const mailbox = 'desk@grimsthorpe.example';
const PLANTED = ['Ravenscroft', 'Grimsthorpe', hash.slice(2), destination.slice(2), origin.slice(2)];
const nothing = { looked: 0, erased: 0, kept: 0 };

/** A claim to another tenant that it has refused, and one by e-mail that was opened and taken back. */
async function plantClaims() {
  const place = { blockchain: 'Ethereum', transactionHash: hash, destination, origin };
  const refused = await createClaim(alpine, {
    blockchainInfo: place,
    vaspInfo: { originatorVaspName: harbour.name },
    beneficiary: { name: 'Barnabas Ravenscroft' },
  });
  const asked = await eventually(
    async () => await askedClaim(harbour, refused),
    (claim) => claim !== undefined,
  );
  await harbour.patch(`/claims/${asked?.id}`, { status: 'DECLINED', statusReasoning: 'Not of Ravenscroft.' });
  const mailed = await createClaim(alpine, {
    blockchainInfo: { origin },
    vaspInfo: { originatorVaspName: 'Grimsthorpe', originatorVaspEmail: mailbox },
    beneficiary: { name: 'Barnabas Ravenscroft' },
  });
  const token = await tokenFor(smtp, mailbox);
  await openPortal(system, smtp, { mailbox, token });
  await alpine.patch(`/claims/${mailed.id}`, { status: 'CANCELLED' });
  // A screening that ends after the clock is moved would be a change of that later day.
  const due = "select count(*)::int as due from transactions where screening_state = 'DUE'";
  const countDue = async () => (await system.db.pool.query<{ due: number }>(due)).rows[0]?.due;
  await eventually(countDue, (count) => count === 0);
  return { refused, asked: asked?.id ?? '', mailed, token };
}

const countsOf = async (tenant: TestTenant) =>
  (await tenant.get<Statistics>('/tenant/me/statistics')).body.claims;

test('a claim is erased with its links and mails once nobody has to keep it; the other side keeps its own', async () => {
  const { refused, asked, mailed, token } = await plantClaims();
  for (const { transactionId } of [refused, mailed])
    await alpine.put(`/transactions/${transactionId}/legal-hold`, { hold: true, reason: 'A case.' });
  expect(foundIn(await dumpOf(system.db.pool), PLANTED)).not.toEqual([]);
  expect((await countsOf(alpine)).length).toBeGreaterThan(0);

  // The transfer that a claim belongs to is kept, and the claim with it.
  expect(await runRetention(system, 1_830)).toMatchObject({ claims: { looked: 4, erased: 1, kept: 2 } });
  expect(await readClaim(alpine, refused.id)).toMatchObject({ status: 'DECLINED' });
  for (const { transactionId } of [refused, mailed])
    await alpine.put(`/transactions/${transactionId}/legal-hold`, { hold: false, reason: 'Settled.' });
  expect(await runRetention(system, 1_830)).toMatchObject({
    transactions: { erased: 2, kept: 0 },
    claims: { looked: 3, erased: 2, kept: 0 },
  });
  expect((await alpine.get('/claims')).body).toEqual([]);
  for await (const exported of readExportedClaims(system.db, alpine.id, {})) expect(exported).toEqual([]);
  expect((await alpine.get(`/claims/${refused.id}`)).status).toBe(404);
  expect((await alpine.get(`/claims/${refused.id}/events`)).status).toBe(404);
  expect((await alpine.patch(`/claims/${refused.id}`, { status: 'CANCELLED' })).status).toBe(404);
  expect((await portalOf(system, token).get('/portal/link')).status).toBe(404);
  expect(await countsOf(alpine)).toEqual([]);
  expect(await readClaim(harbour, asked)).toMatchObject({ beneficiary: { name: 'Barnabas Ravenscroft' } });
  expect(await claimEvents(harbour, asked)).not.toContain('ERASED');

  await harbour.patch('/tenant/me/settings', { retentionDays: 1_827 });
  expect(await runRetention(system, 1_831)).toMatchObject({ claims: { looked: 1, erased: 1, kept: 0 } });
  expect(await runRetention(system, 1_831)).toMatchObject({ claims: nothing });
  expect(foundIn(await dumpOf(system.db.pool), PLANTED)).toEqual([]);
  expect(foundIn(await historiesOf(system.client), PLANTED)).toEqual([]);
  expect((await verifyEvents(system.db)).faults).toEqual([]);
  const { rows } = await system.db.pool.query<Pick<EventView, 'type'>>(
    `select type from events where subject_kind = 'CLAIM' and subject_id = $1 order by sequence desc limit 1`,
    [refused.id],
  );
  expect(rows).toEqual([{ type: 'ERASED' }]);
  // The feed shows what no older transaction of the server can come before, those of other tests included.
  await eventually(
    async () => (await alpine.get<{ events: Json[] }>('/events?_limit=1000')).body.events,
    (events) =>
      events.some(({ kind, id, type }) => kind === 'claim' && id === refused.id && type === 'ERASED'),
  );
});

test('statistics that are counted anew leave out erased claims too', async () => {
  await markForRecount(system.db.pool);
  while (await recountNext(system.db.pool));
  expect(await countsOf(alpine)).toEqual([]);
});
