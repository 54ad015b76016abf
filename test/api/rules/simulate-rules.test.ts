import { loadPublished } from '../../../db/rules/load-published.ts';
import type { RuleConfiguration } from '../../../domain/rules/configuration.ts';
import { compileRules } from '../../../domain/rules/compile.ts';
import { evaluate } from '../../../domain/rules/evaluate.ts';
import type { RuleSet } from '../../../domain/rules/schema.ts';
import type { RuleSimulation } from '../../../domain/rules/simulation.ts';
import type { Json } from '../../api-client.ts';
import { configurations, draft, manyRules, rule } from '../../factories/rules.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { useApi, startSecondApi } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0, RATE_LIMIT_READS: 0 } });
let tenant: TestTenant;
let id: string;
beforeAll(begin);

/** With a tenant whose draft is as it was made. */
async function begin(): Promise<void> {
  tenant = await createTenant(api);
  id = (await configurations(tenant)).OUTGOING.id;
}

const simulate = async (body: Json) =>
  await tenant.post<RuleSimulation & Json>(`/rule-engine/${id}/simulate`, body);
const everything = async () =>
  (
    await database.pool.query<Json>(
      `select (select json_agg(c) from rule_configurations c) as c, (select json_agg(v) from rule_versions v) as v,
         (select count(*) from rule_decisions) as d, (select count(*) from outbox) as o`,
    )
  ).rows;

describe('simulate', () => {
  test('says exactly what the evaluation of a real transfer says, with what it rested on', async () => {
    const small = rule({ decision: 'REVIEW', conditions: leaf('amount', 'LT', 10_000) });
    const { body: changed } = await draft(tenant, id, [rule({ conditions: eur('GTE', '1000') }), small]);
    const input = { amount: '5000.50', amountEur: '1000.00', beneficiaryCountry: 'CH' };
    const at = '2026-11-21T10:00:00.000Z';
    const { status, body } = await simulate({ source: 'DRAFT', input, at });
    expect(status).toBe(200);
    const compiled = compileRules(changed.draft as unknown as RuleSet);
    const expected = await evaluate(compiled, { ...input, amount: '5000.5', amountEur: '1000' }, { now: at });
    expect(body).toMatchObject({
      ...expected,
      decision: 'BLOCK',
      decidedBy: changed.draft.rules[0]?.id,
      source: 'DRAFT',
      revision: 2,
      version: null,
      direction: 'OUTGOING',
      evaluatedAt: at,
      facts: { amount: { value: '5000.5', source: 'GIVEN' }, amountEur: { value: '1000', source: 'GIVEN' } },
    });
  });

  test('what is not given is missing, and the answer warns of it', async () => {
    const sanctions = { field: 'sanctionsNameMatch', operator: 'EQ', value: true };
    const { body } = await simulate({
      source: 'DRAFT',
      rules: [rule({ conditions: { any: [sanctions, eur('GT', '1')] } })],
      input: {},
    });
    expect(body).toMatchObject({ decision: 'PROCEED', decidedBy: 'default', revision: null });
    expect(body.rules[0]?.result).toBe('UNDECIDED');
    expect(body.rules[0]?.trace).toMatchObject([{ missing: true, result: null }, { missing: true }]);
    expect(body.facts).toEqual({
      sanctionsNameMatch: { value: null, source: 'MISSING' },
      amountEur: { value: null, source: 'MISSING' },
    });
    expect(body.warnings.map(({ code }) => code)).toEqual([
      'fact_missing',
      'fact_missing',
      'undecided_ignored',
    ]);
    const empty = await simulate({ source: 'PUBLISHED', input: {} });
    expect(empty.body).toMatchObject({ version: 0, warnings: [{ code: 'no_rules' }] });
  });

  test('rules may have up to 2 MiB, in a draft, a simulation and a back-test', async () => {
    const longest = (at: number) => `${at} `.padEnd(256, 'x');
    const value = Array.from({ length: 1_000 }, (_, at) => longest(at));
    const rules = Array.from({ length: 7 }, (_, at) =>
      rule({ priority: at, decision: 'REVIEW', conditions: leaf('asset', 'IN', value) }),
    );
    const path = `/rule-engine/${id}`;
    const [from, to] = [new Date(0).toISOString(), new Date().toISOString()];
    const { body } = await tenant.get<RuleConfiguration>(path);
    const drafted = await tenant.patch(`${path}/draft`, { revision: body.draft.revision, rules });
    expect(drafted.status).toBe(200);
    expect((await simulate({ source: 'DRAFT', rules, input: {} })).status).toBe(200);
    const started = await tenant.post(`${path}/backtest`, { source: 'DRAFT', rules, from, to });
    expect(started.status).toBe(202);
    const above = { source: 'DRAFT', rules: [...rules, ...rules], input: {} };
    expect((await simulate(above)).status).toBe(413);
    await begin();
  });

  test('takes the draft, other rules in its place, or the published ones, and stores nothing', async () => {
    await begin();
    await draft(tenant, id, [rule({ decision: 'BLOCK' })]);
    await tenant.post(`/rule-engine/${id}/publish`, { comment: 'x' });
    await draft(tenant, id, [rule({ decision: 'REVIEW' })]);
    const before = await everything();
    const input = { amount: '20000' };
    const said = async (body: Json) => (await simulate({ input, ...body })).body.decision;
    expect(await said({ source: 'PUBLISHED' })).toBe('BLOCK');
    expect(await said({ source: 'DRAFT' })).toBe('REVIEW');
    expect(await said({ source: 'DRAFT', rules: [], defaultDecision: 'BLOCK' })).toBe('BLOCK');
    expect(await said({ source: 'DRAFT', rules: [] })).toBe('PROCEED');
    const waiting = rule({ decision: 'WAIT', waitMinutes: 5 });
    expect(await said({ source: 'DRAFT', rules: [waiting] })).toBe('WAIT');
    expect(await said({ source: 'DRAFT', rules: [waiting], spent: [waiting.id] })).toBe('PROCEED');
    expect(await everything()).toEqual(before);
  });

  test.each<[string, Json, string, string]>([
    ['no source', { input: {} }, 'validation_failed', '/source'],
    ['no input', { source: 'DRAFT' }, 'validation_failed', '/input'],
    ['an unknown fact', { source: 'DRAFT', input: { amout: '1' } }, 'validation_failed', '/input/amout'],
    [
      'a fact of another type',
      { source: 'DRAFT', input: { amount: '12abc' } },
      'validation_failed',
      '/input/amount',
    ],
    [
      'a lower-case country',
      { source: 'DRAFT', input: { beneficiaryCountry: 'ch' } },
      'validation_failed',
      '/input/beneficiaryCountry',
    ],
    [
      '__proto__ among the facts',
      JSON.parse('{"source":"DRAFT","input":{"__proto__":{"a":1}}}') as Json,
      'validation_failed',
      '/input/__proto__',
    ],
    [
      'rules with the published ones',
      { source: 'PUBLISHED', input: {}, rules: [] },
      'validation_failed',
      '/rules',
    ],
    [
      'faulty rules',
      { source: 'DRAFT', input: {}, rules: [{ ...rule(), decision: 'NO' }] },
      'rules_invalid',
      '/rules/0/decision',
    ],
    [
      'a faulty default',
      { source: 'DRAFT', input: {}, defaultDecision: 'WAIT' },
      'rules_invalid',
      '/defaultDecision',
    ],
  ])('400: %s', async (_, body, code, pointer) => {
    const answer = await simulate(body);
    expect([answer.status, answer.body['code']]).toEqual([400, code]);
    expect((answer.body['errors'] as Json[]).map((error) => error['pointer'])).toContain(pointer);
  });
});

function leaf(field: string, operator = 'EXISTS', value?: unknown): Json {
  return { field, operator, ...(value !== undefined && { value }) };
}
function eur(operator: string, value: string): Json {
  return { field: 'amount', operator, value, currency: 'EUR' };
}
const nested = (depth: number): Json =>
  depth === 0 ? leaf('amount') : { [depth % 2 === 0 ? 'all' : 'any']: [nested(depth - 1)] };
const one = (conditions: unknown, rest: Json = {}) => [rule({ conditions, ...rest })];
const twice = rule();

describe('400: nothing is changed by a draft with', () => {
  beforeAll(begin);

  test.each<[string, unknown, string]>([
    ['no rules', undefined, '/rules'],
    ['rules that are no list', { 0: rule() }, '/rules'],
    ['depth 6', one(nested(6)), '/rules/0/conditions'],
    ['201 rules', manyRules(201, 201), '/rules'],
    ['501 leaves', manyRules(100, 501), '/rules/'],
    [
      '1,001 values',
      one(
        leaf(
          'asset',
          'IN',
          Array.from({ length: 1_001 }, (_, at) => `A${at}`),
        ),
      ),
      '/rules/0/conditions/value',
    ],
    ['a lower-case country', one(leaf('beneficiaryCountry', 'IN', ['ch'])), '/rules/0/conditions/value/0'],
    [
      'an unknown country',
      one(leaf('counterpartyEntityCountry', 'IN', ['DE', 'XX'])),
      '/rules/0/conditions/value/1',
    ],
    [
      'a currency on another field',
      one({ ...leaf('asset', 'EQ', 'BTC'), currency: 'USD' }),
      '/rules/0/conditions/currency',
    ],
    ['WAIT without minutes', [rule({ decision: 'WAIT' })], '/rules/0/waitMinutes'],
    ['minutes without WAIT', [rule({ waitMinutes: 5 })], '/rules/0/waitMinutes'],
    ['an empty all', one({ all: [] }), '/rules/0/conditions/all'],
    ['two rules of one id', [twice, twice], '/rules/1/id'],
    ['an id that is none', [rule({ id: 'first' })], '/rules/0/id'],
    ['a number as text', one(leaf('amount', 'GT', '12abc')), '/rules/0/conditions/value'],
    ['40 digits', one(leaf('amount', 'GT', '1'.repeat(40))), '/rules/0/conditions/value'],
    [
      'an operator of another type',
      one(leaf('sanctionsNameMatch', 'GT', '1')),
      '/rules/0/conditions/operator',
    ],
    ['an unknown field', one(leaf('colour', 'EQ', 'red')), '/rules/0/conditions/field'],
    ['__proto__', one(JSON.parse('{"__proto__":[1]}')), '/rules/0/conditions/__proto__'],
    ['a path', one({ ...leaf('amount', 'GT', '1'), path: '$.x' }), '/rules/0/conditions/path'],
    ['all and any at once', one({ all: [leaf('amount')], any: [leaf('asset')] }), '/rules/0/conditions'],
    ['an unknown decision', [rule({ decision: 'ALLOW' })], '/rules/0/decision'],
    ['an empty name', [rule({ name: '' })], '/rules/0/name'],
    ['NUL in a name', [rule({ name: 'a\u0000b' })], '/rules/0/name'],
    ['an unknown member', [rule({ action: 'x' })], '/rules/0/action'],
  ])('%s', async (_, rules, pointer) => {
    const before = await everything();
    const answer = await tenant.patch<Json>(`/rule-engine/${id}/draft`, { rules, revision: 1 });
    expect([answer.status, answer.body['code']]).toEqual([400, 'rules_invalid']);
    const errors = answer.body['errors'] as { pointer: string; ruleId: unknown; leaf: unknown }[];
    expect(errors.some((error) => error.pointer.startsWith(pointer))).toBe(true);
    for (const error of errors)
      expect(Object.keys(error).sort()).toEqual(['code', 'leaf', 'message', 'pointer', 'ruleId']);
    expect(await everything()).toEqual(before);
  });

  test('several faults: every one of them, with its rule and leaf', async () => {
    const rules = [
      rule({
        conditions: { all: [leaf('amount', 'GT', 'x'), { not: leaf('beneficiaryCountry', 'EQ', 'xx') }] },
      }),
      rule({ id: 'no', decision: 'WAIT' }),
    ];
    const answer = await draft(tenant, id, rules);
    expect(answer.body['errors']).toMatchObject([
      { pointer: '/rules/0/conditions/all/0/value', ruleId: rules[0]?.id, leaf: 'amount' },
      { pointer: '/rules/0/conditions/all/1/not/value', ruleId: rules[0]?.id, leaf: 'beneficiaryCountry' },
      { pointer: '/rules/1/id', ruleId: null, leaf: null },
    ]);
  });

  test('2.5 MB: 413 before anything is read', async () => {
    const rules = [rule({ conditions: leaf('asset', 'IN', Array(500_000).fill('AB')) })];
    expect(await draft(tenant, id, rules)).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
  });

  test('a revision that is none', async () => {
    for (const revision of [undefined, 0, '1', 1.5, null]) {
      const answer = await tenant.patch(`/rule-engine/${id}/draft`, { rules: [], revision });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ pointer: '/revision' }] },
      });
    }
  });
});

test('the largest draft that is allowed is taken, simulated and published', async () => {
  const answer = await draft(tenant, id, manyRules(200, 500));
  expect(answer.status).toBe(200);
  const { body } = await simulate({ source: 'DRAFT', input: { amount: '1', beneficiaryCountry: 'CH' } });
  expect(body.rules).toHaveLength(200);
  expect(body.rules.flatMap(({ trace }) => trace)).toHaveLength(500);
  expect((await tenant.post(`/rule-engine/${id}/publish`, { comment: 'x' })).status).toBe(201);
});

test('publishing decides from the next evaluation on, in every process', async () => {
  await begin();
  const decides = async () => {
    const { version, compiled } = await loadPublished(api.db, tenant.id, 'OUTGOING');
    const now = new Date().toISOString();
    return [version, (await evaluate(compiled, { amount: '20000' }, { now })).decision];
  };
  const other = await startSecondApi(api);
  expect(await decides()).toEqual([0, 'PROCEED']);
  await draft(tenant, id, [rule()]);
  expect(await decides()).toEqual([0, 'PROCEED']);
  const key = { key: tenant.apiKey };
  await other.request('POST', `/rule-engine/${id}/publish`, { ...key, body: { comment: 'elsewhere' } });
  expect(await decides()).toEqual([1, 'BLOCK']);
  const { body } = await tenant.get<RuleConfiguration>(`/rule-engine/${id}`);
  await other.request('PATCH', `/rule-engine/${id}/draft`, {
    ...key,
    body: { rules: [rule({ decision: 'REVIEW' })], revision: body.draft.revision },
  });
  await other.request('POST', `/rule-engine/${id}/publish`, { ...key, body: { comment: 'milder' } });
  expect(await decides()).toEqual([2, 'REVIEW']);
});

test('a form can be built from the fields: types, operators, values, units and limits', async () => {
  const { status, body } = await tenant.get<{ fields: Json[]; limits: Json }>('/rule-engine/fields');
  expect(status).toBe(200);
  expect(body.fields).toContainEqual(
    expect.objectContaining({ name: 'amount', type: 'DECIMAL', currencies: ['USD', 'EUR'] }),
  );
  expect(body.fields).toContainEqual(
    expect.objectContaining({ name: 'counterpartyEntityCountry', operators: ['IN'] }),
  );
  expect(body.limits).toMatchObject({ depth: 5, rules: 200, leaves: 500, values: 1_000 });
  expect((await api.request('GET', '/rule-engine/fields')).status).toBe(401);
  // A rule can be made of every field that it lists.
  const rules = body.fields.map(({ name, operators }) => {
    const presence = (operators as string[]).includes('EXISTS');
    return rule({ conditions: presence ? leaf(String(name)) : leaf(String(name), 'IN', ['CH']) });
  });
  expect((await draft(tenant, id, rules)).status).toBe(200);
});
