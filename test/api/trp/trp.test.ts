import { request } from 'node:https';
import { startTrpServer } from '../../../api/trp/start-trp-server.ts';
import type { RunningServer } from '../../../api/server.ts';
import { ensureGateways } from '../../../db/gateways/ensure-gateways.ts';
import { MAX_OPEN_UNPROVEN } from '../../../db/trp/refuse-flood.ts';
import { findTransferOf } from '../../../db/trp/transfers.ts';
import { beginNotice, endNotice, endTold } from '../../../db/trp/pending-notice.ts';
import { INQUIRY_PATH, travelTokenIn, travelUrl } from '../../../domain/travel-address/travel-url.ts';
import { encodeTravelAddress } from '../../../domain/travel-address/travel-address.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Wallet } from '../../../domain/wallets/schema.ts';
import type { Json } from '../../api-client.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { configurations } from '../../factories/rules.ts';
import { selfSigned } from '../../factories/self-signed.ts';
import { createBody, evmAddress, evmHash, letPass } from '../../factories/transaction.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { createUser } from '../../factories/user.ts';
import { startSecondApi, useApi, useTenant } from '../../use-api.ts';
import { payloadOf } from '../../domain/ivms101/fixtures.ts';

const LISTED_WALLET = evmAddress();
const LISTED_LEI = '5493001KJTIIGC8Y1R12';

const { api, database } = useApi({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'], RATE_LIMIT_TRP: 0 } });
const tenant = useTenant(api);

beforeAll(async () => {
  await ensureGateways(api.db, new Date());
  await activateList(database.pool, 'OFAC_SDN', [
    listEntry('1', 'Barnabas Ravenscroft', { wallets: [{ asset: 'ETH', address: LISTED_WALLET }] }),
    listEntry('2', 'Ravenscroft Gold House', {
      type: 'organisation',
      identifiers: [{ kind: 'lei', value: LISTED_LEI }],
    }),
  ]);
  await untilListsLoaded(api, tenant.id);
});

async function travelAddress(overrides: Json = {}): Promise<{ address: string; token: string; id: number }> {
  const wallet = { address: evmAddress(), asset: 'ETH', blockchain: 'Ethereum', ...overrides };
  const { id, address } = (await tenant.post<Wallet>('/wallets', wallet)).body;
  const found = await tenant.get<{ travelAddress: string }>(`/wallets/${id}/travel-address`);
  expect(found.status).toBe(200);
  const again = await tenant.get<{ travelAddress: string }>(`/wallets/${id}/travel-address`);
  expect(again.body).toEqual(found.body);
  return { address, id, token: travelTokenIn(found.body.travelAddress) ?? '' };
}

let identifiers = 0;
const headersOf = (identifier = `r-${(identifiers += 1)}`) => ({
  'api-version': '3.2.1',
  'request-identifier': identifier,
});
const inquiry = (overrides: object = {}) => ({
  asset: { slip0044: 60 },
  amount: 1.5,
  callback: 'https://alpine.example/resolutions/1',
  IVMS101: payloadOf('21-analytics-2020.json'),
  ...overrides,
});
const inquire = async (
  token: string,
  body: unknown = inquiry(),
  headers: Record<string, string> = headersOf(),
) => await api.request('POST', `${INQUIRY_PATH}${token}?t=i`, { body, headers });
const arrived = async (address: string) =>
  (await tenant.get<Transaction[]>(`/transactions?_direction=INCOMING&_destination=${address}`)).body;

test('an inquiry of another product becomes a message from an unknown VASP', async () => {
  const { address, token } = await travelAddress();
  const headers = headersOf();
  const taken = await inquire(token, { ...inquiry(), unknown: { of: 'another' }, note: '' }, headers);
  expect(taken).toMatchObject({ status: 200, body: { version: '3.2.1' } });
  expect(taken.headers.get('api-version')).toBe('3.2.1');
  expect(taken.headers.get('request-identifier')).toBe(headers['request-identifier']);
  const [message, ...others] = await arrived(address);
  expect(others).toEqual([]);
  expect(message).toMatchObject({
    status: 'DELIVERED',
    amountDecimal: '1.5',
    travelRuleMessageSource: 'TRP',
    vaspInfo: { originatorVaspEntityId: null },
  });
});

test('a repeat changes nothing, and another inquiry needs another request identifier', async () => {
  const { address, token } = await travelAddress();
  const headers = headersOf();
  const answers = await Promise.all([1, 2, 3].map(async () => await inquire(token, inquiry(), headers)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await inquire(token, inquiry({ amount: 2 }), headers)).status).toBe(409);
  expect(await arrived(address)).toHaveLength(1);
});

test('the same inquiry to another travel address is another one, also at the same moment', async () => {
  const wallets = [await travelAddress(), await travelAddress()];
  const headers = headersOf();
  const answers = await Promise.all(
    wallets.map(async ({ token }) => await inquire(token, inquiry(), headers)),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const messages = await Promise.all(wallets.map(async ({ address }) => (await arrived(address)).length));
  expect(messages).toEqual(answers.map(({ status }) => (status === 200 ? 1 : 0)));
});

test('a repeat is known before it is judged', async () => {
  let judged = 0;
  const { judgeArrival } = api.deps;
  const counting = async (...args: Parameters<typeof judgeArrival>) => {
    judged += 1;
    return await judgeArrival(...args);
  };
  const other = await startSecondApi(api, { config: api.config, deps: { judgeArrival: counting } });
  const { token } = await travelAddress();
  const sent = { body: inquiry(), headers: headersOf() };
  const post = async () => (await other.request('POST', `${INQUIRY_PATH}${token}?t=i`, sent)).status;
  expect([await post(), await post(), await post()]).toEqual([200, 200, 200]);
  expect(judged).toBe(1);
});

describe('every name of an inquiry is compared with the lists', () => {
  const LISTED = { primaryIdentifier: 'Ravenscroft', secondaryIdentifier: 'Barnabas' };
  const person = (name: object) => ({ naturalPerson: { name } });
  const own = { primaryIdentifier: 'Keller', secondaryIdentifier: 'Anna', nameIdentifierType: 'LEGL' };
  const named = (nameIdentifierType: string) =>
    person({ nameIdentifier: [own, { ...LISTED, nameIdentifierType }] });
  const written = (place: string, name: object) => person({ nameIdentifier: [own], [place]: [name] });
  const byOriginator = (originator: object) => ({ originator: { originatorPersons: [originator] } });
  const vasp = (legalPerson: object) => {
    const nameIdentifier = [{ legalPersonName: 'Alpine', legalPersonNameIdentifierType: 'LEGL' }];
    return {
      originatingVASP: { originatingVASP: { legalPerson: { name: { nameIdentifier }, ...legalPerson } } },
    };
  };
  const beneficiaryVasp = (legalPerson: object) => ({
    beneficiaryVASP: { beneficiaryVASP: { legalPerson } },
  });
  const called = (legalPersonName: string, legalPersonNameIdentifierType: string) => ({
    legalPersonName,
    legalPersonNameIdentifierType,
  });

  test.each<[string, object]>([
    ['an alias of the originator', byOriginator(named('ALIA'))],
    ['the name at birth', byOriginator(named('BIRT'))],
    ['a name of no known kind', byOriginator(named('MISC'))],
    ['the name in its own letters', byOriginator(written('localNameIdentifier', LISTED))],
    ['the name as it sounds', byOriginator(written('phoneticNameIdentifier', LISTED))],
    ['an alias of the beneficiary', { beneficiary: { beneficiaryPersons: [named('ALIA')] } }],
    [
      'another name of the originator VASP',
      vasp({
        name: { nameIdentifier: [called('Alpine', 'LEGL'), called('Ravenscroft Gold House', 'TRAD')] },
      }),
    ],
    [
      'the LEI of the originator VASP',
      vasp({
        name: { nameIdentifier: [called('Gold House Exchange', 'LEGL')] },
        nationalIdentification: { nationalIdentifier: LISTED_LEI, nationalIdentifierType: 'LEIX' },
      }),
    ],
    [
      'another VASP in the place of the tenant',
      beneficiaryVasp({ name: { nameIdentifier: [called('Ravenscroft Gold House', 'LEGL')] } }),
    ],
    ['a name beside the list of names', byOriginator(person({ nameIdentifier: [own], ...LISTED }))],
    [
      'the account of the originator',
      {
        originator: {
          originatorPersons: [person({ nameIdentifier: [own] })],
          accountNumber: [LISTED_WALLET],
        },
      },
    ],
  ])('%s', async (_, changes) => {
    const { address, token } = await travelAddress();
    const IVMS101 = { ...payloadOf('21-analytics-2020.json'), ...changes };
    expect((await inquire(token, inquiry({ IVMS101 }))).status).toBe(200);
    const [message] = await arrived(address);
    expect(message?.clearance.reasons).toContain('SANCTIONS');
  });

  test('and shown to the tenant', async () => {
    const { address, token } = await travelAddress();
    const names = [called('Alpine', 'LEGL'), called('Alpine Gold', 'TRAD')];
    const IVMS101 = {
      ...payloadOf('21-analytics-2020.json'),
      ...byOriginator(named('ALIA')),
      ...vasp({ name: { nameIdentifier: names } }),
    };
    await inquire(token, inquiry({ IVMS101 }));
    expect((await arrived(address))[0]).toMatchObject({
      originator: { firstName: 'Anna', lastName: 'Keller', aliases: ['Barnabas Ravenscroft'] },
      originatorVasp: { name: 'Alpine', aliases: ['Alpine Gold'] },
      vaspInfo: { originatorVaspName: 'Alpine' },
    });
  });
});

describe('the VASP that an inquiry takes for the tenant', () => {
  const LEI = '5493001KJTIIGC8Y1R12';
  const OTHER_LEI = '529900T8BM49AURSDO55';
  let sent = 0;
  const held = async (legalPersonName: string, lei?: string) => {
    const { address, token } = await travelAddress();
    const name = { nameIdentifier: [{ legalPersonName, legalPersonNameIdentifierType: 'LEGL' }] };
    const nationalIdentification = { nationalIdentifier: lei, nationalIdentifierType: 'LEIX' };
    const legalPerson = { name, ...(lei !== undefined && { nationalIdentification }) };
    const beneficiaryVASP = { beneficiaryVASP: { legalPerson } };
    const IVMS101 = { ...payloadOf('21-analytics-2020.json'), beneficiaryVASP };
    const callback = `https://alpine.example/resolutions/${(sent += 1)}`;
    expect((await inquire(token, inquiry({ IVMS101, callback }))).status).toBe(200);
    const [message] = await arrived(address);
    return [message!.clearance.reasons.includes('COUNTERPARTY'), message!.beneficiaryVasp?.name ?? null];
  };

  test('may be spelled in any way, and is held for a review where it is another one', async () => {
    const alias = 'Grand Meridian Custody';
    await database.pool.query(
      'update entities set aliases = array[$2] where id = (select entity_id from tenants where id = $1)',
      [tenant.id, alias],
    );
    expect(await held(tenant.name)).toEqual([false, null]);
    expect(await held(`${tenant.name.toUpperCase()} Ltd.`)).toEqual([false, null]);
    expect(await held(alias)).toEqual([false, null]);
    expect(await held('Zanzibar Savings Exchange')).toEqual([true, 'Zanzibar Savings Exchange']);
    // One LEI shows nothing while the other is not known.
    expect(await held(tenant.name, LEI)).toEqual([false, tenant.name]);
    expect((await tenant.patch('/tenant/me', { lei: OTHER_LEI })).status).toBe(200);
    expect(await held(tenant.name, LEI)).toEqual([true, tenant.name]);
    expect(await held('Zanzibar Savings Exchange', OTHER_LEI)).toEqual([false, 'Zanzibar Savings Exchange']);
    await tenant.patch('/tenant/me', { lei: null });
  });

  test('is named once: one that stands in two places, or under one name twice, is refused', async () => {
    const { address, token } = await travelAddress();
    const legalPerson = { name: { nameIdentifier: [{ legalPersonName: tenant.name }] } };
    const beneficiaryVASP = { legalPerson, beneficiaryVASP: { legalPerson } };
    const IVMS101 = { ...payloadOf('21-analytics-2020.json'), beneficiaryVASP };
    const refused = await inquire(token, inquiry({ IVMS101 }));
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/IVMS101/beneficiaryVASP', code: 'given_twice' }] },
    });
    const text = JSON.stringify(inquiry()).replace(
      '"beneficiaryVASP":',
      '"beneficiaryVASP":{},"beneficiaryVASP":',
    );
    const twice = await fetch(`${api.url}${INQUIRY_PATH}${token}?t=i`, {
      method: 'POST',
      headers: { ...headersOf(), 'Content-Type': 'application/json' },
      body: text,
    });
    expect([twice.status, await twice.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'malformed_json' }),
    ]);
    expect(await arrived(address)).toEqual([]);
  });
});

test('an answer that is given while an earlier notice ends is still to be told', async () => {
  const { address, token } = await travelAddress();
  const headers = headersOf();
  expect((await inquire(token, inquiry(), headers)).status).toBe(200);
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from trp_transfers where request_identifier = $1',
    [headers['request-identifier']],
  );
  const id = rows[0]!.id;
  const early = await beginNotice(api.db, id);
  expect(early?.record.status).toBe('DELIVERED');
  const [message] = await arrived(address);
  await tenant.patch(`/transactions/${message!.id}`, { status: 'CONFIRMED' });
  await endNotice(api.db.pool, early!.turn);

  const next = await beginNotice(api.db, id);
  expect(next?.record.status).toBe('CONFIRMED');
  // Nor does what was told before end what has changed since.
  await database.pool.query('update trp_transfers set wake_at = now() where id = $1', [id]);
  await endTold(api.db.pool, { turn: next!.turn, told: 'APPROVED', now: new Date() });
  const last = await beginNotice(api.db, id);
  expect(last?.transfer.told).toBe('APPROVED');
  await endTold(api.db.pool, { turn: last!.turn, told: 'APPROVED', now: new Date() });
  expect(await beginNotice(api.db, id)).toBeNull();
});

describe('what strangers send is bounded', () => {
  const ofAlpine = { vaspInfo: { originatorVaspName: 'Known Exchange' } };
  const LISTED = payloadOf('21-analytics-2020.json');
  LISTED['originator'] = {
    originatorPersons: [
      {
        naturalPerson: {
          name: {
            nameIdentifier: [{ primaryIdentifier: 'Barnabas Ravenscroft', nameIdentifierType: 'LEGL' }],
          },
        },
      },
    ],
  };

  beforeAll(async () => {
    const body = { name: 'Known Exchange', type: 'exchange' };
    const made = await api.request('POST', '/operator/entities', { operatorKey: api.operatorKey, body });
    expect(made.status).toBe(201);
  });

  /** A wallet, an own record of a transfer to it, and a stranger's message of a listed person for that transfer. */
  async function attacked({ originType, ...body }: Json, write: 'FIRST' | 'LAST' = 'LAST') {
    const { address, token } = await travelAddress();
    const place = {
      blockchain: 'Ethereum',
      destination: address,
      transactionHash: evmHash(),
      ...(originType !== undefined && { originType, origin: evmAddress() }),
    };
    const makeOwn = async () =>
      await tenant.post<Transaction>(
        '/transactions',
        createBody({ direction: 'INCOMING', asset: 'ETH', blockchainInfo: place, ...body }),
      );
    const extension = { asset: 'ETH', amount: '1.5', transactionHash: place.transactionHash };
    const attack = async () => {
      const extensions = { 'waybill-transfer': extension };
      expect((await inquire(token, inquiry({ IVMS101: LISTED, extensions }))).status).toBe(200);
      const messages = await arrived(address);
      return messages.find(
        ({ travelRuleMessageSource: source, status }) => source === 'TRP' && status !== 'DECLINED',
      )!;
    };
    if (write === 'FIRST') {
      const message = await attack();
      await block(message);
      return { own: (await makeOwn()).body, attack };
    }
    const own = (await makeOwn()).body;
    expect(own.status).toBe('PENDING');
    return { own, attack };
  }
  const block = async ({ id }: { id: string }) =>
    expect(
      (await tenant.post(`/transactions/${id}/review`, { decision: 'BLOCK', reason: 'Listed.' })).status,
    ).toBe(200);
  const read = async ({ id }: { id: string }) => (await tenant.get<Transaction>(`/transactions/${id}`)).body;
  const confirm = async ({ id }: { id: string }) =>
    (await tenant.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).status;

  test('an own record that names a known VASP neither waits for it nor is stopped by it', async () => {
    const { own, attack } = await attacked(ofAlpine);
    const message = await attack();
    expect(message.clearance.reasons).toContain('SANCTIONS');
    expect((await read(own)).clearance.reasons).toEqual(own.clearance.reasons);
    await block(message);
    expect((await read(own)).clearance.reasons).toEqual(own.clearance.reasons);
    expect(await confirm(own)).toBe(200);
    await attack();
    expect((await read(own)).clearance.reasons).not.toContain('RELATED_HELD');
  });

  const unknown = { vaspInfo: { originatorVaspName: 'Unknown Exchange' } };
  test.each<[string, Json, 'FIRST' | 'LAST']>([
    ['a VASP nobody knows', unknown, 'FIRST'],
    ['a VASP nobody knows', unknown, 'LAST'],
    ['nobody', {}, 'FIRST'],
    ['nobody', {}, 'LAST'],
    ['a self-hosted wallet', { originType: 'NON_CUSTODIAL' }, 'FIRST'],
    ['a self-hosted wallet', { originType: 'NON_CUSTODIAL' }, 'LAST'],
  ])(
    'an own record that names %s is held once for what was stopped (%j, message comes %s)',
    async (_, body, write) => {
      const { own, attack } = await attacked(body, write);
      if (write === 'LAST') await block(await attack());
      const held = await read(own);
      expect(held.clearance).toMatchObject({ outcome: 'WAIT', nextAction: 'REVIEW' });
      expect(held.clearance.reasons).toContain('COUNTERPARTY');
      const log = await tenant.get<Json[]>(`/transactions/${own.id}/events`);
      expect(log.body.map(({ type }) => type)).toContain('HELD');
      // Its own screening finds nothing, and does not lift the hold.
      await letPass(api.db, own.id);
      expect((await read(own)).clearance.nextAction).toBe('REVIEW');
      const passed = { decision: 'PROCEED', reason: 'The sender is another one.' };
      expect((await tenant.post(`/transactions/${own.id}/review`, passed)).status).toBe(200);
      const others = [await attack(), await attack()];
      expect((await read(own)).clearance.outcome).toBe('GO');
      for (const other of others) await block(other);
      const { status, clearance } = await read(own);
      expect([status, clearance.reasons]).toEqual([
        'CONFIRMED',
        expect.not.arrayContaining(['COUNTERPARTY']),
      ]);
    },
  );

  test('one review settles an own record for which many wait', async () => {
    const { own, attack } = await attacked({});
    const [first] = [await attack(), await attack(), await attack()];
    expect((await read(own)).clearance.reasons).toContain('RELATED_HELD');
    await block(first);
    expect((await read(own)).clearance.nextAction).toBe('REVIEW');
    await letPass(api.db, own.id);
    const passed = { decision: 'PROCEED', reason: 'The sender is another one.' };
    expect((await tenant.post(`/transactions/${own.id}/review`, passed)).status).toBe(200);
    expect((await read(own)).clearance).toMatchObject({ outcome: 'GO', nextAction: 'NONE' });
  });

  test.each<[string, Json]>([
    ['nobody', {}],
    ['a VASP nobody knows', { vaspInfo: { originatorVaspName: 'Unknown Exchange' } }],
  ])('an own record of %s that waits for it is not free by naming another VASP', async (_, body) => {
    const { own, attack } = await attacked(body);
    const message = await attack();
    expect((await read(own)).clearance.reasons).toContain('RELATED_HELD');
    expect((await tenant.patch(`/transactions/${own.id}`, ofAlpine)).status).toBe(200);
    expect((await read(own)).clearance.reasons).toContain('RELATED_HELD');
    expect(await confirm(own)).toBe(409);
    // Nor by another one after that, or by another message of a stranger.
    await tenant.patch(`/transactions/${own.id}`, { vaspInfo: { originatorVaspName: 'Unknown Exchange' } });
    await tenant.patch(`/transactions/${own.id}`, ofAlpine);
    const second = await attack();
    expect((await read(own)).clearance.reasons).toContain('RELATED_HELD');
    // The review of the record for which it waits frees it, whatever strangers have sent since.
    await block(message);
    expect((await read(second)).clearance.reasons).toContain('SANCTIONS');
    expect((await read(own)).clearance.reasons).not.toContain('RELATED_HELD');
    expect(await confirm(own)).toBe(200);
  });

  test('an own record that waits for it is free with another hash', async () => {
    const { own, attack } = await attacked({});
    await attack();
    await tenant.patch(`/transactions/${own.id}`, ofAlpine);
    await tenant.patch(`/transactions/${own.id}`, { transactionHash: evmHash() });
    expect((await read(own)).clearance.reasons).not.toContain('RELATED_HELD');
    expect(await confirm(own)).toBe(200);
  });

  test('a wallet takes so many undecided ones, however many come at once, and a repeat', async () => {
    const started = new Date();
    const { address, token } = await travelAddress();
    const headers = headersOf();
    expect((await inquire(token, inquiry(), headers)).status).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: MAX_OPEN_UNPROVEN + 9 }, async () => await inquire(token)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    // Nothing is kept of those that were refused.
    const { rows: kept } = await database.pool.query<{ delivered: boolean }>(
      `select exists (select from transactions t where t.id = r.sent_id) as delivered from trp_transfers r
       where r.tenant_id = $1 and r.created_at >= $2 and r.direction = 'INCOMING'`,
      [tenant.id, started],
    );
    expect(kept).toEqual(Array.from({ length: MAX_OPEN_UNPROVEN }, () => ({ delivered: true })));
    expect(refused).toHaveLength(10);
    for (const { status, body, headers: told } of refused) {
      expect([status, body['code']]).toEqual([429, 'rate_limited']);
      expect(Number(told.get('retry-after'))).toBeGreaterThan(60);
    }
    expect((await inquire(token, inquiry(), headers)).status).toBe(200);
    const other = await travelAddress();
    expect((await inquire(other.token)).status).toBe(200);
    const [message] = await arrived(address);
    await tenant.patch(`/transactions/${message!.id}`, { status: 'DECLINED' });
    expect((await inquire(token)).status).toBe(200);
  });
});

describe('what is wrong with an inquiry is said, and nothing is stored', () => {
  const faultOf = ({ status, body }: { status: number; body: Json }) => {
    const [first] = (body['errors'] ?? []) as { pointer: string; code: string }[];
    return [status, first?.pointer, first?.code];
  };

  test.each([
    ['no beneficiary and no originator', { IVMS101: {} }, [400, '/IVMS101', 'required']],
    ['another asset', { asset: { slip0044: 0 } }, [400, '/asset', 'asset_not_supported']],
    ['no amount', { amount: 0 }, [400, '/amount', 'invalid_decimal']],
    [
      'a callback to a private address',
      { callback: 'https://10.0.0.8/x' },
      [400, '/callback', 'address_not_allowed'],
    ],
    [
      'a callback to a local name',
      { callback: 'https://db.internal/x' },
      [400, '/callback', 'address_not_allowed'],
    ],
    [
      'a callback that is none',
      { callback: 'ftp://alpine.example' },
      [400, '/callback', 'scheme_not_allowed'],
    ],
  ])('%s', async (_, changes, fault) => {
    const { address, token } = await travelAddress();
    expect(faultOf(await inquire(token, inquiry(changes)))).toEqual(fault);
    expect(await arrived(address)).toEqual([]);
  });

  test('another version, or no request identifier', async () => {
    const { token } = await travelAddress();
    const other = { 'api-version': '2.1.0', 'request-identifier': 'a' };
    expect(faultOf(await inquire(token, inquiry(), other))).toEqual([
      400,
      '/api-version',
      'version_not_supported',
    ]);
    expect(faultOf(await inquire(token, inquiry(), { 'api-version': '3.2.1' }))).toEqual([
      400,
      '/request-identifier',
      'required',
    ]);
  });

  test.each([10_485_760, 300_000])('%i bytes', async (length) => {
    const { token } = await travelAddress();
    expect((await inquire(token, inquiry({ note: 'x'.repeat(length) }))).status).toBe(413);
  });

  test.each(['inquiries', 'resolutions', 'confirmations'])(
    'of %s the body is not even read where nobody knows the token',
    async (kind) => {
      const post = async (headers: Record<string, string>) =>
        await api.request('POST', `/trp/${kind}/AAAAAAAAAAAAAAAAAAAAAA`, {
          body: 'x'.repeat(300_000),
          headers,
        });
      expect((await post(headersOf())).status).toBe(404);
      expect((await post({})).status).toBe(400);
    },
  );

  test('an address of nobody, and one whose wallet is not confirmed any more', async () => {
    expect((await inquire('AAAAAAAAAAAAAAAAAAAAAA')).status).toBe(404);
    const { id, token } = await travelAddress();
    await tenant.patch(`/wallets/${id}`, { status: 'UNCONFIRMED' });
    expect((await inquire(token)).status).toBe(404);
    expect((await tenant.get(`/wallets/${id}/travel-address`)).status).toBe(409);
  });
});

test('callbacks for inquiries that nobody made are 404', async () => {
  const options = { body: { rejected: 'no' }, headers: headersOf() };
  expect((await api.request('POST', `/trp/resolutions/${'A'.repeat(43)}`, options)).status).toBe(404);
  const canceled = { body: { canceled: 'no' }, headers: headersOf() };
  expect((await api.request('POST', `/trp/confirmations/${'A'.repeat(43)}`, canceled)).status).toBe(404);
});

test('a message names a travel address that may be called', async () => {
  const create = async (beneficiaryTravelAddress: string) =>
    await tenant.post('/transactions', createBody({ vaspInfo: { beneficiaryTravelAddress } }));
  // That of beneficiary.com/x/12345, whole and with one character wrong; then one to localhost.
  const good = 'ta2W2HPKfHxgSgrzY178knqXHg1H3jfeQrwQ9JrKBs9wv';
  const made = await create(good);
  expect(made).toMatchObject({ status: 201, body: { vaspInfo: { beneficiaryTravelAddress: good } } });
  const codes = async (text: string) =>
    ((await create(text)).body['errors'] as { code: string }[]).map(({ code }) => code);
  expect(await codes(`${good.slice(0, -1)}w`)).toEqual(['checksum_wrong']);
  expect(await codes('ta226rAKyTmMxzsmkda5U2Vhw1')).toEqual(['address_not_allowed']);
  expect(await codes('hello')).toEqual(['invalid_format']);
  const patched = await tenant.patch(`/transactions/${String(made.body['id'])}`, {
    vaspInfo: { beneficiaryTravelAddress: 'ta226rAKyTmMxzsmkda5U2Vhw1' },
  });
  expect(patched.status).toBe(400);
});

test('a node describes itself', async () => {
  const { host } = new URL(api.url);
  api.config.TRP_HOSTS = new Map([[host, tenant.id]]);
  const bodies = await Promise.all(
    ['/identity', '/version', '/extensions'].map(async (path) => (await api.request('GET', path)).body),
  );
  expect(bodies).toEqual([
    { name: tenant.name },
    { version: '3.2.1', vendor: 'Waybill' },
    { required: [], supported: ['waybill-transfer'] },
  ]);
  expect((await fetch(`${api.url}/uptime`)).status).toBe(200);
  const act = async (verb: 'suspend' | 'resume') =>
    await api.request('POST', `/operator/tenants/${tenant.id}/${verb}`, { operatorKey: api.operatorKey });
  const { token } = await travelAddress();
  expect((await act('suspend')).status).toBe(200);
  const whileSuspended = [await api.request('GET', '/identity'), await inquire(token)];
  expect((await act('resume')).status).toBe(200);
  expect(whileSuspended.map(({ status }) => status)).toEqual([404, 404]);
  expect((await inquire(token)).status).toBe(200);
  api.config.TRP_HOSTS = new Map();
  expect((await api.request('GET', '/identity')).status).toBe(404);
});

test('in production TRP is closed while no certificate could be seen', async () => {
  const closed = { ...api.config, ENVIRONMENT: 'production' } as const;
  const other = await startSecondApi(api, { deps: { settings: closed } });
  const statuses = await Promise.all(
    ['/identity', '/version', '/extensions', '/uptime'].map(
      async (path) => (await other.request('GET', path)).status,
    ),
  );
  expect(statuses).toEqual([404, 404, 404, 404]);
  const { token } = await travelAddress();
  const posted = { body: inquiry(), headers: headersOf() };
  expect((await other.request('POST', `${INQUIRY_PATH}${token}?t=i`, posted)).status).toBe(404);
});

describe('a certificate proves who sends', () => {
  const alpine = selfSigned('trp.alpine.example', new Date('2035-01-01'));
  const stranger = selfSigned('trp.alpine.example', new Date('2035-01-01'));
  const own = selfSigned('localhost', new Date('2035-01-01'));
  let server: RunningServer | undefined;
  let entityId: string;

  beforeAll(async () => {
    const encoded = encodeTravelAddress(new URL('https://trp.alpine.example/x?t=i'), {
      environment: 'production',
      allowedHosts: [],
    });
    const made = await api.request('POST', '/operator/entities', {
      operatorKey: api.operatorKey,
      body: {
        name: 'Alpine Exchange',
        type: 'exchange',
        networks: ['TRP'],
        travelAddress: encoded.ok ? encoded.travelAddress : '',
      },
    });
    entityId = String(made.body['id']);
    const tls = { TRP_TLS_PORT: 0, TRP_TLS_CERT: own.cert, TRP_TLS_KEY: own.key, TRP_TLS_CA: alpine.cert };
    server = await startTrpServer({ ...api.config, HOST: '127.0.0.1', ...tls }, api.deps);
  });
  afterAll(async () => await server?.stop(1_000));

  async function post(
    token: string,
    certificate: { cert: string; key: string } | null,
    headers: Json = {},
    listener = server,
  ) {
    const url = new URL(`${INQUIRY_PATH}${token}?t=i`, listener?.url);
    const options = {
      method: 'POST',
      ca: own.cert,
      servername: 'localhost',
      agent: false,
      ...certificate,
      headers: { ...headersOf(), 'Content-Type': 'application/json', ...(headers as Record<string, string>) },
    } as const;
    return await new Promise<number>((resolve, reject) => {
      const sent = request(url, options, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(inquiry()));
    });
  }

  test('by its own listener, and only if its authority is trusted', async () => {
    const found: (string | null)[] = [];
    for (const certificate of [alpine, stranger, null]) {
      const { address, token } = await travelAddress();
      expect(await post(token, certificate)).toBe(200);
      found.push((await arrived(address))[0]?.vaspInfo.originatorVaspEntityId ?? null);
    }
    expect(found).toEqual([entityId, null, null]);
  });

  test('whatever address a caller names there, that of its connection counts', async () => {
    const tls = { TRP_TLS_PORT: 0, TRP_TLS_CERT: own.cert, TRP_TLS_KEY: own.key };
    const settings = { ...api.config, ...tls, HOST: '127.0.0.1', TRUST_PROXY: true, RATE_LIMIT_TRP: 2 };
    const limited = await startTrpServer(settings, { ...api.deps, settings });
    const { token } = await travelAddress();
    const statuses: number[] = [];
    for (const named of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      statuses.push(await post(token, null, { 'X-Forwarded-For': named }, limited));
    expect(statuses).toEqual([200, 200, 429]);
    await limited?.stop(1_000);
  });

  test('a header is nobody’s word on that listener', async () => {
    Object.assign(api.config, { TRUST_PROXY: true, TRP_CERT_HEADER: 'X-Client-Cert' });
    const escaped = { 'X-Client-Cert': encodeURIComponent(alpine.cert) };
    const { address, token } = await travelAddress();
    expect(await post(token, null, escaped)).toBe(200);
    expect((await arrived(address))[0]?.vaspInfo.originatorVaspEntityId).toBeNull();
    // Behind the trusted proxy it is the proxy's.
    const behind = await travelAddress();
    expect((await inquire(behind.token, inquiry(), { ...headersOf(), ...escaped })).status).toBe(200);
    expect((await arrived(behind.address))[0]?.vaspInfo.originatorVaspEntityId).toBe(entityId);
    const broken = await travelAddress();
    await inquire(broken.token, inquiry(), { ...headersOf(), 'X-Client-Cert': 'not%a%certificate' });
    expect((await arrived(broken.address))[0]?.vaspInfo.originatorVaspEntityId).toBeNull();
    Object.assign(api.config, { TRUST_PROXY: false, TRP_CERT_HEADER: undefined });
  });

  test('a message of the proven VASP completes the record that names it, one of anybody else does not', async () => {
    Object.assign(api.config, { TRUST_PROXY: true, TRP_CERT_HEADER: 'X-Client-Cert' });
    const escaped = { 'X-Client-Cert': encodeURIComponent(alpine.cert) };
    const completed = async (certificate: object) => {
      const { address, token } = await travelAddress();
      const transactionHash = evmHash();
      const transfer = { blockchain: 'Ethereum', destination: address, transactionHash };
      const own = await tenant.post<Transaction>(
        '/transactions',
        createBody({
          direction: 'INCOMING',
          blockchainInfo: transfer,
          vaspInfo: { originatorVaspName: 'Alpine Exchange' },
        }),
      );
      const extensions = { 'waybill-transfer': { asset: 'ETH', amount: '1.5', transactionHash } };
      await inquire(token, inquiry({ extensions }), { ...headersOf(), ...certificate });
      return (await tenant.get<Transaction>(`/transactions/${own.body.id}`)).body.status;
    };
    expect(await completed(escaped)).toBe('DELIVERED');
    expect(await completed({})).toBe('PENDING');
    Object.assign(api.config, { TRUST_PROXY: false, TRP_CERT_HEADER: undefined });
  });

  test('the proven VASP replaces the hash of a transfer that it sends again', async () => {
    Object.assign(api.config, { TRUST_PROXY: true, TRP_CERT_HEADER: 'X-Client-Cert' });
    const { status, other, stored } = await hashReplaced({
      'X-Client-Cert': encodeURIComponent(alpine.cert),
    });
    Object.assign(api.config, { TRUST_PROXY: false, TRP_CERT_HEADER: undefined });
    expect([status, stored]).toEqual([204, other]);
  });
});

test('a rule that confirms everything confirms nothing of an unknown sender', async () => {
  const { id, draft } = (await configurations(tenant)).INCOMING;
  const open = { rules: [], defaultDecision: 'PROCEED', revision: draft.revision };
  expect((await tenant.patch(`/rule-engine/${id}/draft`, open)).status).toBe(200);
  expect((await tenant.post(`/rule-engine/${id}/publish`, { comment: 'open' })).status).toBe(201);
  const { address, token } = await travelAddress();
  await inquire(token);
  const [message] = await arrived(address);
  expect(message).toMatchObject({
    status: 'DELIVERED',
    subStatus: 'ON_HOLD',
    clearance: { outcome: 'WAIT', reasons: expect.arrayContaining(['COUNTERPARTY']) as unknown },
  });
});

/** Sends an inquiry, one hash twice and another one; the answer to the last, and the hashes. */
async function hashReplaced(certificate: Record<string, string> = {}) {
  const { address, token } = await travelAddress();
  const headers = headersOf();
  await inquire(token, inquiry(), { ...headers, ...certificate });
  const { rows } = await database.pool.query<{ sent_id: string }>(
    'select sent_id from trp_transfers where request_identifier = $1',
    [headers['request-identifier']],
  );
  const transfer = await findTransferOf(api.db, rows[0]!.sent_id);
  const confirmation = `/trp/confirmations/${transfer!.secrets.token}`;
  const confirm = async (txid: string) =>
    (await api.request('POST', confirmation, { body: { txid }, headers })).status;
  const [first, other] = [evmHash(), evmHash()];
  expect(await confirm(first)).toBe(204);
  expect(await confirm(first.toUpperCase().replace('0X', '0x'))).toBe(204);
  const status = await confirm(other);
  return { status, first, other, stored: (await arrived(address))[0]?.blockchainInfo.transactionHash };
}

test('of a stranger the first hash of a transfer counts', async () => {
  const { status, first, stored } = await hashReplaced();
  expect([status, stored]).toEqual([409, first]);
});

test('only who may decide gets the address by which anybody can write to the tenant', async () => {
  const { id } = await travelAddress();
  const path = `/wallets/${id}/travel-address`;
  const observer = await createUser(api, tenant, 'OBSERVER');
  const decider = await createUser(api, tenant, 'COMPLIANCE');
  expect((await observer.get(path)).status).toBe(403);
  expect((await decider.get(path)).status).toBe(200);
  const head = await fetch(`${api.url}${path}`, { method: 'HEAD', headers: { 'X-Api-Key': tenant.apiKey } });
  expect(head.status).toBe(405);
});

test('the token of a travel address is no number that could be guessed', async () => {
  const [one, other] = [await travelAddress(), await travelAddress()];
  expect(one.token).toMatch(/^[\w-]{22}$/);
  expect(one.token).not.toBe(other.token);
  expect(travelUrl('ta2W2HPKfHxgSgrzY178knqXHg1H3jfeQrwQ9JrKBs9wv')?.host).toBe('beneficiary.com');
});
