import { randomUUID } from 'node:crypto';
import { getByPortalToken, type MessageLink } from '../../../db/lifecycle/find-portal-link.ts';
import { openByMail } from '../../../db/lifecycle/open-by-mail.ts';
import type { Json } from '../../api-client.ts';
import { untilSomebodyWaits } from '../../factories/hold-commit.ts';
import { createOutsider, linkedMessage, portalOf } from '../../factories/portal.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { readTransaction } from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

// A link may end between the moment at which its token is read and the one at which something is written by it.

const { api } = useApi({ config: { RATE_LIMIT_HOSTED: 0 } });
let tenant: TestTenant;
beforeEach(async () => {
  tenant = await createTenant(api);
});

async function readLink(token: string): Promise<MessageLink> {
  const open = await getByPortalToken(api.db, token);
  if (open.kind !== 'TRANSACTION') throw new Error('the link leads to a message');
  return open;
}
const endLinks = async (id: string) =>
  await api.db.pool.query('update portal_links set ended_at = now() where transaction_id = $1', [id]);
const rename = async (id: string) =>
  await tenant.patch(`/transactions/${id}`, { vaspInfo: { beneficiaryVaspEmail: 'other@harbour.example' } });
const switchOff = async () => await tenant.patch('/tenant/me/settings', { deliveryEmailEnabled: false });

test.each<[string, (id: string) => Promise<unknown>]>([
  ['goes to another mailbox', rename],
  ['goes to no mailbox any more', switchOff],
  ['has another link', endLinks],
])('a message that %s by now is not delivered by the link before', async (_, change) => {
  const { id, token, code } = await linkedMessage(api, tenant);
  const { link, record } = await readLink(token);
  await change(id);
  const opened = openByMail(api.db, { link, record, code, now: new Date() });
  await expect(opened).rejects.toMatchObject({ code: 'conflict' });
  const { status } = await readTransaction(tenant, id);
  expect(status).toBe('PENDING');
});

test('a delivered message is not opened again by a link that has ended by now', async () => {
  const { id, token, code } = await linkedMessage(api, tenant);
  const { link, record } = await readLink(token);
  await openByMail(api.db, { link, record, code, now: new Date() });
  await endLinks(id);
  const again = openByMail(api.db, { ...(await readLink(token)), code, now: new Date() });
  await expect(again).rejects.toMatchObject({ code: 'conflict' });
});

test.each([
  ['/portal/message', { status: 'DECLINED' }],
  ['/portal/message/repair', { fields: ['originator.placeOfBirth'] }],
])('an answer to %s that waits while the link ends changes nothing', async (path, body) => {
  const { id, token, code } = await linkedMessage(api, tenant);
  const { link, record } = await readLink(token);
  const { session } = await openByMail(api.db, { link, record, code, now: new Date() });
  const portal = portalOf(api, token, session);
  expect((await portal.patch('/portal/message', { destinationConfirmed: true })).status).toBe(200);
  const before = await readTransaction(tenant, id);
  const tx = await api.db.pool.connect();
  await tx.query('begin');
  await tx.query('select 1 from message_pairs where outgoing_id = $1 for update', [id]);
  const answer = path.endsWith('repair') ? portal.post(path, body) : portal.patch(path, body);
  await untilSomebodyWaits(api.db.pool, 'transactionid');
  await tx.query('update portal_links set ended_at = now() where transaction_id = $1', [id]);
  await tx.query('commit');
  tx.release();
  expect((await answer).status).toBe(409);
  expect(await readTransaction(tenant, id)).toEqual(before);
});

describe('a link whose message goes another way by now', () => {
  const listed = async () => {
    const name = `Harbour ${randomUUID()}`;
    const entity = await createOutsider(api, {
      name,
      email: 'ops@harbour.example',
      emailDomains: ['harbour.example'],
    });
    const linked = await linkedMessage(api, tenant, { beneficiaryVaspName: name });
    return { entity, portal: portalOf(api, linked.token), ...linked };
  };
  const stateOf = async ({ portal }: Pick<Awaited<ReturnType<typeof listed>>, 'portal'>) =>
    (await portal.get('/portal/link')).body['state'];
  const change = async ({ id }: { id: string }, body: Json) =>
    expect(
      (await api.request('PATCH', `/operator/entities/${id}`, { operatorKey: api.operatorKey, body })).status,
    ).toBe(200);

  test('to another mailbox of the directory says so, sends no code there, and counts again when it leads there again', async () => {
    const link = await listed();
    expect(await stateOf(link)).toBe('OPEN');
    await change(link.entity, { email: 'new@harbour.example' });
    expect(await stateOf(link)).toBe('ELSEWHERE');
    const refused = { status: 409, body: { detail: expect.stringContaining('in another way') as unknown } };
    expect(await link.portal.post('/portal/code')).toMatchObject(refused);
    expect(await link.portal.post('/portal/session', { code: link.code })).toMatchObject(refused);
    await change(link.entity, { email: 'ops@harbour.example' });
    expect(await stateOf(link)).toBe('OPEN');
    expect((await link.portal.post('/portal/session', { code: link.code })).status).toBe(201);
    expect(await stateOf(link)).toBe('OPEN');
  });

  test('since its sender names another mailbox, or none gets mails any more', async () => {
    for (const moved of [rename, switchOff]) {
      const { id, token } = await linkedMessage(api, tenant);
      const portal = portalOf(api, token);
      expect(await stateOf({ portal })).toBe('OPEN');
      await moved(id);
      expect(await stateOf({ portal })).not.toBe('OPEN');
    }
  });
});
