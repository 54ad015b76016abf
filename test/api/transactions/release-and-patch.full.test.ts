import { delayTransferScreening, settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { sealingContext } from '../../../db/vault/contexts.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { DecisionRecord } from '../../../domain/rules/decision-record.ts';
import type { ReviewFile, TransactionScreening } from '../../../domain/transactions/deciding/screening.ts';
import { judgeTransaction } from '../../../transaction-screening/judge-transaction.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { failTransaction } from '../../factories/failed-transaction.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList, listEntry, untilLoaded } from '../../factories/sanctions.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, evmHash, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);
const NAME = 'Barnabas Ravenscroft';
const WALLET = '0x00000000000000000000000000000000005a4c71';
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [
    listEntry('1', NAME),
    listEntry('2', 'Cuthbert Oakenshaw'),
    listEntry('3', 'Somebody Else', { wallets: [{ asset: 'ETH', address: WALLET }] }),
  ]);
  await untilLoaded(api.screener, 'OFAC_SDN');
});

async function screen(id: string): Promise<void> {
  const judged = await eventually(
    async () => {
      const open = await findOpenTransaction(api.db, tenant.id, id);
      if (!open) throw new Error('no such transaction');
      return await judgeTransaction(releaseDeps(api), open, undefined);
    },
    ({ kind }) => kind === 'JUDGED',
  );
  if (judged.kind === 'JUDGED') await settleScreening(api.db, judged.settlement);
}

const isHeld = async (id: string) =>
  (await readTransaction(tenant, id)).clearance.reasons.includes('SANCTIONS');

async function review(id: string): Promise<void> {
  const decision = { decision: 'PROCEED', reason: 'another person' };
  expect((await tenant.post(`/transactions/${id}/review`, decision)).status).toBe(200);
}

/** A message to a listed beneficiary that a reviewer has released. */
async function released(body: Json = {}): Promise<string> {
  const { id } = await createTransaction(tenant, {
    originator: { name: 'Anna Keller' },
    beneficiary: { name: NAME },
    vaspInfo: { beneficiaryVaspName: 'Nobody Known' },
    ...body,
  });
  await screen(id);
  expect(await isHeld(id)).toBe(true);
  await review(id);
  expect(await isHeld(id)).toBe(false);
  return id;
}

async function isHeldAfter(id: string, patch: Json): Promise<boolean> {
  expect((await tenant.patch(`/transactions/${id}`, patch)).status).toBe(200);
  await screen(id);
  return await isHeld(id);
}

test.each<[string, Json]>([
  ['an account number', { originator: { accountNumber: '17' } }],
  ["the beneficiary's account", { beneficiary: { accountNumber: '17' } }],
  ['the origin', { blockchainInfo: { origin: evmAddress() } }],
  ['the VASP name', { vaspInfo: { beneficiaryVaspName: 'Somebody Known' } }],
  ['the blockchain', { blockchainInfo: { blockchain: 'Base' } }],
  ['the name of a party that nothing matches', { originator: { name: 'Erika Keller' } }],
  ['the type of a party', { beneficiary: { type: 'NATURAL' } }],
  ['the case of the name', { beneficiary: { name: NAME.toUpperCase() } }],
])('a release stays when %s is patched, and at the screening after that', async (_, patch) => {
  const id = await released();
  expect(await isHeldAfter(id, patch)).toBe(false);
  expect(await isHeldAfter(id, { originator: { accountNumber: '18' } })).toBe(false);
});

test.each<[string, Json]>([
  ['the originator gets the listed name', { originator: { name: 'Cuthbert Oakenshaw' } }],
  ['the originator gets the name of the beneficiary', { originator: { name: NAME } }],
  ['an additional originator gets the name of the beneficiary', { additionalOriginators: [{ name: NAME }] }],
  ['the beneficiary gets that of another entry', { beneficiary: { name: 'Cuthbert Oakenshaw' } }],
  ['its name is written otherwise', { beneficiary: { name: 'Ravenscroft Barnabas' } }],
  ['its date of birth is added', { beneficiary: { dateOfBirth: '1970-01-01' } }],
])('a release does not cover it when %s', async (_, patch) => {
  expect(await isHeldAfter(await released(), patch)).toBe(true);
});

test('what was found after the release is not released with it', async () => {
  const id = await released();
  expect(await isHeldAfter(id, { originator: { name: 'Cuthbert Oakenshaw' } })).toBe(true);
  expect(await isHeldAfter(id, { originator: { accountNumber: '17' } })).toBe(true);
  await review(id);
  expect(await isHeldAfter(id, { originator: { accountNumber: '18' } })).toBe(false);
});

test.each<[string, (id: string) => Promise<{ status: number }>]>([
  ['by /retry', async (id) => await tenant.post(`/transactions/${id}/retry`)],
  [
    'by another VASP name',
    async (id) =>
      await tenant.patch(`/transactions/${id}`, { vaspInfo: { beneficiaryVaspName: 'Somebody Known' } }),
  ],
])('a failed message that is tried again %s is screened like a new one', async (_, tryAgain) => {
  const id = await released();
  await failTransaction(api, tenant, id);
  expect((await tryAgain(id)).status).toBe(200);
  await screen(id);
  expect(await isHeld(id)).toBe(true);
});

async function requireLists(requiredLists: string[]): Promise<void> {
  expect((await tenant.patch('/tenant/me/settings', { screening: { requiredLists } })).status).toBe(200);
}

test('who lets pass what could not be screened releases nothing of the screening before', async () => {
  const { id } = await createTransaction(tenant, { beneficiary: { name: NAME } });
  await screen(id);
  await failTransaction(api, tenant, id);
  expect((await tenant.post(`/transactions/${id}/retry`)).status).toBe(200);
  const open = await findOpenTransaction(api.db, tenant.id, id);
  if (!open) throw new Error('no such transaction');
  const delay = { what: 'SANCTIONS_LISTS', maxWaitMinutes: 0, triedSince: open.record.createdAt };
  await delayTransferScreening(api.db, open.record, delay, new Date());
  expect((await readTransaction(tenant, id)).clearance.reasons).toContain('UNSCREENED');
  await requireLists(['NOT_THERE']);
  await review(id);
  await requireLists([]);
  expect(await isHeldAfter(id, { originator: { accountNumber: '17' } })).toBe(true);
});

describe('what was released', () => {
  const stateOf = async (id: string) =>
    (await findOpenTransaction(api.db, tenant.id, id))?.record.screeningState;
  const screeningOf = async (id: string) =>
    (await tenant.get<ReviewFile>(`/transactions/${id}/screening`)).body.screening as TransactionScreening;
  const ACCOUNT = { originator: { accountNumber: '17' } };

  async function publish(rules: Json[], rest: Json = {}): Promise<void> {
    const { id } = (await configurations(tenant)).OUTGOING;
    expect((await draft(tenant, id, rules, rest)).status).toBe(200);
    expect((await tenant.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
  }
  const onFact = (field: string, decision: string) =>
    rule({ decision, conditions: { field, operator: 'EQ', value: true } });

  test('stays released, and only new entries of the lists are looked for', async () => {
    const id = await released();
    expect(await stateOf(id)).toBe('REVIEWED');
    expect(await isHeldAfter(id, ACCOUNT)).toBe(false);
    expect(await stateOf(id)).toBe('REVIEWED');
    expect(await isHeldAfter(id, { beneficiary: { name: 'Jonas Brandt' } })).toBe(false);
    expect(await stateOf(id)).toBe('CLEARED');
  });

  test.each<[string, string, Json]>([
    ['name', 'sanctionsNameMatch', {}],
    [
      'wallet',
      'sanctionsAddressMatch',
      {
        beneficiary: { name: 'Jonas Brandt' },
        blockchainInfo: { destination: WALLET, destinationType: 'CUSTODIAL' },
      },
    ],
  ])('is no %s match for the rules, and the screening and the log say so', async (_, field, body) => {
    for (const decision of ['REVIEW', 'BLOCK']) {
      await publish([onFact('sanctionsNameMatch', 'REVIEW'), onFact(field, 'REVIEW')]);
      const id = await released(body);
      await publish([onFact(field, decision)], { onUndecided: 'REVIEW' });
      expect(await isHeldAfter(id, ACCOUNT)).toBe(false);
      expect(await readTransaction(tenant, id)).toMatchObject({ status: 'PENDING' });
      const { subjects, ...raw } = (await screeningOf(id)).sanctions;
      expect(raw[field === 'sanctionsNameMatch' ? 'nameMatch' : 'addressMatch']).toBe(true);
      expect(subjects.map(({ isReleased }) => isReleased).filter(Boolean)).toHaveLength(1);
      const decisions = await tenant.get<DecisionRecord[]>(`/transactions/${id}/decisions`);
      expect(decisions.body[0]).toMatchObject({ decision: 'PROCEED', facts: { [field]: false } });
      const log = (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body;
      expect(log.find(({ type }) => type === 'SCREENED')?.data).toMatchObject({ sanctions: 'RELEASED' });
    }
  });

  test('counts for the rules again with a match that nobody has released', async () => {
    const id = await released();
    await publish([onFact('sanctionsNameMatch', 'BLOCK')]);
    await tenant.patch(`/transactions/${id}`, { originator: { name: 'Cuthbert Oakenshaw' } });
    await screen(id);
    expect(await readTransaction(tenant, id)).toMatchObject({ subStatus: 'BLOCKED_BY_RULE' });
  });

  test('of one additional originator counts for it in another place', async () => {
    const id = await released({
      beneficiary: { name: 'Jonas Brandt' },
      additionalOriginators: [{ name: NAME }],
    });
    expect(await isHeldAfter(id, { additionalOriginators: [{ name: 'Erika' }, { name: NAME }] })).toBe(false);
  });

  test('does not depend on the clocks of the machines that screened and reviewed', async () => {
    const { id } = await createTransaction(tenant, { beneficiary: { name: NAME } });
    await screen(id);
    await database.pool.query(
      `update transaction_screenings set created_at = created_at + interval '1 minute' where transaction_id = $1`,
      [id],
    );
    await review(id);
    expect(await isHeldAfter(id, ACCOUNT)).toBe(false);
    const { version } = await readTransaction(tenant, id);
    expect((await screeningOf(id)).recordVersion).toBe(version - 1);
  });

  /** Stores the screenings of a transaction as engine 3 would have: with the types of the parties, without what was released. */
  async function asOfEngine3(id: string): Promise<void> {
    const open = await findOpenTransaction(api.db, tenant.id, id);
    if (!open) throw new Error('no such transaction');
    const { rows } = await database.pool.query<{ id: string; content: Buffer }>(
      'select id, content from transaction_screenings where transaction_id = $1',
      [id],
    );
    for (const row of rows) {
      const context = sealingContext.transaction.screening(open.record, row.id);
      const screening = open.key.open<TransactionScreening>(context, row.content);
      const subjects = screening.sanctions.subjects.map((shown) => {
        const { role, screening: found } = shown;
        return { role, screening: found && { ...found, request: { type: 'NATURAL', ...found.request } } };
      });
      const content = open.key.seal(context, {
        ...screening,
        sanctions: { ...screening.sanctions, subjects },
      });
      await database.pool.query('update transaction_screenings set content = $2 where id = $1', [
        row.id,
        content,
      ]);
    }
  }

  test('before engine 4, which compares parties without their type, stays released', async () => {
    const id = await released();
    await asOfEngine3(id);
    expect((await screeningOf(id)).sanctions.subjects.map(({ isReleased }) => isReleased)).not.toContain(
      true,
    );
    expect(await isHeldAfter(id, ACCOUNT)).toBe(false);
    expect(await isHeldAfter(id, { beneficiary: { country: 'CH' } })).toBe(true);
  });

  test.each([
    ['Jonas Brandt', {}, 'CONFIRMED', null],
    [NAME, {}, 'DELIVERED', 'SANCTIONS'],
    [NAME, { beneficiary: { name: 'Jonas Brandt' } }, 'DELIVERED', 'SANCTIONS'],
  ])(
    'of the originator says nothing of the beneficiary of the message: %s, %j',
    async (name, body, status, hold) => {
      const sender = await createTenant(api);
      const blockchainInfo = {
        blockchain: 'Ethereum',
        destination: evmAddress(),
        transactionHash: evmHash(),
      };
      const own = await createTransaction(tenant, {
        direction: 'INCOMING',
        originator: { name: NAME },
        vaspInfo: { originatorVaspName: sender.name },
        blockchainInfo,
        ...body,
      });
      await screen(own.id);
      await review(own.id);
      const sent = await createTransaction(sender, {
        originator: { name: NAME },
        beneficiary: { name },
        blockchainInfo,
      });
      const completed = await deliverJudged(api, { id: sent.id, sender, receiver: tenant });
      expect(completed).toMatchObject({ id: own.id, status: 'CONFIRMED' });
      expect((await tenant.get<ReviewFile>(`/transactions/${own.id}/screening`)).body.hold).toBe(hold);
      expect((await readTransaction(sender, sent.id)).status).toBe(status);
    },
  );
});
