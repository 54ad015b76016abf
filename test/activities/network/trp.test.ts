import { trpPlaces } from '../../../activities/network/trp-places.ts';
import { messageNetworks } from '../../../activities/network/networks.ts';
import { CounterpartyUnreachable, SendFirst } from '../../../activities/network/network.ts';
import { sendInquiry, type TrpDeps } from '../../../activities/network/send-inquiry.ts';
import { ensureGateways } from '../../../db/gateways/ensure-gateways.ts';
import { counterpartyOf } from '../../../db/lifecycle/resolve-counterparty.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import type { Json } from '../../api-client.ts';
import { createPartner } from '../../factories/partner.ts';
import { allowMails, createOutsider } from '../../factories/portal.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { TEST_MAILS } from '../../factories/test-mails.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
const VASP = { vaspInfo: { beneficiaryTravelAddress: 'ta2W2HPKfHxgSgrzY178knqXHg1H3jfeQrwQ9JrKBs9wv' } };
beforeAll(async () => await ensureGateways(api.db, new Date()));

async function messageByTrp() {
  const { id } = await createTransaction(tenant, VASP);
  const record = await getTransaction(api.db, tenant.id, id);
  const { receiver } = await counterpartyOf(api.db.pool, record, api.db);
  if (receiver?.network !== 'TRP') throw new Error('the message does not go by TRP');
  return { record, receiver };
}

test.each([
  ['is called first', false, SendFirst],
  ['counts as unreachable once it was called in vain', true, CounterpartyUnreachable],
])('the VASP of a travel address %s', async (_what, isSendFailed, thrown) => {
  const { record, receiver: counterparty } = await messageByTrp();
  const { TRP } = messageNetworks(releaseDeps(api), TEST_MAILS);
  const message = { record, counterparty, isSendFailed, now: new Date() };
  await expect(TRP.deliver(message)).rejects.toBeInstanceOf(thrown);
});

describe('where TRP is closed, a message with a travel address', () => {
  /** The network of its route, and why others do not carry it. */
  async function routeOf(vaspInfo: Json): Promise<unknown> {
    const { id } = await createTransaction(tenant, { vaspInfo: { ...VASP.vaspInfo, ...vaspInfo } });
    const record = await getTransaction(api.db, tenant.id, id);
    const { receiver, skipped } = await counterpartyOf(api.db.pool, record, { speaksTrp: false });
    return [receiver?.network ?? null, skipped];
  }
  beforeAll(async () => await allowMails(api, tenant));

  test('goes on by the name of its VASP, over a partner or by e-mail', async () => {
    const { partner } = await createPartner(api);
    const networks = [`PARTNER:${partner.name}`];
    const { name: ofPartner } = await createOutsider(api, { name: 'Partnered Far Away', networks });
    expect(await routeOf({ beneficiaryVaspName: ofPartner })).toEqual(['PARTNER', ['NATIVE:NO_TENANT']]);
    const { name: mailed } = await createOutsider(api, { name: 'Mailed', email: 'ops@mailed.example' });
    expect(await routeOf({ beneficiaryVaspName: mailed })).toEqual([
      'EMAIL',
      ['NATIVE:NO_TENANT', 'PARTNER:NO_PARTNER', 'TRP:CLOSED'],
    ]);
  });

  test('goes by e-mail where it names a mailbox alone, and to nobody where it names nothing else', async () => {
    const tried = ['NATIVE:NO_HOLDER', 'PARTNER:VASP_UNKNOWN', 'TRP:CLOSED'];
    expect(await routeOf({ beneficiaryVaspEmail: 'ops@nobody.example' })).toEqual(['EMAIL', tried]);
    expect(await routeOf({})).toEqual([null, [...tried, 'EMAIL:NO_MAILBOX']]);
  });

  test('goes on, too, where only the directory has a travel address of its VASP', async () => {
    const { id, name } = await createOutsider(api, { name: 'Listed Traveller', email: 'ops@listed.example' });
    const { beneficiaryTravelAddress } = VASP.vaspInfo;
    await database.pool.query('update entities set travel_address = $2 where id = $1', [
      id,
      beneficiaryTravelAddress,
    ]);
    const { id: sent } = await createTransaction(tenant, { vaspInfo: { beneficiaryVaspName: name } });
    const record = await getTransaction(api.db, tenant.id, sent);
    const { receiver, skipped } = await counterpartyOf(api.db.pool, record, { speaksTrp: false });
    expect([receiver?.network, skipped.at(-1)]).toEqual(['EMAIL', 'TRP:CLOSED']);
  });
});

test('a message without an amount, which no inquiry can carry, fails instead of being tried for ever', async () => {
  const { record } = await messageByTrp();
  const { id, version } = record;
  await database.pool.query('update transactions set amount = null where id = $1', [id]);
  const unused = async () => {
    throw new Error('no VASP is called');
  };
  const deps: TrpDeps = {
    db: api.db,
    now: () => new Date(),
    trp: {
      client: { inquire: unused, notify: unused, close: unused },
      places: trpPlaces(),
      url: 'https://waybill.example',
      rules: { environment: 'sandbox', allowedHosts: [] },
    },
    reportTrpFault: () => undefined,
  };
  expect(await sendInquiry(deps, { id, version })).toBe('FAILED');
});
