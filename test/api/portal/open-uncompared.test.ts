import { randomUUID } from 'node:crypto';
import { settleLinkMail } from '../../../db/lifecycle/settle-link-mail.ts';
import { makeCode } from '../../../db/portal/portal-codes.ts';
import { portalTokenOf } from '../../../db/portal/portal-token.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { addEntity, mergeEntity } from '../../factories/directory.ts';
import { untilListsCompared } from '../../factories/judged.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { allowMails, createOutsider, portalOf } from '../../factories/portal.ts';
import { queuedMails } from '../../factories/queued-mails.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// A message that was mailed without a screening, or to nobody known: what is known by the time it is opened or answered counts.
const { api } = useApi({ config: { RATE_LIMIT_HOSTED: 0 } });
const tenant = useTenantPerTest(api);
const LISTED = 'Barnabas Ravenscroft';
const COMPANY = 'Quillon Thistlewood';
const CLEAN = 'Jonas Brandt';

beforeEach(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', COMPANY), listEntry('2', LISTED)]);
  await untilListsCompared(api, tenant.id);
  await allowMails(api, tenant);
});
const advance = async (id: string) => await lifecycleSteps(api)(tenant, { id });
const listsAreAway = async (isAway: boolean) =>
  await tenant.patch('/tenant/me/settings', {
    screening: { requiredLists: isAway ? ['NOT_THERE'] : [], maxWaitMinutes: 0 },
  });
const review = async (id: string) =>
  await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'Seen.' });

async function send(vaspInfo: object, beneficiary = CLEAN): Promise<string> {
  const parties = { originator: { name: 'Eva Huber' }, beneficiary: { name: beneficiary } };
  return (await createTransaction(tenant, { ...parties, vaspInfo })).id;
}

/** The mail server takes the queued mail; how its link is opened. */
async function mailed(id: string) {
  const mailId = (await queuedMails(api, tenant.id)).at(-1)?.id ?? '';
  await settleLinkMail(api.db, { mailId, end: { status: 'SENT' } as never, now: new Date() });
  expect(await readTransaction(tenant, id)).toMatchObject({ status: 'PENDING', subStatus: 'EMAIL_SENT' });
  const open = await findOpenTransaction(api.db, tenant.id, id);
  if (!open) throw new Error('gone');
  const links = await api.db.pool.query<{ id: string }>('select id from portal_links where mail_id = $1', [
    mailId,
  ]);
  const linkId = links.rows[0]?.id ?? '';
  return async () => {
    const code = await inTransaction(
      api.db.pool,
      async (tx) => await makeCode(api.db, tx, linkId, new Date()),
    );
    const token = portalTokenOf(linkId, open.key);
    const { status, body } = await portalOf(api, token).post<{ session: string }>('/portal/session', {
      code,
    });
    return { status, portal: portalOf(api, token, body.session) };
  };
}

/** A message that was let pass while a required list was away, and its link. */
async function passedUnscreened(beneficiary: string) {
  const domain = `k${randomUUID().slice(0, 8)}.example`;
  const site = { email: `ops@${domain}`, webpage: `https://${domain}` };
  const vasp = await createOutsider(api, { name: `Kornblum ${randomUUID()}`, ...site });
  await listsAreAway(true);
  const id = await send({ beneficiaryVaspName: vasp.name }, beneficiary);
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  expect((await review(id)).status).toBe(200);
  await advance(id);
  return { id, open: await mailed(id) };
}

test('one that was let pass unscreened is not opened once the lists are back and have its beneficiary', async () => {
  const { id, open } = await passedUnscreened(LISTED);
  await listsAreAway(false);
  expect((await open()).status).toBe(409);
  expect((await advance(id)).clearance.reasons).toContain('SANCTIONS');
});

test('one that was let pass unscreened is opened once the lists are back and have nothing of it', async () => {
  const { id, open } = await passedUnscreened(CLEAN);
  await listsAreAway(false);
  expect((await open()).status).toBe(409);
  await advance(id);
  expect((await open()).status).toBe(201);
});

test('one that was let pass unscreened is opened while a required list is still away', async () => {
  const { open } = await passedUnscreened(LISTED);
  expect((await open()).status).toBe(201);
});

/** A message to a name that nobody is known by, let pass while a required list was away. */
async function passedToNobody(name: string, beneficiaryVaspEmail: string): Promise<string> {
  await listsAreAway(true);
  const id = await send({ beneficiaryVaspName: name, beneficiaryVaspEmail });
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  expect((await review(id)).status).toBe(200);
  return id;
}

test('one that was let pass to nobody known is not opened once its VASP is known, while a required list is still away', async () => {
  const name = `Kornblum ${randomUUID()}`;
  const id = await passedToNobody(name, 'ops@harbour.example');
  await advance(id);
  const open = await mailed(id);
  await addEntity(api, name);
  expect((await open()).status).toBe(409);
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  // The reviewer who sees that VASP decides.
  expect((await review(id)).status).toBe(200);
  await advance(id);
  expect((await open()).status).toBe(201);
});

test('one that is held for its mailbox is reviewed also when its VASP is known by then, and for that one once more', async () => {
  const name = `Kornblum ${randomUUID()}`;
  const id = await passedToNobody(name, 'harbour.exchange@gmail.com');
  expect((await advance(id)).clearance.reasons).toContain('MAILBOX');
  await addEntity(api, name);
  expect((await review(id)).status).toBe(200);
  expect((await advance(id)).clearance.reasons).toContain('UNSCREENED');
  expect((await review(id)).status).toBe(200);
  expect((await advance(id)).clearance.reasons).not.toContain('UNSCREENED');
});

test.each([false, true])(
  'coins do not go for a VASP that nobody has seen when a review ends the hold meanwhile; the look has seen that: %s',
  async (isSeen) => {
    const name = `Kornblum ${randomUUID()}`;
    const id = await passedToNobody(name, 'harbour.exchange@gmail.com');
    expect((await advance(id)).clearance.reasons).toContain('MAILBOX');
    await addEntity(api, name);
    const { screenInRequest } = api.deps;
    const look = jest.spyOn(api.deps, 'screenInRequest').mockImplementationOnce(async (ref) => {
      const looked = await screenInRequest(ref);
      expect((await review(id)).status).toBe(200);
      const { record } = (await findOpenTransaction(api.db, tenant.id, id)) ?? {};
      // The look reads the message twice: the review may come between.
      return isSeen ? { ...looked, version: record?.version ?? null } : looked;
    });
    const { status, body } = await tenant.post(`/transactions/${id}/proceed`, { reason: 'Sunrise.' });
    look.mockRestore();
    expect([status, body['code']]).toEqual([409, 'screening_pending']);
    expect(await readTransaction(tenant, id)).toMatchObject({ sunriseOverride: null });
  },
);

/** A message to a name that nobody is known by, delivered by mail; the portal of its receiver. */
async function delivered(name: string) {
  const id = await send({ beneficiaryVaspName: name, beneficiaryVaspEmail: 'ops@harbour.example' });
  if ((await advance(id)).clearance.reasons.includes('MAILBOX')) {
    expect((await review(id)).status).toBe(200);
    await advance(id);
  }
  const { status, portal } = await (await mailed(id))();
  expect(status).toBe(201);
  return { id, portal };
}

test('one that was delivered to nobody known waits once its receiver confirms it and its VASP has a listed name', async () => {
  const name = `Kornblum ${randomUUID()}`;
  const { id, portal } = await delivered(name);
  await mergeEntity(api, await addEntity(api, COMPANY), await addEntity(api, name));
  const answer = await portal.patch('/portal/message', { destinationConfirmed: true, status: 'CONFIRMED' });
  expect(answer.status).toBe(200);
  expect(await readTransaction(tenant, id)).toMatchObject({
    status: 'CONFIRMED',
    clearance: { outcome: 'WAIT' },
  });
  expect(await advance(id)).toMatchObject({ status: 'CONFIRMED', subStatus: 'ON_HOLD' });
});

const patchEntity = async (id: string, body: object) =>
  await api.request('PATCH', `/operator/entities/${id}`, { operatorKey: api.operatorKey, body });

/** A name that two institutions have, of which one has a listed name, too; `end` leaves it to that one, which is not changed. */
async function sharedName() {
  const name = `Kornblum ${randomUUID()}`;
  const listed = await addEntity(api, `First ${randomUUID()}`);
  const other = await addEntity(api, `Second ${randomUUID()}`);
  for (const id of [listed, other]) expect((await patchEntity(id, { aliases: [name] })).status).toBe(200);
  await mergeEntity(api, await addEntity(api, COMPANY), listed);
  await api.db.pool.query(`update entities set updated_at = updated_at - interval '3 days'`);
  const end = async () => expect((await patchEntity(other, { aliases: [] })).status).toBe(200);
  return { name, end };
}

test('one to a name of two waits once its receiver confirms it and the name is of a listed one alone', async () => {
  const { name, end } = await sharedName();
  const { id, portal } = await delivered(name);
  await end();
  const answer = await portal.patch('/portal/message', { destinationConfirmed: true, status: 'CONFIRMED' });
  expect(answer.status).toBe(200);
  expect(await advance(id)).toMatchObject({ status: 'CONFIRMED', subStatus: 'ON_HOLD' });
});

test('one to a name of two does not proceed once the name is of a listed one alone', async () => {
  const { name, end } = await sharedName();
  const { id } = await delivered(name);
  await end();
  const { status } = await tenant.post(`/transactions/${id}/proceed`, { reason: 'Sunrise.' });
  expect(status).toBe(409);
});
