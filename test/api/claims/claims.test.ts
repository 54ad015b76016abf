import { deliverClaim } from '../../../db/lifecycle/deliver-claim.ts';
import { findClaimOfWorkflow } from '../../../db/claims/find-claim.ts';
import { sendMatching } from '../../../db/lifecycle/send-to-asker.ts';
import type { TransferClaim } from '../../../domain/claims/schema.ts';
import { endOfWorkingDays } from '../../../domain/claims/working-days.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { failTransaction } from '../../factories/failed-transaction.ts';
import { readFeed } from '../../factories/change-feed.ts';
import { claimBody, createClaim, readClaim } from '../../factories/claim.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, evmHash } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
/** It asks. */
const harbour = useTenant(api, { country: 'DE' });
/** It is asked. */
const alpine = useTenant(api);

const ofAlpine = () => ({ vaspInfo: { originatorVaspName: alpine.name } });
const post = async (body: Json, headers: Record<string, string> = {}) =>
  await harbour.post<TransferClaim>('/claims', body, { headers });
const read = async (tenant: TestTenant, id: string | null) =>
  (await tenant.get<Transaction>(`/transactions/${id}`)).body;
const recordsOf = async ({ blockchainInfo }: TransferClaim) =>
  (await harbour.get<Transaction[]>(`/transactions?_transactionHash=${blockchainInfo.transactionHash}`)).body;
const countOf = async () =>
  (await database.pool.query<{ n: number }>('select count(*)::int as n from claims')).rows[0]?.n;

/** A claim of Harbour as it has reached Alpine, without workers. */
async function delivered(overrides: Json = {}): Promise<{ own: TransferClaim; asked: TransferClaim }> {
  const own = await createClaim(harbour, { ...ofAlpine(), ...overrides });
  const delivery = { tenantId: harbour.id, id: own.id, askedTenantId: alpine.id, now: new Date() };
  const { incomingId } = (await deliverClaim(api.db, delivery))!;
  return { own: await readClaim(harbour, own.id), asked: await readClaim(alpine, incomingId) };
}

/** What the workflow of the asked side does first. */
async function lookForTransfer({ id }: TransferClaim): Promise<void> {
  const claim = await findClaimOfWorkflow(api.db, id);
  await sendMatching(api.db, claim!, new Date());
}

describe('POST /claims', () => {
  describe('201', () => {
    test('every field is there, null when there is nothing, and reads back the same', async () => {
      const body = claimBody();
      const answer = await post(body);
      expect(answer.status).toBe(201);
      const { id, createdAt, deadlineAt, transactionId, vaspInfo, ...rest } = answer.body;
      expect(rest).toEqual({
        direction: 'OUTGOING',
        status: 'PENDING',
        statusReasoning: null,
        failureCode: null,
        asset: 'ETH',
        blockchainInfo: { ...body.blockchainInfo, origin: null, originTag: null, destinationTag: null },
        beneficiary: null,
        requestedFields: expect.arrayContaining(['originator.name', 'beneficiary.name']),
        travelRuleMessageSource: null,
        remindedAt: null,
        version: 1,
        updatedAt: createdAt,
      });
      expect(vaspInfo).toEqual({
        originatorVaspName: null,
        originatorVaspEmail: null,
        originatorVaspEntityId: null,
        beneficiaryVaspName: harbour.name,
        beneficiaryVaspEntityId: expect.any(String),
      });
      // Three working days of the default zone.
      expect(deadlineAt).toBe(endOfWorkingDays(new Date(createdAt), 3, 'UTC').toISOString());
      expect(transactionId).toEqual(expect.any(String));
      expect(await readClaim(harbour, id)).toEqual(answer.body);
    });

    test('a record of the transfer is made: what the tenant does not know is null', async () => {
      const origin = evmAddress();
      const claim = await createClaim(harbour, {
        ...ofAlpine(),
        beneficiary: { name: 'Jonas Brandt' },
        blockchainInfo: { origin },
      });
      const { transactionHash, destination } = claim.blockchainInfo;
      expect(await read(harbour, claim.transactionId)).toMatchObject({
        direction: 'INCOMING',
        status: 'PENDING',
        amount: null,
        amountDecimal: null,
        originator: null,
        beneficiary: { name: 'Jonas Brandt' },
        vaspInfo: { originatorVaspName: alpine.name, beneficiaryVaspName: harbour.name },
        blockchainInfo: { transactionHash, destination, origin, destinationType: 'CUSTODIAL' },
        travelRuleMessageSource: 'MANUAL',
      });
      expect(claim.vaspInfo.originatorVaspEntityId).toEqual(expect.any(String));
    });

    test('a record that the tenant has of the transfer is taken, in any spelling, and asked for what it lacks', async () => {
      const { blockchainInfo } = claimBody();
      const { id } = await createTransaction(harbour, {
        direction: 'INCOMING',
        blockchainInfo: { ...blockchainInfo, blockchain: 'Ethereum' },
        vaspInfo: { originatorVaspName: alpine.name },
        originator: { name: 'Anna Keller' },
        beneficiary: { name: 'Jonas Brandt' },
      });
      const { transactionHash, destination } = blockchainInfo;
      const spelt = { transactionHash: transactionHash.slice(2).toUpperCase(), destination };
      const claim = await createClaim(harbour, { blockchainInfo: { ...spelt, blockchain: 'eip155:1' } });
      expect(claim.transactionId).toBe(id);
      // It names the VASP that is asked.
      expect(claim.vaspInfo.originatorVaspName).toBe(alpine.name);
      expect(claim.requestedFields).not.toContain('originator.name');
      expect(claim.requestedFields).toContain('originator.dateOfBirth');
      expect(await recordsOf(claim)).toHaveLength(1);
    });

    test('a record that names no VASP gets the name of the one that is asked', async () => {
      const { blockchainInfo } = claimBody();
      const made = await createTransaction(harbour, { direction: 'INCOMING', blockchainInfo });
      const claim = await createClaim(harbour, { ...ofAlpine(), blockchainInfo });
      expect(claim.transactionId).toBe(made.id);
      expect((await read(harbour, made.id)).vaspInfo.originatorVaspName).toBe(alpine.name);
    });

    test('a record that names another VASP is left alone: the claim has one of its own', async () => {
      const { blockchainInfo } = claimBody();
      const made = await createTransaction(harbour, {
        direction: 'INCOMING',
        blockchainInfo,
        vaspInfo: { originatorVaspName: 'Quite Another Bank' },
      });
      const claim = await createClaim(harbour, { ...ofAlpine(), blockchainInfo });
      expect(claim.transactionId).not.toBe(made.id);
      expect(await recordsOf(claim)).toHaveLength(2);
    });

    test('asks for the fields that it names', async () => {
      const claim = await createClaim(harbour, { requestedFields: ['originator.lei'] });
      expect(claim.requestedFields).toEqual(['originator.lei']);
    });

    test('the deadline follows the settings: days and zone', async () => {
      const tenant = await createTenant(api);
      await tenant.patch('/tenant/me/settings', { claimDeadlineDays: 10, timeZone: 'Asia/Tokyo' });
      const claim = await createClaim(tenant);
      const expected = endOfWorkingDays(new Date(claim.createdAt), 10, 'Asia/Tokyo');
      expect(claim.deadlineAt).toBe(expected.toISOString());
      expect(claim.deadlineAt).toMatch(/T14:59:59\.999Z$/);
    });

    test('a counterparty may have a time of its own', async () => {
      const tenant = await createTenant(api);
      const { originatorVaspEntityId } = (await createClaim(tenant, ofAlpine())).vaspInfo;
      const path = `/counterparties/${originatorVaspEntityId}`;
      expect((await tenant.patch(path, { claimDeadlineDays: 12 })).body).toMatchObject({
        claimDeadlineDays: 12,
      });
      const claim = await createClaim(tenant, ofAlpine());
      expect(claim.deadlineAt).toBe(endOfWorkingDays(new Date(claim.createdAt), 12, 'UTC').toISOString());
      await tenant.patch(path, { claimDeadlineDays: null });
      const later = await createClaim(tenant, ofAlpine());
      expect(later.deadlineAt).toBe(endOfWorkingDays(new Date(later.createdAt), 3, 'UTC').toISOString());
    });

    test('an Idempotency-Key gives the first answer again, and one claim', async () => {
      const body = claimBody();
      const headers = { 'Idempotency-Key': evmHash() };
      const first = await post(body, headers);
      const before = await countOf();
      const second = await post(body, headers);
      expect([second.status, second.body]).toEqual([201, first.body]);
      expect(await countOf()).toBe(before);
    });
  });

  describe('400', () => {
    test.each([
      [
        'the hash of another chain',
        { blockchainInfo: { transactionHash: 'abc' } },
        '/blockchainInfo/transactionHash',
      ],
      ['an address that is none', { blockchainInfo: { destination: '0x12' } }, '/blockchainInfo/destination'],
      ['an origin that is none', { blockchainInfo: { origin: '0x12' } }, '/blockchainInfo/origin'],
      ['a field that is not known', { requestedFields: ['originator.shoeSize'] }, '/requestedFields/0'],
      ['no blockchain', { blockchainInfo: { blockchain: undefined } }, '/blockchainInfo/blockchain'],
    ])('%s, and nothing is stored', async (_what, overrides, pointer) => {
      const before = await countOf();
      const answer = await post(claimBody(overrides as Json));
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
      expect(await countOf()).toBe(before);
    });
  });

  describe('409', () => {
    test('for a deposit from a self-hosted wallet: an answer would end the wait for the proof of its owner', async () => {
      const body = claimBody();
      const { destination, transactionHash } = body.blockchainInfo;
      const wallet = { originType: 'NON_CUSTODIAL', origin: evmAddress() };
      const blockchainInfo = { blockchain: 'Ethereum', destination, transactionHash, ...wallet };
      const deposit = await createTransaction(harbour, { direction: 'INCOMING', blockchainInfo });
      const vaspInfo = { originatorVaspEmail: 'me@my-own.example' };
      expect(await post({ ...body, vaspInfo })).toMatchObject({ status: 409, body: { code: 'conflict' } });
      expect(await post(body)).toMatchObject({ status: 409, body: { code: 'conflict' } });
      expect((await read(harbour, deposit.id)).version).toBe(deposit.version);
    });

    test('for a record of the transfer that was declined, with its id; one that was not is taken instead', async () => {
      const body = claimBody();
      const { destination, transactionHash } = body.blockchainInfo;
      const blockchainInfo = { blockchain: 'Ethereum', destination, transactionHash };
      const declined = await createTransaction(harbour, { direction: 'INCOMING', blockchainInfo });
      await harbour.patch(`/transactions/${declined.id}`, { status: 'DECLINED' });
      const refused = await post(body);
      expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', id: declined.id } });
      expect(JSON.stringify(refused.body)).toContain('is DECLINED');
      const open = await createTransaction(harbour, { direction: 'INCOMING', blockchainInfo });
      expect(await post(body)).toMatchObject({ status: 201, body: { transactionId: open.id } });
    });

    test('a second open claim for the same chain, hash and destination, with the id of the first', async () => {
      const claim = await createClaim(harbour, ofAlpine());
      const { transactionHash, destination } = claim.blockchainInfo;
      const again = {
        blockchain: '1',
        transactionHash: transactionHash.toUpperCase().replace('0X', '0x'),
        destination,
      };
      const answer = await post(claimBody({ blockchainInfo: again }));
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', id: claim.id } });
      expect(await recordsOf(claim)).toHaveLength(1);
      // Once it is closed, another one may be made, which takes the record of the first.
      await harbour.patch(`/claims/${claim.id}`, { status: 'CANCELLED' });
      const second = await post(claimBody({ blockchainInfo: again }));
      expect(second).toMatchObject({ status: 201, body: { transactionId: claim.transactionId } });
    });

    test('of ten at once one is made', async () => {
      const body = claimBody();
      const answers = await Promise.all(Array.from({ length: 10 }, async () => await post(body)));
      const made = answers.filter(({ status }) => status === 201);
      expect(made).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 409).map((answer) => answer.body.id);
      expect(refused).toEqual(Array.from({ length: 9 }, () => made[0]?.body.id));
    });

    test('another tag, another destination or another hash is another transfer', async () => {
      const { blockchainInfo } = claimBody();
      for (const other of [
        { destinationTag: '7' },
        { destination: evmAddress() },
        { transactionHash: evmHash() },
      ])
        expect((await post(claimBody({ blockchainInfo: { ...blockchainInfo, ...other } }))).status).toBe(201);
    });
  });

  test('429 after three claims of one tenant for a hash and a destination in a day, whatever their chain', async () => {
    const { blockchainInfo } = claimBody();
    const claimAgain = async (tenant: TestTenant, blockchain: string) => {
      const body = claimBody({ blockchainInfo: { ...blockchainInfo, blockchain } });
      const answer = await tenant.post<TransferClaim>('/claims', body);
      if (answer.status === 201) await tenant.patch(`/claims/${answer.body.id}`, { status: 'CANCELLED' });
      return answer;
    };
    const chains = ['Ethereum', 'Base', 'Polygon', 'Ethereum'];
    const answers = [];
    for (const chain of chains) answers.push(await claimAgain(harbour, chain));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
    expect(answers[3]?.body).toMatchObject({ code: 'rate_limited' });
    expect(Number(answers[3]?.headers.get('Retry-After'))).toBeGreaterThan(86_000);
    expect((await claimAgain(alpine, 'Ethereum')).status).toBe(201);
    expect((await post(claimBody())).status).toBe(201);
  });
});

describe('GET /claims', () => {
  test('lists both directions of the tenant alone, filtered and searched', async () => {
    const tenant = await createTenant(api);
    const own = await createClaim(tenant, { ...ofAlpine(), beneficiary: { name: 'Ottokar Lindqvist' } });
    const other = await createClaim(tenant);
    const list = async (query: string) =>
      (await tenant.get<TransferClaim[]>(`/claims${query}`)).body.map(({ id }) => id);
    expect(await list('')).toEqual([other.id, own.id]);
    expect(await list('?_direction=INCOMING')).toEqual([]);
    expect(await list('?_status=PENDING,DELIVERED&_sort=createdAt')).toEqual([own.id, other.id]);
    expect(await list(`?_transactionHash=${own.blockchainInfo.transactionHash.toUpperCase()}`)).toEqual([
      own.id,
    ]);
    expect(await list(`?_destination=${other.blockchainInfo.destination}`)).toEqual([other.id]);
    expect(await list('?q=lindq')).toEqual([own.id]);
    expect(await list(`?q=${own.blockchainInfo.transactionHash.slice(0, 20)}`)).toEqual([own.id]);
    expect(await list(`?q=${other.id}`)).toEqual([other.id]);
    expect((await tenant.get('/claims?_start=0&_end=1')).headers.get('X-Total-Count')).toBe('2');
  });
});

describe('PATCH /claims/{id}', () => {
  test.each([
    ['the asking side', 'DECLINED', ['CANCELLED']],
    ['the asked side', 'CANCELLED', ['DECLINED']],
    ['the asking side', 'ANSWERED', ['CANCELLED']],
    ['the asked side', 'EXPIRED', ['DECLINED']],
  ])('%s cannot set %s', async (side, status, allowed) => {
    const { own, asked } = await delivered();
    const [tenant, claim] = side === 'the asking side' ? [harbour, own] : [alpine, asked];
    const answer = await tenant.patch(`/claims/${claim.id}`, { status });
    expect(answer).toMatchObject({ status: 409, body: { code: 'invalid_transition', allowed } });
    expect([await readClaim(harbour, own.id), await readClaim(alpine, asked.id)]).toEqual([own, asked]);
  });

  test('a claim that has ended keeps its status and its reason', async () => {
    const { own } = await delivered();
    await harbour.patch(`/claims/${own.id}`, { status: 'CANCELLED' });
    for (const body of [{ status: 'CANCELLED' }, { status: 'DECLINED' }])
      expect(await harbour.patch(`/claims/${own.id}`, body)).toMatchObject({
        status: 409,
        body: { code: 'invalid_transition', allowed: [] },
      });
    expect(await harbour.patch(`/claims/${own.id}`, { statusReasoning: 'later' })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
  });

  test('both sides at once: one of them counts, and both records say the same', async () => {
    const { own, asked } = await delivered();
    const answers = await Promise.all([
      harbour.patch(`/claims/${own.id}`, { status: 'CANCELLED' }),
      alpine.patch(`/claims/${asked.id}`, { status: 'DECLINED' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const statuses = [(await readClaim(harbour, own.id)).status, (await readClaim(alpine, asked.id)).status];
    expect(new Set(statuses).size).toBe(1);
  });
});

describe('POST /claims/{id}/answer', () => {
  const originator = { type: 'NATURAL', name: 'Anna Keller' };
  const answerOf = async (tenant: TestTenant, { id }: TransferClaim, body: Json) =>
    await tenant.post<TransferClaim>(`/claims/${id}/answer`, body);
  const transferOf = ({ blockchainInfo }: TransferClaim) => {
    const { blockchain, transactionHash, destination } = blockchainInfo;
    return { blockchain, transactionHash, destination, destinationType: 'CUSTODIAL' };
  };

  test('party data become a transaction to the VASP that asks, and a second answer is 409 while it is on its way', async () => {
    const { asked } = await delivered();
    const body = { amount: '2.25', originator, beneficiary: { name: 'Jonas Brandt' } };
    const answer = await answerOf(alpine, asked, body);
    expect(answer.status).toBe(200);
    const { transactionId } = answer.body;
    expect(await read(alpine, transactionId)).toMatchObject({
      direction: 'OUTGOING',
      amountDecimal: '2.25',
      originator,
      blockchainInfo: transferOf(asked),
      vaspInfo: { beneficiaryVaspName: harbour.name, originatorVaspName: alpine.name },
    });
    expect(await answerOf(alpine, asked, body)).toMatchObject({
      status: 409,
      body: { code: 'conflict', id: transactionId },
    });
  });

  test('a transaction without a hash gets that of the claim', async () => {
    const { asked } = await delivered();
    const { transactionHash: _hash, ...blockchainInfo } = transferOf(asked);
    const { id } = await createTransaction(alpine, { blockchainInfo });
    expect((await answerOf(alpine, asked, { transactionId: id })).status).toBe(200);
    const { blockchainInfo: now, vaspInfo } = await read(alpine, id);
    expect(now.transactionHash).toBe(asked.blockchainInfo.transactionHash);
    expect(vaspInfo.beneficiaryVaspName).toBe(harbour.name);
  });

  test.each([
    ['of another hash', { transactionHash: evmHash() }],
    ['to another destination', { destination: evmAddress() }],
    ['on another chain', { blockchain: 'Polygon' }],
  ])('a transaction %s is 400', async (_what, other) => {
    const { asked } = await delivered();
    const { id } = await createTransaction(alpine, { blockchainInfo: { ...transferOf(asked), ...other } });
    expect(await answerOf(alpine, asked, { transactionId: id })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/transactionId', code: 'other_transfer' }] },
    });
  });

  test('a transaction that has ended is 409, one of nobody or of another tenant 404', async () => {
    const { asked } = await delivered();
    const { id } = await createTransaction(alpine, { blockchainInfo: transferOf(asked) });
    await alpine.patch(`/transactions/${id}`, { status: 'CANCELLED' });
    expect(await answerOf(alpine, asked, { transactionId: id })).toMatchObject({ status: 409, body: { id } });
    const foreign = await createTransaction(harbour, { blockchainInfo: transferOf(asked) });
    for (const transactionId of [foreign.id, asked.id])
      expect((await answerOf(alpine, asked, { transactionId })).status).toBe(404);
  });

  test.each([
    ['nothing', {}, '/originator', 'required'],
    ['an amount alone', { amount: '1' }, '/originator', 'required'],
    [
      'both',
      { transactionId: '0190d1a2-7b3c-7def-8123-456789abcdef', originator },
      '/transactionId',
      'given_twice',
    ],
  ])('%s is 400', async (_what, body, pointer, code) => {
    const { asked } = await delivered();
    expect(await answerOf(alpine, asked, body)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer, code }] },
    });
  });

  test('the asking side cannot answer, and nobody a claim that has ended', async () => {
    const { own, asked } = await delivered();
    const refused = { status: 409, body: { code: 'invalid_transition', allowed: [] } };
    expect(await answerOf(harbour, own, { originator })).toMatchObject(refused);
    await alpine.patch(`/claims/${asked.id}`, { status: 'DECLINED' });
    expect(await answerOf(alpine, asked, { originator })).toMatchObject(refused);
  });

  test('after the deadline is 409, as is a refusal, before the claim is marked; the asking side takes it back still', async () => {
    const { own, asked } = await delivered();
    const { id } = await createTransaction(alpine, { blockchainInfo: transferOf(asked) });
    await database.pool.query(
      `update claims set deadline_at = now() - interval '1 second' where id = any($1)`,
      [[own.id, asked.id]],
    );
    const refused = { status: 409, body: { code: 'invalid_transition', allowed: [] } };
    expect(await answerOf(alpine, asked, { originator })).toMatchObject(refused);
    expect(await answerOf(alpine, asked, { transactionId: id })).toMatchObject(refused);
    expect(await alpine.patch(`/claims/${asked.id}`, { status: 'DECLINED' })).toMatchObject(refused);
    expect((await readClaim(alpine, asked.id)).transactionId).toBeNull();
    expect((await harbour.patch(`/claims/${own.id}`, { status: 'CANCELLED' })).status).toBe(200);
  });

  test('an Idempotency-Key makes one transaction', async () => {
    const { asked } = await delivered();
    const headers = { 'Idempotency-Key': evmHash() };
    const path = `/claims/${asked.id}/answer`;
    const answers = [
      await alpine.post<TransferClaim>(path, { originator }, { headers }),
      await alpine.post<TransferClaim>(path, { originator }, { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });
});

describe('GET /work-items', () => {
  test('has the claims that wait for an answer of a person', async () => {
    const tenant = await createTenant(api);
    const own = await createClaim(harbour, { vaspInfo: { originatorVaspName: tenant.name } });
    const delivery = { tenantId: harbour.id, id: own.id, askedTenantId: tenant.id, now: new Date() };
    const { incomingId } = (await deliverClaim(api.db, delivery))!;
    expect((await tenant.get('/work-items')).body).toMatchObject([
      {
        kind: 'CLAIM',
        resource: { id: incomingId, path: `/claims/${incomingId}` },
        why: 'CLAIMED',
        deadlineAt: own.deadlineAt,
        nextAction: 'ANSWER_CLAIM',
      },
    ]);
    await tenant.patch(`/claims/${incomingId}`, { status: 'DECLINED' });
    expect((await tenant.get('/work-items')).body).toEqual([]);
  });

  test('has a claim again once the transaction that was to answer it has ended in vain', async () => {
    const tenant = await createTenant(api);
    const work = async () =>
      (
        await tenant.get<{ why: string; nextAction: string; resource: { id: string } }[]>(
          '/work-items?_kind=CLAIM',
        )
      ).body.map(({ why, nextAction, resource }) => [why, nextAction, resource.id]);
    const ends: [string, (id: string) => Promise<unknown>][] = [
      ['ANSWER_CANCELLED', async (id) => await tenant.patch(`/transactions/${id}`, { status: 'CANCELLED' })],
      ['ANSWER_DELETED', async (id) => await tenant.delete(`/transactions/${id}`)],
      ['ANSWER_FAILED', async (id) => await failTransaction(api, tenant, id)],
    ];
    for (const [why, end] of ends) {
      const own = await createClaim(harbour, { vaspInfo: { originatorVaspName: tenant.name } });
      const delivery = { tenantId: harbour.id, id: own.id, askedTenantId: tenant.id, now: new Date() };
      const { incomingId } = (await deliverClaim(api.db, delivery))!;
      const answer = { originator: { type: 'NATURAL', name: 'Anna Keller' } };
      const answered = await tenant.post<TransferClaim>(`/claims/${incomingId}/answer`, answer);
      expect(await work()).toEqual([]);
      await end(answered.body.transactionId ?? '');
      expect(await work()).toEqual([[why, 'ANSWER_CLAIM', incomingId]]);
      // Another answer takes its place.
      expect((await tenant.post(`/claims/${incomingId}/answer`, answer)).status).toBe(200);
      expect(await work()).toEqual([]);
    }
  });
});

describe('what the asked tenant holds', () => {
  test.each([
    ['names the VASP that asks', () => ({ vaspInfo: { beneficiaryVaspName: harbour.name } }), {}, true],
    [
      'goes to the named beneficiary',
      () => ({ beneficiary: { name: 'Jonas Brandt' } }),
      { name: 'jonas brandt' },
      true,
    ],
    [
      'goes to somebody of these first and last names',
      () => ({ beneficiary: { firstName: 'Jonas', lastName: 'Brandt' } }),
      { name: 'Brandt Jonas' },
      true,
    ],
    [
      'goes to somebody else',
      () => ({ beneficiary: { name: 'Jonas Brandt' } }),
      { name: 'Jonas Brand' },
      false,
    ],
    ['names no beneficiary', () => ({}), { name: 'Jonas Brandt' }, false],
    [
      'names a VASP that nobody knows',
      () => ({
        beneficiary: { name: 'Jonas Brandt' },
        vaspInfo: { beneficiaryVaspName: 'Zanzibar Savings' },
      }),
      { name: 'Jonas Brandt' },
      false,
    ],
  ])('a transaction that %s', async (_what, held, beneficiary, isSent) => {
    const { blockchainInfo } = claimBody();
    const { id } = await createTransaction(alpine, {
      blockchainInfo: { ...blockchainInfo, destinationType: 'CUSTODIAL' },
      ...held(),
    });
    const named = 'name' in beneficiary ? { beneficiary } : {};
    const { asked } = await delivered({ blockchainInfo, ...named });
    await lookForTransfer(asked);
    const { transactionId, status } = await readClaim(alpine, asked.id);
    expect({ transactionId, status }).toEqual({ transactionId: isSent ? id : null, status: 'DELIVERED' });
    const { beneficiaryVaspName } = (await read(alpine, id)).vaspInfo;
    if (isSent) expect(beneficiaryVaspName).toBe(harbour.name);
    else expect(beneficiaryVaspName).not.toBe(harbour.name);
    // Looked for once: a repeat changes nothing.
    const before = await readClaim(alpine, asked.id);
    await lookForTransfer(asked);
    expect(await readClaim(alpine, asked.id)).toEqual(before);
  });
});

describe('a transaction to the named beneficiary, while the destination', () => {
  async function isSent(register: (address: string) => Promise<unknown>): Promise<boolean> {
    const { blockchainInfo } = claimBody();
    await createTransaction(alpine, {
      blockchainInfo: { ...blockchainInfo, destinationType: 'CUSTODIAL' },
      beneficiary: { name: 'Jonas Brandt' },
    });
    await register(blockchainInfo.destination);
    const { asked } = await delivered({ blockchainInfo, beneficiary: { name: 'Jonas Brandt' } });
    await lookForTransfer(asked);
    return (await readClaim(alpine, asked.id)).transactionId !== null;
  }
  const wallet = async (tenant: TestTenant, address: string, blockchain: string) =>
    await tenant.post('/wallets', { address, asset: 'ETH', blockchain });

  test('is registered by the VASP that asks alone, goes there', async () => {
    expect(await isSent(async (address) => await wallet(harbour, address, 'Ethereum'))).toBe(true);
  });

  test.each([
    ['by another one', 'Ethereum', false],
    ['by another one on another chain', 'Base', false],
    ['by both', 'Ethereum', true],
  ])('is registered %s, waits for a person', async (_, blockchain, isByAsker) => {
    const third = await createTenant(api);
    const register = async (address: string) => {
      await wallet(third, address, blockchain);
      if (isByAsker) await wallet(harbour, address, blockchain);
    };
    expect(await isSent(register)).toBe(false);
  });
});

describe('what is kept of a claim', () => {
  test('no name and no reason is stored in clear', async () => {
    const { own, asked } = await delivered({ beneficiary: { name: 'Xenophilius Quartz' } });
    await alpine.patch(`/claims/${asked.id}`, { status: 'DECLINED', statusReasoning: 'Not Quartz of ours' });
    const { rows } = await database.pool.query<{ text: string }>(
      `select row_to_json(c)::text as text from claims c where id = any($1::uuid[])
       union all select row_to_json(e)::text from events e where subject_id = any($1::uuid[])
       union all select row_to_json(d)::text from webhook_deliveries d where resource_id = any($1::uuid[])`,
      [[own.id, asked.id]],
    );
    expect(rows.length).toBeGreaterThan(4);
    for (const { text } of rows) expect(text).not.toMatch(/quartz|xenophilius/i);
    expect((await readClaim(harbour, own.id)).statusReasoning).toBe('Not Quartz of ours');
  });

  test('its log is a chain, and its changes are in the feed', async () => {
    const { own } = await delivered();
    await harbour.patch(`/claims/${own.id}`, { status: 'CANCELLED' });
    const { body: log } = await harbour.get<{ type: string; hash: string; previousHash: string | null }[]>(
      `/claims/${own.id}/events`,
    );
    expect(log.map(({ type }) => type)).toEqual(['CANCELLED', 'DELIVERED', 'CREATED']);
    expect(log.map(({ previousHash }) => previousHash)).toEqual([log[1]?.hash, log[2]?.hash, null]);
    const { events: feed } = await readFeed(harbour, (entries) =>
      entries.some(({ id, version }) => id === own.id && version === 3),
    );
    expect(feed.filter(({ id }) => id === own.id)).toMatchObject([
      { kind: 'claim', version: 1, type: 'CREATED' },
      { kind: 'claim', version: 2, type: 'DELIVERED' },
      { kind: 'claim', version: 3, type: 'CANCELLED' },
    ]);
  });
});
