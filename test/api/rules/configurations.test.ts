import { randomUUID } from 'node:crypto';
import type { RuleConfiguration, RuleVersionSummary } from '../../../domain/rules/configuration.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0, RATE_LIMIT_READS: 0 } });
const tenant = useTenantPerTest(api);
let id: string;
beforeEach(async () => {
  id = (await configurations(tenant)).OUTGOING.id;
});

const read = async (of = id) => (await tenant.get<RuleConfiguration>(`/rule-engine/${of}`)).body;
const publish = async (body: Json = { comment: 'why' }, options = {}) =>
  await tenant.post<RuleConfiguration & Json>(`/rule-engine/${id}/publish`, body, options);
const restore = async (body: Json) =>
  await tenant.post<RuleConfiguration & Json>(`/rule-engine/${id}/restore`, body);
const versions = async () =>
  (await tenant.get<RuleVersionSummary[]>(`/rule-engine/${id}/versions`)).body.map(({ version }) => version);

describe('configurations', () => {
  test('a tenant has both from its first second, with the default decision of each direction', async () => {
    const both = await tenant.get<RuleConfiguration[]>('/rule-engine');
    expect(both.status).toBe(200);
    expect(
      both.body.map(({ direction, draft: { defaultDecision, onUndecided, rules, revision }, ...rest }) => ({
        direction,
        defaultDecision,
        onUndecided,
        rules,
        revision,
        published: rest.published,
        publishedVersion: rest.publishedVersion,
        latestComment: rest.latestComment,
      })),
    ).toEqual(
      [
        { direction: 'OUTGOING', defaultDecision: 'PROCEED' },
        { direction: 'INCOMING', defaultDecision: 'REVIEW' },
      ].map((each) => ({
        ...each,
        onUndecided: 'IGNORE',
        rules: [],
        revision: 1,
        published: null,
        publishedVersion: 0,
        latestComment: null,
      })),
    );
    for (const each of both.body) expect(await read(each.id)).toEqual(each);
  });

  test.each(['x', randomUUID(), '0'])('404: the configuration %s', async (unknown) => {
    for (const answer of [
      await tenant.get(`/rule-engine/${unknown}`),
      await tenant.patch(`/rule-engine/${unknown}/draft`, { rules: [], revision: 1 }),
      await tenant.post(`/rule-engine/${unknown}/publish`, { comment: 'x' }),
      await tenant.post(`/rule-engine/${unknown}/restore`, { version: 1 }),
      await tenant.post(`/rule-engine/${unknown}/simulate`, { source: 'DRAFT', input: {} }),
      await tenant.get(`/rule-engine/${unknown}/versions`),
      await tenant.get(`/rule-engine/${unknown}/versions/1`),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });

  test('401 without a key, 403 for an observer who changes, while everybody may read', async () => {
    const observer = await tenant.as('OBSERVER');
    const changes: [string, Json][] = [
      ['publish', { comment: 'x' }],
      ['restore', { version: 1 }],
      ['simulate', { source: 'DRAFT', input: {} }],
    ];
    for (const [path, body] of changes) {
      expect((await observer.post(`/rule-engine/${id}/${path}`, body)).status).toBe(403);
      expect((await api.request('POST', `/rule-engine/${id}/${path}`, { body })).status).toBe(401);
    }
    expect((await observer.patch(`/rule-engine/${id}/draft`, { rules: [], revision: 1 })).status).toBe(403);
    expect((await observer.get('/rule-engine')).status).toBe(200);
    expect((await api.request('GET', '/rule-engine')).status).toBe(401);
    expect((await read()).draft.revision).toBe(1);
  });
});

describe('PATCH draft', () => {
  test('replaces the rules after validation, fills in what was left out and counts the revision', async () => {
    const mine = rule();
    const { status, body } = await draft(tenant, id, [mine, rule({ id: undefined, name: 'Second' })]);
    expect(status).toBe(200);
    expect(body.draft).toMatchObject({
      revision: 2,
      defaultDecision: 'PROCEED',
      onUndecided: 'IGNORE',
      updatedBy: { kind: 'API_KEY', id: tenant.apiKeyId },
      rules: [{ ...mine, enabled: true, waitMinutes: null, reason: null }, { name: 'Second' }],
    });
    expect(body.publishedVersion).toBe(0);
    expect(await read()).toEqual(body);
    const kept = await draft(tenant, id, [], { defaultDecision: 'BLOCK', onUndecided: 'REVIEW' });
    expect(kept.body.draft).toMatchObject({ rules: [], defaultDecision: 'BLOCK', revision: 3 });
    expect((await draft(tenant, id, [])).body.draft).toMatchObject({
      defaultDecision: 'BLOCK',
      onUndecided: 'REVIEW',
    });
  });

  test('409: a stale revision changes nothing and is told the present one', async () => {
    await draft(tenant, id, [rule()]);
    const before = await read();
    const answer = await tenant.patch(`/rule-engine/${id}/draft`, { rules: [], revision: 1 });
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', revision: 2 } });
    expect(await read()).toEqual(before);
  });

  test('of many changes made from the same draft exactly one is written', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, at) =>
        tenant.patch(`/rule-engine/${id}/draft`, { rules: [rule({ name: `Rule ${at}` })], revision: 1 }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
    expect((await read()).draft.revision).toBe(2);
  });

  test('rules are nowhere in clear at rest', async () => {
    await draft(tenant, id, [rule({ name: 'Canarius', reason: 'Canarius' })]);
    await publish({ comment: 'Canarius' });
    for (const table of ['rule_configurations', 'rule_versions']) {
      const { rows } = await database.pool.query(`select t::text from ${table} t`);
      expect(JSON.stringify(rows)).not.toMatch(/Canarius|43616e6172697573/i);
    }
  });
});

describe('publish', () => {
  test('201: the draft is the next version, with who, when, why and a hash of its content', async () => {
    const changed = await draft(tenant, id, [rule()]);
    const { status, body } = await publish({ comment: 'first', revision: 2 });
    expect(status).toBe(201);
    const { revision: _, updatedAt: __, updatedBy: ___, ...rules } = changed.body.draft;
    expect(body).toMatchObject({
      publishedVersion: 1,
      latestComment: 'first',
      draft: changed.body.draft,
      published: {
        ...rules,
        version: 1,
        comment: 'first',
        publishedBy: { kind: 'API_KEY', id: tenant.apiKeyId },
      },
    });
    expect(body.published?.contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(await read()).toEqual(body);
    expect((await tenant.get(`/rule-engine/${id}/versions/1`)).body).toEqual(body.published);
    expect((await publish({ comment: 'again' })).body.published).toMatchObject({
      version: 2,
      comment: 'again',
      contentHash: body.published?.contentHash,
    });
    expect((await configurations(tenant)).INCOMING.publishedVersion).toBe(0);
  });

  test('409: a revision that is not that of the draft', async () => {
    await draft(tenant, id, [rule()]);
    const answer = await publish({ comment: 'x', revision: 1 });
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict', revision: 2 } });
    expect(await versions()).toEqual([]);
  });

  test('of two that meet one wins: no number twice, none left out', async () => {
    // Both have read the same state and wait for the row before either may go on.
    const holder = await database.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from rule_configurations where id = $1 for update', [id]);
    const both = Promise.all([publish({ comment: 'a' }), publish({ comment: 'b' })]);
    await eventually(
      async () =>
        (
          await database.pool.query(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rowCount,
      (count) => count === 2,
    );
    await holder.query('commit');
    holder.release();
    const answers = await both;
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ publishedVersion: 1 });
    const crowd = await Promise.all(Array.from({ length: 10 }, async () => await publish()));
    const won = crowd.filter(({ status }) => status === 201).length;
    expect(won).toBeGreaterThan(0);
    expect(crowd.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await versions()).toEqual(Array.from({ length: won + 1 }, (_, at) => won + 1 - at));
  });

  test('under an Idempotency-Key it is done once, and another body is 422', async () => {
    const options = { headers: { 'Idempotency-Key': randomUUID() } };
    const [first, second] = [
      await publish({ comment: 'x' }, options),
      await publish({ comment: 'x' }, options),
    ];
    expect([first.status, second.body]).toEqual([201, first.body]);
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    expect((await publish({ comment: 'y' }, options)).status).toBe(422);
    expect(await versions()).toEqual([1]);
  });

  test.each([
    ['no comment', {}, '/comment'],
    ['an empty comment', { comment: '' }, '/comment'],
    ['a comment that is too long', { comment: 'x'.repeat(1_001) }, '/comment'],
    ['revision 0', { comment: 'x', revision: 0 }, '/revision'],
    ['an unknown field', { comment: 'x', version: 3 }, '/version'],
  ])('400: %s', async (_, body, pointer) => {
    expect(await publish(body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    expect(await versions()).toEqual([]);
  });
});

describe('versions', () => {
  test('newest first, by pages, found by number and hash', async () => {
    for (const comment of ['a', 'b', 'c']) await publish({ comment });
    const list = await tenant.get<RuleVersionSummary[]>(`/rule-engine/${id}/versions?_start=1&_end=2`);
    expect(list.headers.get('X-Total-Count')).toBe('3');
    expect(list.body).toMatchObject([{ version: 2, comment: 'b', ruleCount: 0 }]);
    const found = await tenant.get<RuleVersionSummary[]>(`/rule-engine/${id}/versions?q=3`);
    expect(found.body.map(({ comment }) => comment)).toContain('c');
    const hash = list.body[0]?.contentHash.slice(0, 12) ?? '';
    const same = await tenant.get<RuleVersionSummary[]>(`/rule-engine/${id}/versions?q=${hash}`);
    expect(same.headers.get('X-Total-Count')).toBe('3');
  });

  test.each([0, 2, -1, 'x', 1.5, 99_999_999_999])('404: version %s', async (version) => {
    await publish();
    expect((await tenant.get(`/rule-engine/${id}/versions/${version}`)).status).toBe(404);
  });

  test.each([
    `update rule_versions set rule_count = 9`,
    `delete from rule_versions`,
    `truncate rule_versions`,
  ])('the database itself refuses: %s', async (sql) => {
    await publish();
    await expect(database.pool.query(sql)).rejects.toThrow('published rules are immutable');
    expect(await versions()).toEqual([1]);
  });
});

describe('starter sets', () => {
  test('every one of them can be loaded as a draft, in both directions, and nothing holds before it is published', async () => {
    const sets = await tenant.get<{ name: string; sets: Json }[]>('/rule-engine/starter-sets');
    expect([sets.status, sets.body.length]).toEqual([200, 5]);
    const incoming = (await configurations(tenant)).INCOMING.id;
    for (const { name } of sets.body) {
      for (const configuration of [id, incoming]) {
        const { status, body } = await tenant.post<RuleConfiguration>(
          `/rule-engine/${configuration}/starter-sets/${name}/load`,
        );
        expect([status, body.publishedVersion, body.draft.onUndecided]).toEqual([201, 0, 'REVIEW']);
        expect(body.draft.rules.length).toBeGreaterThan(0);
      }
    }
    expect((await read()).draft.revision).toBe(6);
  });

  test('404 for a set that is not there, 409 for a draft that is another one, 400, 403 and 401', async () => {
    const load = (name: string) => `/rule-engine/${id}/starter-sets/${name}/load`;
    expect((await tenant.post(load('none'))).status).toBe(404);
    expect(await tenant.post(load('conservative'), { revision: 7 })).toMatchObject({
      status: 409,
      body: { revision: 1 },
    });
    expect((await tenant.post(load('conservative'), { revision: 'x' })).status).toBe(400);
    expect((await (await tenant.as('OBSERVER')).post(load('conservative'))).status).toBe(403);
    expect((await api.request('GET', '/rule-engine/starter-sets')).status).toBe(401);
    expect((await read()).draft.revision).toBe(1);
  });
});

describe('restore', () => {
  test('201: the rules of a version become the draft; what is published stays', async () => {
    await draft(tenant, id, [rule({ name: 'Old' })]);
    await publish();
    await draft(tenant, id, [rule({ name: 'New' })], { defaultDecision: 'BLOCK' });
    await publish();
    const { status, body } = await restore({ version: 1 });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      publishedVersion: 2,
      draft: { revision: 4, defaultDecision: 'PROCEED', rules: [{ name: 'Old' }] },
      published: { version: 2, rules: [{ name: 'New' }] },
    });
    expect(await read()).toEqual(body);
  });

  test('404 for a version that is not there, 409 for a draft that is another one, 400 for nothing', async () => {
    expect((await restore({ version: 1 })).status).toBe(404);
    await publish();
    expect(await restore({ version: 1, revision: 9 })).toMatchObject({ status: 409, body: { revision: 1 } });
    expect((await restore({})).status).toBe(400);
    expect((await restore({ version: '1' })).status).toBe(400);
    expect((await read()).draft.revision).toBe(1);
  });
});
