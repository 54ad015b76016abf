import { randomUUID } from 'node:crypto';
import type { Proposal } from '../../../domain/proposals/schema.ts';
import type { RuleConfiguration } from '../../../domain/rules/configuration.ts';
import type { SignedIn } from '../../../domain/users/schema.ts';
import type { Json } from '../../api-client.ts';
import { createPerson, mailedToken, useFourEyes } from '../../factories/people.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import type { Client } from '../../factories/tenant.ts';
import { createUser, PASSWORD, type TestUser } from '../../factories/user.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api } = useApi({ config: { RATE_LIMIT_WRITES: 0, RATE_LIMIT_ANONYMOUS: 0 } });
const tenant = useTenantPerTest(api);
beforeAll(
  async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Quillon Ravenscroft')])),
);

type Shown = Json & { proposal?: Proposal };
const settings = async (by: Pick<Client, 'patch'>, fourEyes: Json, rest: Json = {}) =>
  await by.patch<Shown & { fourEyes: Json }>('/tenant/me/settings', { fourEyes, ...rest });
const approve = async (by: Pick<Client, 'post'>, proposal: Proposal | undefined) =>
  await by.post<Proposal & Json>(`/proposals/${proposal?.id}/approve`);

describe('switching four eyes on', () => {
  test('409 without two users who set their password by a mail; a password of POST /users counts for nobody', async () => {
    const first = await createUser(api, tenant, 'COMPLIANCE');
    const second = await createUser(api, tenant, 'ADMIN');
    for (const user of [first, second]) {
      expect(await settings(tenant, { review: true })).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      });
      await api.request('POST', '/auth/password-reset', { body: { email: user.email } });
      const body = { token: await mailedToken(api, user.email), password: `${PASSWORD}-2` };
      expect((await api.request<SignedIn & Json>('POST', '/auth/password', { body })).status).toBe(201);
    }
    // Another address for webhooks takes two administrators.
    expect((await settings(tenant, { webhookUrl: true })).status).toBe(409);
    expect(await settings(tenant, { review: true, rules: true })).toMatchObject({
      status: 200,
      body: { fourEyes: { review: true, rules: true, suppressions: false, webhookUrl: false } },
    });
  });

  test('a disabled user, an observer and an invited one who has not come count for nobody', async () => {
    await createPerson(api, tenant, 'COMPLIANCE');
    await createPerson(api, tenant, 'OBSERVER');
    const gone = await createPerson(api, tenant, 'COMPLIANCE');
    await tenant.patch(`/users/${gone.user.id}`, { disabled: true });
    await tenant.post('/users/invitations', { email: `${randomUUID()}@alpine.example`, role: 'ADMIN' });
    expect((await settings(tenant, { rules: true })).status).toBe(409);
    expect((await tenant.get<{ fourEyes: Json }>('/tenant/me/settings')).body.fourEyes['rules']).toBe(false);
  });
});

test('switching off takes two, whole or not at all, and ends what was proposed', async () => {
  const [, ben] = await useFourEyes(api, tenant, { rules: true, review: true });
  const { id } = (await configurations(tenant)).OUTGOING;
  const publication = await tenant.post<Shown>(`/rule-engine/${id}/publish`, { comment: 'why' });
  expect(publication.body.proposal?.kind).toBe('RULES');
  const off = await settings(tenant, { rules: false }, { holdIncomplete: true });
  expect(off).toMatchObject({
    status: 200,
    body: { fourEyes: { rules: true, review: true }, holdIncomplete: false, proposal: { kind: 'FOUR_EYES' } },
  });
  expect((await settings(tenant, { rules: false }, { holdIncomplete: true })).status).toBe(409);
  expect((await settings(ben, { rules: null, review: null })).status).toBe(409);
  const officer = await createPerson(api, tenant, 'COMPLIANCE');
  expect(await approve(officer, off.body.proposal)).toMatchObject({
    status: 200,
    body: { status: 'CARRIED_OUT', endedBy: { id: officer.user.id } },
  });
  expect((await tenant.get('/tenant/me/settings')).body).toMatchObject({
    fourEyes: { rules: false, review: true },
    holdIncomplete: true,
  });
  expect((await tenant.get('/proposals')).body).toEqual([]);
  expect((await tenant.post(`/rule-engine/${id}/publish`, { comment: 'why' })).status).toBe(201);
});

test('a proposal to switch off ends with any other change of the settings, which it must not put back', async () => {
  const [anna, ben] = await useFourEyes(api, tenant, { rules: true });
  const off = await settings(anna, { rules: false }, { selfHosted: { thresholdEur: null } });
  expect((await ben.patch('/tenant/me/settings', { selfHosted: { thresholdEur: '500' } })).status).toBe(200);
  expect((await approve(ben, off.body.proposal)).status).toBe(409);
  expect((await tenant.get('/tenant/me/settings')).body).toMatchObject({
    fourEyes: { rules: true },
    selfHosted: { thresholdEur: '500' },
  });
});

test('a proposal that another change has overtaken stays over when that is changed back', async () => {
  const [anna, ben] = await useFourEyes(api, tenant, { rules: true });
  const before = { selfHosted: { thresholdEur: '1000' } };
  await ben.patch('/tenant/me/settings', before);
  const off = await settings(anna, { rules: false });
  await ben.patch('/tenant/me/settings', before);
  expect((await tenant.get('/proposals')).body).toMatchObject([{ id: off.body.proposal?.id }]);
  await ben.patch('/tenant/me/settings', { selfHosted: { thresholdEur: '500' } });
  await ben.patch('/tenant/me/settings', before);
  expect((await tenant.get('/proposals')).body).toEqual([]);
  expect((await approve(ben, off.body.proposal)).status).toBe(409);
  expect((await tenant.get('/proposals?_status=OUTDATED')).body).toMatchObject([
    { id: off.body.proposal?.id, endedBy: null, endedAt: expect.any(String) as string },
  ]);
  expect((await tenant.get('/tenant/me/settings')).body).toMatchObject({ fourEyes: { rules: true } });
});

describe('rules', () => {
  let id: string;
  let ben: TestUser;
  beforeEach(async () => {
    [, ben] = await useFourEyes(api, tenant, { rules: true });
    ({ id } = (await configurations(tenant)).OUTGOING);
    await draft(tenant, id, [rule()]);
  });
  const publish = async (by: Pick<Client, 'post'>, comment: string) =>
    await by.post<RuleConfiguration & Shown>(`/rule-engine/${id}/publish`, { comment });

  test('are published by the second person, who sends the same or approves', async () => {
    const first = await publish(tenant, 'first');
    expect(first).toMatchObject({
      status: 200,
      body: { publishedVersion: 0, proposal: { status: 'WAITING' } },
    });
    expect(await publish(ben, 'agreed')).toMatchObject({
      status: 201,
      body: { published: { version: 1, comment: 'agreed', publishedBy: { kind: 'USER', id: ben.user.id } } },
    });
    await draft(tenant, id, []);
    const next = await publish(tenant, 'second');
    expect((await approve(ben, next.body.proposal)).status).toBe(200);
    expect((await tenant.get(`/rule-engine/${id}`)).body).toMatchObject({
      published: { version: 2, comment: 'second' },
    });
  });

  test('that change after they were proposed are not published with it', async () => {
    const { proposal } = (await publish(tenant, 'first')).body;
    await draft(ben, id, [rule({ name: 'Another' })]);
    expect((await approve(ben, proposal)).status).toBe(409);
    expect((await publish(ben, 'mine')).body).toMatchObject({
      publishedVersion: 0,
      proposal: { status: 'WAITING', proposedBy: { kind: 'USER', id: ben.user.id } },
    });
  });
});

test('a match is a false positive once two people say so', async () => {
  const [anna, ben] = await useFourEyes(api, tenant, { suppressions: true });
  const { body: screening } = await tenant.post('/sanctions/search', { name: 'Quillon Ravenscroft' });
  const match = { screeningId: screening['id'], listCode: 'OFAC_SDN', listingId: '1' };
  const made = async (by: Pick<Client, 'post'>, rest: Json = {}) =>
    await by.post<Shown>('/sanctions/suppressions', { ...match, ...rest });
  expect((await made(anna, { listingId: 'none' })).status).toBe(400);
  const first = await made(anna, { note: 'born elsewhere' });
  expect(first).toMatchObject({ status: 200, body: { proposal: { kind: 'SUPPRESSION' } } });
  expect((await tenant.get('/sanctions/suppressions')).body).toEqual([]);
  expect((await approve(ben, first.body.proposal)).status).toBe(200);
  expect((await tenant.get('/sanctions/suppressions')).body).toMatchObject([
    { note: 'born elsewhere', madeBy: { kind: 'USER', id: ben.user.id } },
  ]);
  // Judged anew: what is suppressed already is not suppressed again, and nobody has agreed to anything.
  const again = await made(anna);
  expect((await approve(ben, again.body.proposal)).status).toBe(409);
  expect((await tenant.get<Proposal[]>('/proposals')).body).toMatchObject([{ id: again.body.proposal?.id }]);
});

test('another address for questions takes two administrators, with the rest of the request; other settings take one', async () => {
  const url = 'https://questions.example/one';
  const set = async (by: Pick<Client, 'patch'>, body: Json) =>
    await by.patch<Shown>('/tenant/me/settings', body);
  const read = async () => (await tenant.get<Json>('/tenant/me/settings')).body;
  expect((await set(tenant, { addressQuestionUrl: url })).status).toBe(200);
  const [anna, ben] = await useFourEyes(api, tenant, { webhookUrl: true });
  const officer = await createPerson(api, tenant, 'COMPLIANCE');
  const change = { addressQuestionUrl: 'https://questions.example/two', holdIncomplete: true };
  const before = await read();
  const { proposal, ...shown } = (await set(anna, change)).body;
  expect(shown).toEqual(before);
  expect(proposal).toMatchObject({ kind: 'ADDRESS_QUESTION_URL', request: change });
  expect(await read()).toEqual(before);
  expect((await approve(officer, proposal)).status).toBe(403);
  expect((await set(anna, change)).status).toBe(409);
  expect((await approve(ben, proposal)).status).toBe(200);
  expect(await read()).toMatchObject(change);
  // None takes two as well, also together with the switch; the same one again takes one.
  for (const none of [
    { addressQuestionUrl: null },
    { addressQuestionUrl: null, fourEyes: { webhookUrl: false } },
  ]) {
    const removal = (await set(anna, none)).body.proposal;
    expect(removal).toMatchObject({ kind: 'ADDRESS_QUESTION_URL' });
    expect((await anna.post(`/proposals/${removal?.id}/withdraw`)).status).toBe(200);
  }
  expect((await set(anna, { ...change, holdIncomplete: false })).body.proposal).toBeUndefined();
  expect(await read()).toMatchObject({ ...change, holdIncomplete: false });
});

test('another address for webhooks takes two administrators; the same one again, and other fields, one', async () => {
  const url = 'https://hooks.example/one';
  expect((await tenant.patch('/tenant/me', { webhookUrl: url })).status).toBe(200);
  const [anna, ben] = await useFourEyes(api, tenant, { webhookUrl: true });
  const proposed = await anna.patch<Shown>('/tenant/me', { webhookUrl: 'https://hooks.example/of-anna' });
  const released = { operatorKey: api.operatorKey, body: { email: anna.email } };
  expect((await api.request('POST', '/operator/users/released-addresses', released)).status).toBe(201);
  expect((await ben.post(`/proposals/${proposed.body.proposal?.id}/approve`)).status).toBe(409);
  const officer = await createPerson(api, tenant, 'COMPLIANCE');
  const change = { webhookUrl: 'https://hooks.example/two', legalName: 'Alpine AG' };
  const before = (await tenant.get('/tenant/me')).body;
  expect((await tenant.patch<Shown>('/tenant/me', { ...change, webhookUrl: 'no address' })).status).toBe(400);
  const { proposal, ...shown } = (await tenant.patch<Shown>('/tenant/me', change)).body;
  expect(shown).toEqual(before);
  expect(proposal).toMatchObject({ kind: 'WEBHOOK_URL', request: change });
  expect((await tenant.patch('/tenant/me', { webhookUrl: url, country: 'CH' })).body).toMatchObject({
    webhookUrl: url,
    country: 'CH',
  });
  expect((await ben.patch('/tenant/me', { webhookUrl: 'https://hooks.example/three' })).status).toBe(409);
  expect((await approve(officer, proposal)).status).toBe(403);
  expect((await approve(ben, proposal)).status).toBe(200);
  const after = (await tenant.get('/tenant/me')).body;
  expect(after).toMatchObject(change);
  expect(after['webhookSecret']).not.toBe(before['webhookSecret']);
});
