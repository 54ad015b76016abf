import { checkRules } from '../../../domain/rules/check-rules.ts';
import { compileRules, type CompiledRules } from '../../../domain/rules/compile.ts';
import { evaluate, type EvaluationInput } from '../../../domain/rules/evaluate.ts';
import { Facts } from '../../../domain/rules/facts.ts';
import { FIELD_NAMES, FIELDS } from '../../../domain/rules/fields.ts';

const NOW = '2026-05-01T00:00:00.000Z';
const TRUE = { field: 'asset', operator: 'EQ', value: 'BTC' };
const FALSE = { field: 'asset', operator: 'EQ', value: 'ETH' };
const UNKNOWN = { field: 'messageSource', operator: 'EQ', value: 'TRP' };
const BASE: Facts = { asset: 'BTC' };

const idOf = (at: number): string => `019a0000-0000-7000-8000-${String(at).padStart(12, '0')}`;

interface Draft {
  defaultDecision?: string;
  onUndecided?: string;
}

/** Rules whose ids are in their order; decision BLOCK unless another is given. */
function compiled(rules: object[], set: Draft = {}): CompiledRules {
  const named = rules.map((rule, at) => ({ id: idOf(at), name: `rule ${at}`, decision: 'BLOCK', ...rule }));
  const read = checkRules({ rules: named, defaultDecision: 'PROCEED', ...set }, () => idOf(999));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return compileRules(read.ruleSet);
}

async function resultOf(conditions: object, facts: Facts = BASE): Promise<string | undefined> {
  const { rules } = await evaluate(compiled([{ conditions }]), facts, { now: NOW });
  return rules[0]?.result;
}

async function decidedBy(
  rules: object[],
  set: Draft = {},
  facts: Facts = BASE,
  more: Partial<EvaluationInput> = {},
) {
  const { rules: traces, ...decided } = await evaluate(compiled(rules, set), facts, { now: NOW, ...more });
  return { ...decided, results: traces.map(({ result }) => result) };
}

describe('conditions', () => {
  const T = TRUE;
  const F = FALSE;
  const U = UNKNOWN;

  test.each<[string, object, string]>([
    ['true', T, 'MATCHED'],
    ['false', F, 'NOT_MATCHED'],
    ['missing', U, 'UNDECIDED'],
    ['not true', { not: T }, 'NOT_MATCHED'],
    ['not false', { not: F }, 'MATCHED'],
    ['not missing', { not: U }, 'UNDECIDED'],
    ['not not missing', { not: { not: U } }, 'UNDECIDED'],
    ['true and true', { all: [T, T] }, 'MATCHED'],
    ['true and missing', { all: [T, U] }, 'UNDECIDED'],
    ['false and missing', { all: [F, U] }, 'NOT_MATCHED'],
    ['missing and missing', { all: [U, U] }, 'UNDECIDED'],
    ['true or missing', { any: [T, U] }, 'MATCHED'],
    ['false or missing', { any: [F, U] }, 'UNDECIDED'],
    ['false or false', { any: [F, F] }, 'NOT_MATCHED'],
    ['not (false or missing)', { not: { any: [F, U] } }, 'UNDECIDED'],
    ['not (true or missing)', { not: { any: [T, U] } }, 'NOT_MATCHED'],
    ['not (false and missing)', { not: { all: [F, U] } }, 'MATCHED'],
    ['missing, or not false', { any: [U, { not: F }] }, 'MATCHED'],
  ])('of three values: %s', async (_, conditions, wanted) => {
    expect(await resultOf(conditions)).toBe(wanted);
  });

  test.each(FIELD_NAMES)(
    'on %s are met neither as they are nor reversed while the fact is missing',
    async (field) => {
      for (const operator of FIELDS[field].operators) {
        const leaf = { field, operator, ...valueFor(field, operator) };
        const wanted =
          operator === 'EXISTS'
            ? ['NOT_MATCHED', 'MATCHED']
            : operator === 'NOT_EXISTS'
              ? ['MATCHED', 'NOT_MATCHED']
              : ['UNDECIDED', 'UNDECIDED'];
        for (const facts of [{}, { [field]: null }]) {
          expect([await resultOf(leaf, facts), await resultOf({ not: leaf }, facts)]).toEqual(wanted);
        }
      }
    },
  );

  test.each<[string, string, unknown, string, boolean]>([
    ['999.99', 'GTE', '1000', 'EUR', false],
    ['1000', 'GTE', '1000.00', 'EUR', true],
    ['1000.00', 'EQ', 1000, 'EUR', true],
    ['1000', 'GT', '1000', 'EUR', false],
    ['1000.000000000000000000000001', 'GT', '1000', 'USD', true],
    ['900', 'GT', '1000', 'USD', false],
    ['9007199254740993', 'EQ', '9007199254740992', 'USD', false],
    ['0.1', 'LT', '0.10000000000000000001', 'USD', true],
    ['1000', 'BETWEEN', ['1000', '1000'], 'USD', true],
    ['1000.01', 'BETWEEN', ['999', '1000'], 'USD', false],
    ['0', 'LTE', '0', 'EUR', true],
  ])('compare decimals exactly: %s %s %j %s', async (actual, operator, value, currency, isMet) => {
    const fiat =
      currency === 'EUR' ? { amountEur: actual, amountUsd: '5' } : { amountUsd: actual, amountEur: '5' };
    const leaf = { field: 'amount', operator, value, currency };
    expect(await resultOf(leaf, { amount: '5', ...fiat })).toBe(isMet ? 'MATCHED' : 'NOT_MATCHED');
  });

  test.each<[string, object, Facts, string]>([
    [
      'any stored country',
      { field: 'counterpartyEntityCountry', operator: 'IN', value: ['IR', 'KP'] },
      { counterpartyEntityCountry: ['DE', 'KP'] },
      'MATCHED',
    ],
    [
      'no stored country',
      { field: 'counterpartyEntityCountry', operator: 'IN', value: ['IR'] },
      { counterpartyEntityCountry: [] },
      'UNDECIDED',
    ],
    [
      'not any stored country',
      { not: { field: 'counterpartyEntityCountry', operator: 'IN', value: ['IR'] } },
      { counterpartyEntityCountry: ['DE', 'FR'] },
      'MATCHED',
    ],
    [
      'an asset in any case',
      { field: 'asset', operator: 'IN', value: ['usdt'] },
      { asset: 'USDT' },
      'MATCHED',
    ],
    [
      'a blockchain by any name',
      { field: 'blockchain', operator: 'EQ', value: 'ERC20' },
      { blockchain: 'ethereum' },
      'MATCHED',
    ],
    [
      'a blockchain that nobody knows',
      { field: 'blockchain', operator: 'NEQ', value: 'Foo' },
      { blockchain: 'FOO' },
      'NOT_MATCHED',
    ],
    [
      'an empty list of missing fields',
      { field: 'missingFields', operator: 'CONTAINS_NONE', value: ['originator.name'] },
      { missingFields: [] },
      'MATCHED',
    ],
    [
      'one of two that would do',
      { field: 'missingFields', operator: 'CONTAINS_ANY', value: ['originator.lei'] },
      { missingFields: ['originator.lei|originator.nationalIdentificator'] },
      'MATCHED',
    ],
    [
      'a single field of a composite fact',
      { field: 'missingFields', operator: 'CONTAINS_ANY', value: ['originator.placeOfBirth'] },
      { missingFields: ['originator.dateOfBirth+placeOfBirth'] },
      'MATCHED',
    ],
    [
      'a composite of an earlier version',
      { field: 'missingFields', operator: 'CONTAINS_ANY', value: ['originator.dateOfBirth+placeOfBirth'] },
      { missingFields: ['originator.placeOfBirth'] },
      'MATCHED',
    ],
    [
      'a composite of an earlier version of which nothing is missing',
      { field: 'missingFields', operator: 'CONTAINS_NONE', value: ['originator.dateOfBirth+placeOfBirth'] },
      { missingFields: ['originator.country'] },
      'MATCHED',
    ],
    [
      'a false that is known',
      { field: 'sanctionsNameMatch', operator: 'NEQ', value: true },
      { sanctionsNameMatch: false },
      'MATCHED',
    ],
  ])('take %s', async (_, conditions, facts, wanted) => {
    expect(await resultOf(conditions, facts)).toBe(wanted);
  });

  test('are traced leaf by leaf as they are written, with what was expected and found', async () => {
    const conditions = {
      any: [
        { not: { all: [TRUE, { field: 'amount', operator: 'GT', value: 10, currency: 'EUR' }] } },
        { field: 'originatorCountry', operator: 'NOT_EXISTS' },
      ],
    };
    const { rules } = await evaluate(compiled([{ conditions }]), BASE, { now: NOW });
    expect(rules[0]?.trace).toEqual([
      {
        pointer: '/any/0/not/all/0',
        field: 'asset',
        operator: 'EQ',
        currency: null,
        expected: 'BTC',
        actual: 'BTC',
        result: true,
        missing: false,
      },
      {
        pointer: '/any/0/not/all/1',
        field: 'amount',
        operator: 'GT',
        currency: 'EUR',
        expected: '10',
        actual: null,
        result: null,
        missing: true,
      },
      {
        pointer: '/any/1',
        field: 'originatorCountry',
        operator: 'NOT_EXISTS',
        currency: null,
        expected: null,
        actual: null,
        result: true,
        missing: true,
      },
    ]);
  });
});

function valueFor(field: keyof typeof FIELDS, operator: string): { value?: unknown } {
  if (operator.endsWith('EXISTS')) return {};
  const { type, values, format } = FIELDS[field];
  const one =
    type === 'DECIMAL'
      ? '1'
      : type === 'BOOLEAN'
        ? true
        : type.startsWith('COUNTRY')
          ? 'DE'
          : (values?.[0] ?? (format ? idOf(1) : 'x'));
  if (operator === 'BETWEEN') return { value: [one, one] };
  return { value: /IN$|^CONTAINS/.test(operator) ? [one] : one };
}

describe('decisions', () => {
  const wait = { decision: 'WAIT', waitMinutes: 15, conditions: TRUE };
  const proceed = { decision: 'PROCEED', conditions: TRUE };
  const review = { decision: 'REVIEW', conditions: TRUE, reason: 'why' };
  const block = { decision: 'BLOCK', conditions: TRUE };

  test.each<[string, object[], Draft, object]>([
    [
      'the default without a match',
      [{ conditions: FALSE }],
      { defaultDecision: 'REVIEW' },
      { decision: 'REVIEW', decidedBy: 'default', reason: null },
    ],
    [
      'PROCEED over the default',
      [proceed],
      { defaultDecision: 'BLOCK' },
      { decision: 'PROCEED', decidedBy: idOf(0) },
    ],
    ['WAIT over PROCEED', [proceed, wait], {}, { decision: 'WAIT', decidedBy: idOf(1), waitMinutes: 15 }],
    [
      'REVIEW over WAIT',
      [wait, review],
      {},
      { decision: 'REVIEW', decidedBy: idOf(1), waitMinutes: null, reason: 'why' },
    ],
    [
      'BLOCK over all, whatever the priority',
      [
        { ...review, priority: 1 },
        { ...block, priority: 9 },
      ],
      {},
      { decision: 'BLOCK', decidedBy: idOf(1) },
    ],
    [
      'the lower priority among equals',
      [
        { ...block, priority: 2 },
        { ...block, priority: 1 },
      ],
      {},
      { decidedBy: idOf(1) },
    ],
    [
      'the lower id among equal priorities',
      [
        { ...block, id: idOf(8) },
        { ...block, id: idOf(7) },
      ],
      {},
      { decidedBy: idOf(7) },
    ],
    [
      'nothing for a rule that is off',
      [{ ...block, enabled: false }],
      {},
      { decision: 'PROCEED', results: ['DISABLED'] },
    ],
    [
      'nothing before a rule begins',
      [{ ...block, enabledFrom: '2026-05-01T00:00:00.001Z' }],
      {},
      { decision: 'PROCEED', results: ['SNOOZED'] },
    ],
    [
      'a rule from the moment it begins',
      [{ ...block, enabledFrom: NOW, snoozedUntil: NOW }],
      {},
      { decision: 'BLOCK', results: ['MATCHED'] },
    ],
    [
      'nothing while a rule is snoozed',
      [{ ...block, snoozedUntil: '2026-05-01T00:00:01Z' }],
      {},
      { decision: 'PROCEED', results: ['SNOOZED'] },
    ],
  ])('follow %s', async (_, rules, set, wanted) => {
    expect(await decidedBy(rules, set)).toMatchObject(wanted);
  });

  test('leave a WAIT that has run its time out, and nothing else', async () => {
    const spent = [idOf(0), idOf(1)];
    expect(await decidedBy([wait, review], {}, BASE, { spent })).toMatchObject({
      decision: 'REVIEW',
      results: ['SPENT', 'MATCHED'],
    });
    expect(
      await decidedBy([wait, { ...wait, waitMinutes: 60 }], {}, BASE, { spent: [idOf(0)] }),
    ).toMatchObject({ decision: 'WAIT', decidedBy: idOf(1), waitMinutes: 60 });
  });

  const price = { field: 'amount', operator: 'GT', value: '10', currency: 'EUR' };
  const name = { field: 'sanctionsNameMatch', operator: 'EQ', value: true };
  const aml = { field: 'amlCategories', operator: 'CONTAINS_ANY', value: ['scam'] };

  test.each<[string, object[], Draft, object]>([
    [
      'a missing price asks for a person',
      [{ conditions: price }],
      {},
      { decision: 'REVIEW', decidedBy: 'undecided', restsOnSanctions: false },
    ],
    [
      'a missing AML result asks for a person',
      [{ ...review, conditions: aml }],
      {},
      { decision: 'REVIEW', decidedBy: 'undecided' },
    ],
    [
      'a missing screening asks for a person, and only a person ends it',
      [{ ...wait, conditions: name }],
      {},
      { decision: 'REVIEW', restsOnSanctions: true },
    ],
    [
      'a missing screening is behind a default that holds',
      [{ conditions: name }],
      { defaultDecision: 'REVIEW' },
      { decision: 'REVIEW', decidedBy: 'default', restsOnSanctions: true },
    ],
    [
      'another missing fact asks for nobody',
      [{ conditions: UNKNOWN }],
      {},
      { decision: 'PROCEED', results: ['UNDECIDED'] },
    ],
    [
      'a PROCEED that cannot be told asks for nobody',
      [{ ...proceed, conditions: price }],
      {},
      { decision: 'PROCEED' },
    ],
    [
      'a missing price does not matter where something else is missing first',
      [{ conditions: { all: [{ any: [TRUE, price] }, UNKNOWN] } }],
      {},
      { decision: 'PROCEED', results: ['UNDECIDED'] },
    ],
    [
      'a rule that is told all the same asks for nobody',
      [{ conditions: { all: [price, FALSE] } }],
      {},
      { decision: 'PROCEED', results: ['NOT_MATCHED'] },
    ],
    [
      'a snoozed rule asks for nobody',
      [{ conditions: price, snoozedUntil: '2027-01-01T00:00:00Z' }],
      {},
      { decision: 'PROCEED' },
    ],
    [
      'a BLOCK is not weakened',
      [{ conditions: price }, block],
      {},
      { decision: 'BLOCK', decidedBy: idOf(1) },
    ],
    [
      'a WAIT and a PROCEED are held',
      [{ conditions: price }, wait, proceed],
      {},
      { decision: 'REVIEW', decidedBy: 'undecided', waitMinutes: null },
    ],
  ])('with onUndecided REVIEW: %s', async (_, rules, set, wanted) => {
    expect(await decidedBy(rules, { onUndecided: 'REVIEW', ...set })).toMatchObject(wanted);
    expect(await decidedBy(rules, { ...set, onUndecided: 'IGNORE' })).not.toMatchObject({
      decidedBy: 'undecided',
    });
  });

  test.each<[string, object[], Facts, boolean]>([
    ['a hit', [{ conditions: name }], { sanctionsNameMatch: true }, true],
    [
      'a hit behind another rule that decides',
      [{ conditions: TRUE }, { ...review, conditions: name }],
      { ...BASE, sanctionsNameMatch: true },
      true,
    ],
    [
      'a hit that another condition would not need',
      [{ conditions: { any: [TRUE, name] } }],
      { ...BASE, sanctionsNameMatch: true },
      true,
    ],
    [
      'a screening that is missing',
      [{ conditions: { field: 'sanctionsAddressMatch', operator: 'NOT_EXISTS' } }],
      BASE,
      true,
    ],
    [
      'no hit',
      [{ conditions: { all: [TRUE, { not: name }] } }],
      { ...BASE, sanctionsNameMatch: false },
      false,
    ],
    ['a hit that only a WAIT looks at', [{ ...wait, conditions: name }], { sanctionsNameMatch: true }, false],
    [
      'a hit that lets a transfer proceed',
      [{ ...proceed, conditions: name }],
      { sanctionsNameMatch: true },
      false,
    ],
    [
      'an amount',
      [{ conditions: { any: [price, name] } }],
      { amountEur: '11', sanctionsNameMatch: false },
      false,
    ],
  ])('rest on sanctions with %s', async (_, rules, facts, wanted) => {
    expect((await decidedBy(rules, {}, facts)).restsOnSanctions).toBe(wanted);
  });
});

describe('compiled rules', () => {
  test('serve many evaluations at a time, each with its own facts, and always alike', async () => {
    const rules = compiled([{ conditions: TRUE }, { conditions: { not: FALSE }, decision: 'REVIEW' }]);
    const assets = Array.from({ length: 200 }, (_, at) => (['BTC', 'ETH', null] as const)[at % 3] ?? null);
    const found = await Promise.all(
      assets.map(async (asset) => await evaluate(rules, { asset }, { now: NOW })),
    );
    expect(found.map(({ decision }) => decision)).toEqual(
      assets.map((asset) => (asset === 'BTC' ? 'BLOCK' : 'PROCEED')),
    );
    expect(found[3]).toEqual(found[0]);
  });

  test('run whole however far another evaluation of them has come', async () => {
    const rules = compiled([{ conditions: TRUE }]);
    const decide = async (): Promise<string> => (await evaluate(rules, BASE, { now: NOW })).decision;
    for (let ticks = 0; ticks < 100; ticks += 1) {
      const first = decide();
      for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
      expect(await Promise.all([decide(), first])).toEqual(['BLOCK', 'BLOCK']);
    }
  });

  test('go on after facts that are not usable', async () => {
    const rules = compiled([{ conditions: { field: 'amount', operator: 'GT', value: '1' } }]);
    await expect(evaluate(rules, { amount: '12abc' }, { now: NOW })).rejects.toThrow('not a decimal');
    expect(await evaluate(rules, { amount: '2' }, { now: NOW })).toMatchObject({ decision: 'BLOCK' });
  });

  test('without a rule decide by default', async () => {
    expect(await decidedBy([])).toMatchObject({ decision: 'PROCEED', decidedBy: 'default', results: [] });
  });
});

describe('a sum of which 1,000 are known', () => {
  const facts: Facts = { rolling24hAmountAtLeast: '1000.00' };
  const sum = (operator: string, value?: unknown) => ({
    field: 'rolling24hAmount',
    operator,
    ...(value === undefined ? {} : { value }),
  });

  test.each<[string, unknown, boolean | null]>([
    ['GT', '999.99', true],
    ['GT', '1000', null],
    ['GTE', '1000', true],
    ['GTE', '1000.01', null],
    ['LT', '1000', false],
    ['LT', '1000.01', null],
    ['LTE', '999.99', false],
    ['LTE', '1000', null],
    ['EQ', '999', false],
    ['EQ', '1000', null],
    ['NEQ', '999', true],
    ['NEQ', '1000', null],
    ['BETWEEN', ['1', '999'], false],
    ['BETWEEN', ['1', '1000'], null],
    ['EXISTS', undefined, false],
    ['NOT_EXISTS', undefined, true],
  ])('%s %j: %s, and the opposite under not', async (operator, value, truth) => {
    const words = { true: 'MATCHED', false: 'NOT_MATCHED', null: 'UNDECIDED' };
    const leaf = sum(operator, value);
    expect(await resultOf(leaf, facts)).toBe(words[`${truth}`]);
    expect(await resultOf({ not: leaf }, facts)).toBe(words[`${truth === null ? null : !truth}`]);
  });

  test('shows the known part where that decides, and is missing where it does not', async () => {
    const trace = async (value: string) =>
      (await evaluate(compiled([{ conditions: sum('GT', value) }]), facts, { now: NOW })).rules[0]?.trace[0];
    expect(await trace('999')).toMatchObject({ actual: '1000', missing: false, result: true });
    expect(await trace('1000')).toMatchObject({ actual: null, missing: true, result: null });
  });

  test.each<[string, Facts, string]>([
    ['is undecided for want of a price', facts, 'REVIEW'],
    ['is not known at all, for want of a customer', {}, 'PROCEED'],
    ['is known', { rolling24hAmount: '1000', rolling24hAmountAtLeast: '9999' }, 'PROCEED'],
  ])('asks a person with onUndecided REVIEW where it %s', async (_, given, decision) => {
    const rules = [{ conditions: sum('GT', '5000') }];
    expect(await decidedBy(rules, { onUndecided: 'REVIEW' }, given)).toMatchObject({ decision });
    expect(await decidedBy(rules, { onUndecided: 'IGNORE' }, given)).toMatchObject({ decision: 'PROCEED' });
  });
});

describe('a rule that names the counterparty by one of its duplicates', () => {
  const id = (operator: string, ...value: string[]) => {
    const isList = operator === 'IN' || operator === 'NOT_IN';
    return { field: 'counterpartyEntityId', operator, value: isList ? value : value[0] };
  };
  const facts = Facts.parse({ counterpartyEntityId: idOf(1), counterpartyDuplicateIds: [idOf(2), idOf(3)] });

  test.each([
    [id('EQ', idOf(1)), true],
    [id('EQ', idOf(3).toUpperCase()), true],
    [id('EQ', idOf(4)), false],
    [id('NEQ', idOf(2)), false],
    [id('NEQ', idOf(4)), true],
    [id('IN', idOf(9), idOf(3)), true],
    [id('IN', idOf(9)), false],
    [id('NOT_IN', idOf(9), idOf(2)), false],
    [id('NOT_IN', idOf(9)), true],
  ])('%j: %s, and the opposite under not', async (leaf, isMet) => {
    const word = (is: boolean) => (is ? 'MATCHED' : 'NOT_MATCHED');
    expect(await resultOf(leaf, facts)).toBe(word(isMet));
    expect(await resultOf({ not: leaf }, facts)).toBe(word(!isMet));
  });

  test('shows the master alone, and is undecided without it', async () => {
    const { rules } = await evaluate(compiled([{ conditions: id('EQ', idOf(2)) }]), facts, { now: NOW });
    expect(rules[0]?.trace[0]).toMatchObject({ expected: idOf(2), actual: idOf(1), result: true });
    expect(await resultOf(id('EQ', idOf(2)), { counterpartyDuplicateIds: [idOf(2)] })).toBe('UNDECIDED');
  });
});

describe('facts', () => {
  test('are read to canonical decimals, one country as a list, and an id in lower case', () => {
    expect(
      Facts.parse({
        amount: 1000.5,
        amountEur: '01.50',
        rolling24hCount: 0,
        counterpartyEntityCountry: 'DE',
        counterpartyEntityId: idOf(1).toUpperCase(),
        sanctionsNameMatch: null,
      }),
    ).toEqual({
      amount: '1000.5',
      amountEur: '1.5',
      rolling24hCount: '0',
      counterpartyEntityCountry: ['DE'],
      counterpartyEntityId: idOf(1),
      sanctionsNameMatch: null,
    });
  });

  test('have a value for every field that a condition may name, and for amounts in fiat', () => {
    expect(Object.keys(Facts.shape).toSorted()).toEqual(
      [
        ...FIELD_NAMES,
        'amountUsd',
        'amountEur',
        'rolling24hAmountAtLeast',
        'counterpartyDuplicateIds',
      ].toSorted(),
    );
  });

  test.each([
    { unknownFact: 1 },
    { amount: '12abc' },
    { amount: -1 },
    { amount: '1'.repeat(40) },
    { amlRiskScore: 100.1 },
    { hourUtc: 24 },
    { originatorCountry: 'de' },
    { counterpartyEntityCountry: ['DE', 'ZZ'] },
    { destinationType: 'CUSTODY' },
    { amlCategories: ['nonsense'] },
    { missingFields: 'originator.name' },
    { missingFields: ['originator.hatSize'] },
    { hasTransactionHash: 'true' },
    { counterpartyEntityId: 'x' },
  ])('refuse %j at its place', (input) => {
    const read = Facts.safeParse(input);
    expect(read.success).toBe(false);
    const [issue] = read.error?.issues ?? [];
    expect(issue?.path[0] ?? (issue as { keys?: string[] }).keys?.[0]).toBe(Object.keys(input)[0]);
  });
});
