import { claimActivities } from '../../../activities/claims/claim-activities.ts';
import { eraseStoredClaim } from '../../../db/lifecycle/erase-record.ts';
import type { TransferClaim } from '../../../domain/claims/schema.ts';
import type { PartnerTransaction } from '../../../domain/partners/transaction-schema.ts';
import { sealingContext } from '../../../db/vault/contexts.ts';
import type { Json } from '../../api-client.ts';
import { claimEvents, createClaim, readClaim } from '../../factories/claim.ts';
import { createOutsider } from '../../factories/portal.ts';
import { createPartner, type TestPartner } from '../../factories/partner.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { TEST_MAILS } from '../../factories/test-mails.ts';
import { readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi({ pollMs: 50 });
/** It asks. */
const alpine = useTenant(api, { webhookUrl: 'https://alpine.example/in' });

let meridian: TestPartner;
let other: TestPartner;
let vaspId: string;
const VASP = 'Straits Digital';
const DATA = {
  amount: '0.5',
  originator: { type: 'NATURAL', name: 'Mei Tan', dateOfBirth: '1990-11-02', country: 'SG' },
  beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
};

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Barnabas Ravenscroft')]);
  await untilListsLoaded(api, alpine.id);
  meridian = await createPartner(api, { webhookUrl: 'https://meridian.example/in' });
  other = await createPartner(api);
  ({ id: vaspId } = await createOutsider(api, {
    name: VASP,
    networks: [`PARTNER:${meridian.partner.name}`],
  }));
});

const ask = async <T = TransferClaim & Json>(by: TestPartner, method: string, path = '', body?: Json) =>
  await api.request<T>(method, `/partners/me/claims${path}`, {
    headers: { 'X-Partner-Api-Key': by.apiKey.apiKey },
    ...(body && { body }),
  });
const advance = async (id: string) =>
  await claimActivities({
    ...TEST_MAILS,
    db: api.db,
    notifyWorkflows: () => undefined,
    now: () => new Date(),
  }).advanceClaim({ id });

/** A claim of Alpine to a VASP on the network of Meridian, delivered; with the id of the record there. */
async function deliver(overrides: Json = {}) {
  const made = {
    vaspInfo: { originatorVaspName: VASP },
    beneficiary: { name: 'Jonas Brandt' },
    ...overrides,
  };
  const claim = await createClaim(alpine, made);
  await advance(claim.id);
  const { body } = await ask<TransferClaim[]>(meridian, 'GET', `?_transactionHash=${hashOf(claim)}`);
  return { claim, id: body[0]?.id ?? '' };
}

const hashOf = ({ blockchainInfo }: TransferClaim) => blockchainInfo.transactionHash;

/** The bodies of the webhooks that told the partner of a claim. */
async function webhooksOf(id: string): Promise<TransferClaim[]> {
  const { rows } = await database.pool.query<{ delivery_id: string; body: Buffer; record_key: Buffer }>(
    `select d.id as delivery_id, d.body, c.record_key from webhook_deliveries d join claims c on c.id = d.resource_id
     where d.resource_id = $1 and d.partner_id = $2 and d.kind = 'claim' order by d.resource_version`,
    [id, meridian.partner.id],
  );
  const keys = await api.db.vault.tenantKeys(meridian.partner.id);
  const place = { tenantId: meridian.partner.id, id };
  return rows.map((row) =>
    keys
      .openRecordKey(row.record_key, sealingContext.claim.key(place))
      .open<TransferClaim>(sealingContext.transaction.webhook(place, row.delivery_id), row.body),
  );
}

describe('a claim to a VASP on the network of a partner', () => {
  test('reaches the partner, which learns of it by a webhook and reads it; each reading of the name is logged', async () => {
    const { claim, id } = await deliver();
    expect(await readClaim(alpine, claim.id)).toMatchObject({
      status: 'DELIVERED',
      travelRuleMessageSource: `PARTNER:${meridian.partner.name}`,
      vaspInfo: { originatorVaspEntityId: vaspId },
    });
    const listed = await ask<TransferClaim[]>(meridian, 'GET', `?_transactionHash=${hashOf(claim)}`);
    expect(listed.body).toMatchObject([
      { id, direction: 'INCOMING', status: 'DELIVERED', beneficiary: null },
    ]);
    expect(await webhooksOf(id)).toMatchObject([{ id, status: 'DELIVERED', beneficiary: null }]);
    for (let times = 0; times < 2; times += 1) {
      const { body } = await ask(meridian, 'GET', `/${id}`);
      expect(body).toMatchObject({
        beneficiary: { name: 'Jonas Brandt' },
        vaspInfo: { beneficiaryVaspName: alpine.name },
      });
    }
    const readings = (types: string[]) => types.filter((type) => type === 'DATA_READ');
    expect(readings(await claimEvents(alpine, claim.id))).toHaveLength(1);
    const { rows } = await database.pool.query(
      `select 1 from events where subject_id = $1 and type = 'DATA_READ'`,
      [id],
    );
    expect(rows).toHaveLength(2);
  });

  test('is not found by the name of a customer, whose reading would be logged, but by that of a VASP', async () => {
    const { id } = await deliver({ beneficiary: { name: 'Quirin Zeidler' } });
    const found = async (q: string) =>
      (await ask<TransferClaim[]>(meridian, 'GET', `?q=${q}`)).body.map((claim) => claim.id);
    expect(await found('quirin')).toEqual([]);
    expect(await found('straits')).toContain(id);
  });

  test('is answered: the record of the asking tenant is completed, in the name of the VASP', async () => {
    const { claim, id } = await deliver();
    const answer = await ask(meridian, 'POST', `/${id}/answer`, DATA);
    expect([answer.status, answer.body]).toMatchObject([200, { status: 'ANSWERED', beneficiary: null }]);
    expect(await readClaim(alpine, claim.id)).toMatchObject({
      status: 'ANSWERED',
      transactionId: claim.transactionId,
    });
    expect(await readTransaction(alpine, claim.transactionId ?? '')).toMatchObject({
      amountDecimal: '0.5',
      originator: { name: 'Mei Tan' },
      travelRuleMessageSource: `PARTNER:${meridian.partner.name}`,
      vaspInfo: { originatorVaspName: VASP, originatorVaspEntityId: vaspId },
    });
    // The message is the partner's own.
    const message = await api.request<PartnerTransaction>(
      'GET',
      `/partners/me/transactions/${answer.body.transactionId}`,
      { headers: { 'X-Partner-Api-Key': meridian.apiKey.apiKey } },
    );
    expect(message.body).toMatchObject({ direction: 'OUTGOING', originator: { name: 'Mei Tan' } });
    const another = { ...DATA, amount: '0.6' };
    expect((await ask(meridian, 'POST', `/${id}/answer`, another)).status).toBe(409);
    expect((await ask(meridian, 'PATCH', `/${id}`, { status: 'DECLINED' })).status).toBe(409);
  });

  test('is answered once by a repeated request with the same Idempotency-Key', async () => {
    const { id } = await deliver();
    const headers = { 'X-Partner-Api-Key': meridian.apiKey.apiKey, 'Idempotency-Key': `answer-${id}` };
    const path = `/partners/me/claims/${id}/answer`;
    const [first, again] = [
      await api.request('POST', path, { headers, body: DATA }),
      await api.request('POST', path, { headers, body: DATA }),
    ];
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.body).toEqual(first.body);
  });

  test('with a listed name is held at once', async () => {
    const { claim, id } = await deliver();
    const originator = { type: 'NATURAL', name: 'Barnabas Ravenscroft' };
    await ask(meridian, 'POST', `/${id}/answer`, { ...DATA, originator });
    const record = await readTransaction(alpine, claim.transactionId ?? '');
    expect(record.subStatus).toBe('ON_HOLD');
  });

  test('is refused with a reason; what the asking tenant takes back cannot be answered', async () => {
    const [refused, cancelled] = [await deliver(), await deliver()];
    const statusReasoning = 'Not from our network.';
    expect((await ask(meridian, 'PATCH', `/${refused.id}`, { status: 'CANCELLED' })).body['allowed']).toEqual(
      ['DECLINED'],
    );
    const { body } = await ask(meridian, 'PATCH', `/${refused.id}`, { status: 'DECLINED', statusReasoning });
    expect(body).toMatchObject({ status: 'DECLINED', statusReasoning });
    expect(await readClaim(alpine, refused.claim.id)).toMatchObject({ status: 'DECLINED', statusReasoning });

    await alpine.patch(`/claims/${cancelled.claim.id}`, { status: 'CANCELLED', statusReasoning: 'secret' });
    expect((await ask(meridian, 'POST', `/${cancelled.id}/answer`, DATA)).status).toBe(409);
    const told = await webhooksOf(cancelled.id);
    expect(told.at(-1)).toMatchObject({ status: 'CANCELLED', statusReasoning: null });
  });

  test('that was refused long ago and is read again is no new failure', async () => {
    const name = 'Refusing Digital';
    const refusing = await createOutsider(api, { name, networks: [`PARTNER:${meridian.partner.name}`] });
    const { claim, id } = await deliver({ vaspInfo: { originatorVaspName: name } });
    const failures = async () => (await alpine.get(`/counterparties/${refusing.id}`)).body['recentFailures'];
    await ask(meridian, 'PATCH', `/${id}`, { status: 'DECLINED' });
    expect(await failures()).toBe(1);
    await database.pool.query(
      `update claims set updated_at = updated_at - interval '91 days' where id = any($1)`,
      [[claim.id, id]],
    );
    const { version, updatedAt } = await readClaim(alpine, claim.id);
    expect((await ask(meridian, 'GET', `/${id}`)).status).toBe(200);
    expect(await readClaim(alpine, claim.id)).toMatchObject({ version: version + 1, updatedAt });
    expect(await claimEvents(alpine, claim.id)).toContain('DATA_READ');
    expect(await failures()).toBe(0);
  });

  test('of ten answers at once one counts', async () => {
    const { id } = await deliver();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const originator = { ...DATA.originator, name: `Mei Tan ${index}` };
        return (await ask(meridian, 'POST', `/${id}/answer`, { ...DATA, originator })).status;
      }),
    );
    expect(answers.toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
  });

  test('takes the same answer ten times at once, and later, as one; the same refusal likewise', async () => {
    const [answered, refused] = [await deliver(), await deliver()];
    const answer = async () => await ask(meridian, 'POST', `/${answered.id}/answer`, DATA);
    const refuse = async (statusReasoning = 'Not ours.') =>
      await ask(meridian, 'PATCH', `/${refused.id}`, { status: 'DECLINED', statusReasoning });
    for (const give of [answer, async () => await refuse()]) {
      const all = await Promise.all(Array.from({ length: 10 }, give));
      const later = await give();
      expect(new Set([...all, later].map(({ status }) => status))).toEqual(new Set([200]));
      for (const { body } of all) expect(body).toEqual(later.body);
    }
    const { rows } = await database.pool.query<{ n: number }>(
      'select count(*)::int as n from transactions where hash_normal = (select hash_normal from claims where id = $1)',
      [answered.id],
    );
    expect(rows).toEqual([{ n: 2 }]);
    expect((await refuse('Another reason.')).status).toBe(409);
    const types = [await claimEvents(alpine, answered.claim.id), await claimEvents(alpine, refused.claim.id)];
    expect(types.map((each) => each.at(-1))).toEqual(['ANSWERED', 'DECLINED']);
    expect(types[1]?.filter((type) => type === 'DECLINED')).toHaveLength(1);
  });

  test("of a VASP that has left the network is answered in nobody's name", async () => {
    const name = 'Leaving Digital';
    const leaving = await createOutsider(api, { name, networks: [`PARTNER:${meridian.partner.name}`] });
    const { claim, id } = await deliver({ vaspInfo: { originatorVaspName: name } });
    const body = { networks: [] };
    const { operatorKey } = api;
    expect(
      (await api.request('PATCH', `/operator/entities/${leaving.id}`, { operatorKey, body })).status,
    ).toBe(200);
    expect((await ask(meridian, 'POST', `/${id}/answer`, DATA)).status).toBe(200);
    const record = await readTransaction(alpine, claim.transactionId ?? '');
    expect(record).toMatchObject({
      originator: { name: 'Mei Tan' },
      vaspInfo: { originatorVaspEntityId: null },
    });
  });
});

test('a claim of a tenant that was erased meanwhile takes no answer, and can be refused', async () => {
  const { claim, id } = await deliver();
  const erasure = { reason: 'TENANT', now: new Date() } as const;
  await eraseStoredClaim(api.db, { tenantId: alpine.id, id: claim.id, isDeleted: false }, erasure);
  const answer = await ask(meridian, 'POST', `/${id}/answer`, DATA);
  expect([answer.status, answer.body.code]).toEqual([409, 'conflict']);
  const refusal = await ask(meridian, 'PATCH', `/${id}`, { status: 'DECLINED' });
  expect([refusal.status, refusal.body.status]).toEqual([200, 'DECLINED']);
});

describe('separation', () => {
  test('a partner finds no claim of another one, nor one of a tenant, whatever it does', async () => {
    const { claim, id } = await deliver();
    const before = await readClaim(alpine, claim.id);
    expect((await ask<TransferClaim[]>(other, 'GET')).body).toEqual([]);
    for (const [by, foreign] of [
      [other, id],
      [other, claim.id],
      [meridian, claim.id],
    ] as const) {
      expect((await ask(by, 'GET', `/${foreign}`)).status).toBe(404);
      expect((await ask(by, 'PATCH', `/${foreign}`, { status: 'DECLINED' })).status).toBe(404);
      expect((await ask(by, 'POST', `/${foreign}/answer`, DATA)).status).toBe(404);
    }
    expect(await readClaim(alpine, claim.id)).toEqual(before);
    expect((await alpine.get(`/claims/${id}`)).status).toBe(404);
  });
});
