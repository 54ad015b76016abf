import fc from 'fast-check';
import { checkRules } from '../../../domain/rules/check-rules.ts';
import type { RuleFault } from '../../../domain/rules/fault.ts';

const ID = '019a0000-0000-7000-8000-00000000000a';
const LEAF = { field: 'amount', operator: 'GT', value: '1000', currency: 'EUR' };
const RULE = { id: ID, name: 'Large', conditions: { all: [LEAF] }, decision: 'REVIEW' };

const makeId = () => '019a0000-0000-7000-8000-00000000000f';
const draft = (...rules: unknown[]): unknown => ({ rules, defaultDecision: 'PROCEED' });
const conditions = (condition: unknown): unknown => draft({ ...RULE, conditions: condition });
const all = (...leaves: unknown[]): unknown => conditions({ all: leaves });

function faultsOf(body: unknown): RuleFault[] {
  const checked = checkRules(body, makeId);
  return checked.ok ? [] : checked.faults;
}

/** `pointer code` of every fault. */
const told = (body: unknown): string[] => faultsOf(body).map(({ pointer, code }) => `${pointer} ${code}`);

function nested(depth: number, inner: unknown = LEAF): unknown {
  return Array.from({ length: depth }).reduce(
    (condition, _, at) =>
      at % 3 === 0 ? { not: condition } : at % 3 === 1 ? { any: [condition] } : { all: [condition] },
    inner,
  );
}
const leaves = (count: number): unknown[] => Array.from({ length: count }, () => LEAF);
const assets = (count: number): string[] => Array.from({ length: count }, (_, at) => `A${at}`);
const rules = (count: number): unknown[] => Array.from({ length: count }, () => ({ ...RULE, id: undefined }));

const L = '/rules/0/conditions/all/0';

test('a value that no fact can have is refused: beyond the highest one, or with spaces at its ends', () => {
  const leaf = (field: string, value: unknown) => all({ field, operator: 'EQ', value });
  expect(told(leaf('hourUtc', '23'))).toEqual([]);
  expect(told(leaf('hourUtc', 24))).toEqual([`${L}/value too_big`]);
  expect(told(leaf('amlRiskScore', '100'))).toEqual([]);
  expect(told(leaf('amlRiskScore', '100.1'))).toEqual([`${L}/value too_big`]);
  const between = { field: 'hourUtc', operator: 'BETWEEN', value: ['22', '25'] };
  expect(told(all(between))).toEqual([`${L}/value/1 too_big`]);
  expect(told(leaf('asset', 'ETH'))).toEqual([]);
  expect(told(leaf('asset', 'ETH '))).toEqual([`${L}/value invalid_text`]);
  expect(told(leaf('asset', ' ETH'))).toEqual([`${L}/value invalid_text`]);
});

test('an unknown name comes with the one that was probably meant', () => {
  const texts = (body: unknown) => faultsOf(body).map(({ message }) => message);
  const leaf = (field: string) => all({ field, operator: 'EXISTS' });
  expect(texts(leaf('amlRiskScor'))).toEqual([
    'There is no field of this name for conditions; amlRiskScore was probably meant.',
  ]);
  expect(texts(leaf('colour'))).toEqual([
    'There is no field of this name for conditions; see GET /rule-engine/fields.',
  ]);
  expect(texts(all({ ...LEAF, curency: 'EUR' }))).toEqual([
    'There is no such field; currency was probably meant.',
  ]);
  expect(texts(draft({ ...RULE, decison: 'BLOCK' }))).toEqual([
    'There is no such field; decision was probably meant.',
  ]);
});

test('a misspelt blockchain is told by the name that was probably meant', () => {
  const [fault] = faultsOf(all({ field: 'blockchain', operator: 'EQ', value: 'Etherum' }));
  expect(fault?.message).toBe('This blockchain is not known; Ethereum was probably meant.');
});

test('names of blockchains are guessed a few times in a draft, not for each of its values', () => {
  const unknown = Array.from({ length: 1_000 }, (_, at) => `Own Chain ${at}`);
  const leaf = { field: 'blockchain', operator: 'IN', value: unknown };
  const many = Array.from({ length: 20 }, () => leaf);
  const misspelt = { field: 'blockchain', operator: 'EQ', value: 'Etherum' };
  expect(told(all(misspelt, ...many))).toEqual([`${L}/value unknown_blockchain`]);
  expect(told(all(...many, misspelt))).toEqual([]);
});

describe('a draft', () => {
  test('gets every default, and every value in its canonical form', () => {
    const given = draft({
      name: 'Large',
      conditions: {
        all: [
          { ...LEAF, value: 1000.5 },
          { not: { field: 'amount', operator: 'BETWEEN', value: ['01.50', 2e21] } },
        ],
      },
      decision: 'WAIT',
      waitMinutes: 30,
      enabledFrom: '2026-05-01T02:00:00+02:00',
    });
    expect(checkRules(given, makeId)).toEqual({
      ok: true,
      ruleSet: {
        rules: [
          {
            id: makeId(),
            name: 'Large',
            enabled: true,
            priority: 100,
            conditions: {
              all: [
                { ...LEAF, value: '1000.5' },
                { not: { field: 'amount', operator: 'BETWEEN', value: ['1.5', '2000000000000000000000'] } },
              ],
            },
            decision: 'WAIT',
            waitMinutes: 30,
            reason: null,
            enabledFrom: '2026-05-01T00:00:00.000Z',
            snoozedUntil: null,
          },
        ],
        defaultDecision: 'PROCEED',
        onUndecided: 'IGNORE',
      },
    });
  });

  test('that was read is read again to the same', () => {
    const first = checkRules(
      draft(
        { ...RULE, id: ID.toUpperCase() },
        {
          ...RULE,
          id: undefined,
          conditions: { field: 'asset', operator: 'EXISTS', value: null, currency: null },
        },
      ),
      makeId,
    );
    if (!first.ok) throw new Error(JSON.stringify(first.faults));
    expect(first.ruleSet.rules[0]?.id).toBe(ID);
    expect(checkRules(structuredClone(first.ruleSet), makeId)).toEqual(first);
  });

  test.each<[string, unknown]>([
    ['5 levels of all, any and not', conditions(nested(5))],
    ['200 rules', draft(...rules(200))],
    ['500 leaves', conditions({ any: leaves(500) })],
    ['1,000 values', all({ field: 'asset', operator: 'IN', value: assets(1_000) })],
    ['30 digits on either side', all({ ...LEAF, value: `${'9'.repeat(30)}.${'9'.repeat(30)}` })],
    ['zero', all({ field: 'amlRiskScore', operator: 'GTE', value: 0 })],
    ['a condition that is one leaf', conditions(LEAF)],
    ['no rules', draft()],
  ])('may have %s', (_, body) => {
    expect(told(body)).toEqual([]);
  });

  test.each<[string, unknown, string[]]>([
    ['that is no object', 7, [' invalid_type']],
    ['without anything', {}, ['/rules required', '/defaultDecision required']],
    ['with WAIT by default', { rules: [], defaultDecision: 'WAIT' }, ['/defaultDecision invalid_value']],
    [
      'with a field of its own',
      { rules: [], defaultDecision: 'BLOCK', extra: 1, 'a/b~c': 1 },
      ['/extra unknown_field', '/a~1b~0c unknown_field'],
    ],
    ['with 201 rules', draft(...rules(201)), ['/rules too_many_rules']],
    [
      'with a rule that is none',
      draft(null, [], 'x'),
      ['/rules/0 invalid_type', '/rules/1 invalid_type', '/rules/2 invalid_type'],
    ],
    [
      'with an empty rule',
      draft({}),
      ['/rules/0/name required', '/rules/0/decision required', '/rules/0/conditions required'],
    ],
    ['with duplicate ids', draft(RULE, { ...RULE, id: ID.toUpperCase() }), ['/rules/1/id duplicate_id']],
    ['with an id that is none', draft({ ...RULE, id: 'one' }), ['/rules/0/id invalid_format']],
    ['with WAIT without minutes', draft({ ...RULE, decision: 'WAIT' }), ['/rules/0/waitMinutes required']],
    [
      'with WAIT of no minutes',
      draft({ ...RULE, decision: 'WAIT', waitMinutes: 0 }),
      ['/rules/0/waitMinutes too_small'],
    ],
    [
      'with WAIT of too many minutes',
      draft({ ...RULE, decision: 'WAIT', waitMinutes: 43_201 }),
      ['/rules/0/waitMinutes too_big'],
    ],
    [
      'with minutes without WAIT',
      draft({ ...RULE, waitMinutes: 5 }),
      ['/rules/0/waitMinutes wait_not_allowed'],
    ],
    [
      'with wrong heads',
      draft({ ...RULE, name: '', priority: -1, enabled: 'yes', decision: 'ALLOW', reason: 'x'.repeat(501) }),
      [
        '/rules/0/name too_small',
        '/rules/0/enabled invalid_type',
        '/rules/0/priority too_small',
        '/rules/0/decision invalid_value',
        '/rules/0/reason too_big',
      ],
    ],
    [
      'with times that are none',
      draft({ ...RULE, enabledFrom: 'soon', snoozedUntil: '9999-12-31T23:59:59-12:00' }),
      ['/rules/0/enabledFrom invalid_format', '/rules/0/snoozedUntil invalid'],
    ],
    [
      'with __proto__',
      JSON.parse(
        `{"rules": [{"id": "${ID}", "name": "x", "decision": "BLOCK", "__proto__": {"enabled": false}, "conditions": {"all": [{"__proto__": 1, "field": "asset", "operator": "EXISTS"}]}}], "defaultDecision": "BLOCK"}`,
      ) as unknown,
      ['/rules/0/__proto__ unknown_field', `${L}/__proto__ unknown_field`],
    ],
    [
      'with a field that is misspelt',
      all({ field: 'asets', operator: 'EQ', value: 'x' }),
      [`${L}/field fact_unknown`],
    ],
    [
      'with fields named like members of every object',
      all(
        { field: 'constructor', operator: 'EQ', value: 'x' },
        { field: 'asset', operator: 'toString', value: 'x' },
      ),
      [`${L}/field fact_unknown`, '/rules/0/conditions/all/1/operator operator_unknown'],
    ],
    ['6 levels deep', conditions(nested(6)), ['/rules/0/conditions/all/0/any/0/not/all/0/any/0 too_deep']],
    [
      'deeper than a stack',
      conditions(nested(20_000)),
      [expect.stringMatching(/too_deep$/) as unknown as string],
    ],
    ['with an empty all', conditions({ all: [] }), ['/rules/0/conditions/all empty_list']],
    ['with an empty any within', all({ any: [] }), [`${L}/any empty_list`]],
    [
      'with conditions that are none',
      draft({ ...RULE, conditions: null }, { ...RULE, id: undefined, conditions: [LEAF] }),
      ['/rules/0/conditions invalid_type', '/rules/1/conditions invalid_type'],
    ],
    ['with all that is no list', conditions({ all: LEAF }), ['/rules/0/conditions/all invalid_type']],
    [
      'with two kinds of node in one',
      conditions({ all: [LEAF], any: [LEAF] }),
      ['/rules/0/conditions condition_ambiguous'],
    ],
    [
      'with a leaf and a node in one',
      conditions({ not: LEAF, ...LEAF }),
      ['/rules/0/conditions condition_ambiguous'],
    ],
    [
      'with an unknown node',
      conditions({ none: [LEAF] }),
      ['/rules/0/conditions/none unknown_field', '/rules/0/conditions/field required'],
    ],
    [
      'with 501 leaves',
      draft({ ...RULE, conditions: { any: leaves(500) } }, { ...RULE, id: undefined }),
      ['/rules/1/conditions/all/0 too_many_leaves'],
    ],
    [
      'with 1,001 values',
      all({ field: 'asset', operator: 'IN', value: assets(1_001) }),
      [`${L}/value too_many_values`],
    ],
    ['with no values', all({ field: 'asset', operator: 'IN', value: [] }), [`${L}/value empty_list`]],
    [
      'with a value twice',
      all({ field: 'asset', operator: 'IN', value: ['BTC', 'ETH', 'btc'] }),
      [`${L}/value/2 duplicate_value`],
    ],
    [
      'with one value for a list',
      all({ field: 'asset', operator: 'IN', value: 'BTC' }),
      [`${L}/value invalid_type`],
    ],
    [
      'with a list for one value',
      all({ field: 'asset', operator: 'EQ', value: ['BTC'] }),
      [`${L}/value invalid_type`],
    ],
    [
      'with lower-case and unknown countries',
      all({ field: 'counterpartyEntityCountry', operator: 'IN', value: ['de', 'FR', 'ZZ', 'Germany', ''] }),
      [0, 2, 3, 4].map((at) => `${L}/value/${at} country_unknown`),
    ],
    [
      'with another operator on countries',
      all({ field: 'counterpartyEntityCountry', operator: 'NOT_IN', value: ['DE'] }),
      [`${L}/operator operator_not_allowed`],
    ],
    [
      'with currency on another field',
      all({ field: 'rolling24hAmount', operator: 'GT', value: '1', currency: 'EUR' }),
      [`${L}/currency currency_not_allowed`],
    ],
    ['with an unknown currency', all({ ...LEAF, currency: 'eur' }), [`${L}/currency currency_unknown`]],
    [
      'with numbers that are none',
      all(
        ...[
          '12abc',
          '1e3',
          '-1',
          ' 1',
          '1,5',
          '0x10',
          'NaN',
          '9'.repeat(40),
          `0.${'1'.repeat(40)}`,
          -1,
          1e31,
        ].map((value) => ({ ...LEAF, value })),
      ),
      Array.from({ length: 11 }, (_, at) => `/rules/0/conditions/all/${at}/value invalid_decimal`),
    ],
    [
      'with values of another type',
      all(
        { ...LEAF, value: true },
        { field: 'asset', operator: 'EQ', value: 5 },
        { field: 'hasTransactionHash', operator: 'EQ', value: 'true' },
      ),
      [0, 1, 2].map((at) => `/rules/0/conditions/all/${at}/value invalid_type`),
    ],
    [
      'with an operator of another type',
      all(
        { field: 'asset', operator: 'GT', value: 'A' },
        { field: 'amount', operator: 'CONTAINS_ANY', value: ['1'] },
      ),
      [0, 1].map((at) => `/rules/0/conditions/all/${at}/operator operator_not_allowed`),
    ],
    [
      'with a word that the field does not know',
      all({ field: 'destinationType', operator: 'EQ', value: 'custodial' }),
      [`${L}/value value_unknown`],
    ],
    [
      'with a missing field that is none',
      all({ field: 'missingFields', operator: 'CONTAINS_ANY', value: ['originator.lei', 'originator.hat'] }),
      [`${L}/value/1 value_unknown`],
    ],
    [
      'with an entity that is none',
      all({ field: 'counterpartyEntityId', operator: 'EQ', value: 'acme' }),
      [`${L}/value invalid_format`],
    ],
    [
      'with a blockchain whose name is nearly that of another',
      all({
        field: 'blockchain',
        operator: 'IN',
        value: ['Ethereum', 'Etherum', 'bsc', 'A Chain of Our Own'],
      }),
      [`${L}/value/1 unknown_blockchain`],
    ],
    [
      'with bounds the wrong way round',
      all({ field: 'amount', operator: 'BETWEEN', value: ['1000', '999.99'] }),
      [`${L}/value bounds_reversed`],
    ],
    [
      'with one bound',
      all({ field: 'amount', operator: 'BETWEEN', value: ['1000'] }),
      [`${L}/value invalid_type`],
    ],
    [
      'with a value where none belongs',
      all({ field: 'asset', operator: 'EXISTS', value: 'BTC' }),
      [`${L}/value value_not_allowed`],
    ],
    ['without a value', all({ field: 'asset', operator: 'EQ' }), [`${L}/value required`]],
    [
      'with text that cannot be kept',
      all(...['\0', '\ud800', 'x'.repeat(257)].map((value) => ({ field: 'asset', operator: 'EQ', value }))),
      [0, 1, 2].map((at) => `/rules/0/conditions/all/${at}/value invalid_text`),
    ],
    [
      "with the engine's own words",
      all({ fact: 'amount', path: '$.x', operator: 'EQ', value: { fact: 'asset' } }),
      [`${L}/fact unknown_field`, `${L}/path unknown_field`, `${L}/field required`],
    ],
    [
      'with an object for a value',
      all({ field: 'asset', operator: 'EQ', value: { fact: 'blockchain' } }),
      [`${L}/value invalid_type`],
    ],
  ])('%s is refused with every fault at its place', (_, body, faults) => {
    expect(told(body)).toEqual(faults);
  });

  test('names the rule and the field of the leaf that a fault is in, and never what was sent', () => {
    const faults = faultsOf(all({ field: 'beneficiaryCountry', operator: 'EQ', value: 'Atlantis' }));
    expect(faults).toEqual([
      {
        pointer: `${L}/value`,
        code: 'country_unknown',
        message: expect.not.stringContaining('Atlantis'),
        ruleId: ID,
        leaf: 'beneficiaryCountry',
      },
    ]);
    expect(faultsOf(draft({ ...RULE, id: 'x', name: 1 }))[0]).toMatchObject({ ruleId: null, leaf: null });
  });

  test('of a megabyte is refused in bounded time and words', () => {
    const started = process.cpuUsage();
    const many = Array.from({ length: 40_000 }, () => ({ field: 'x', operator: 'y' }));
    expect(faultsOf(conditions({ all: many })).length).toBeLessThanOrEqual(1_000);
    expect(
      faultsOf({ rules: Array.from({ length: 300_000 }, () => ({})), defaultDecision: 'BLOCK' }),
    ).toHaveLength(601);
    expect(
      faultsOf(all({ field: 'asset', operator: 'IN', value: Array.from({ length: 300_000 }, () => 0) })),
    ).toHaveLength(1);
    expect(
      faultsOf(draft(Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`f${at}`, 1])))),
    ).toHaveLength(1_000);
    // Of the processor, not of the clock: others may be at work on the machine. In microseconds.
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
  });

  test('of anything at all is read or refused, and never breaks the reader', () => {
    const words = fc.constantFrom(
      'all',
      'any',
      'not',
      'field',
      'operator',
      'value',
      'currency',
      'amount',
      'EQ',
      'IN',
      'asset',
      '__proto__',
    );
    const json = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 6 },
        words,
        fc.jsonValue(),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(words, tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(json, (condition) => {
        expect(
          faultsOf(conditions(condition)).every(({ pointer }) => pointer.startsWith('/rules/0/conditions')),
        ).toBe(true);
        expect(Array.isArray(told(condition))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
