import fc from 'fast-check';
import { admit, afterOutcome, CLOSED, type Breaker } from '../../../domain/aml/breaker.ts';
import { judgeOwnKnowledge } from '../../../domain/aml/builtin-score.ts';
import { riskOfType } from '../../../domain/aml/type-risk.ts';
import { ENTITY_TYPES } from '../../../domain/entity-types.ts';
import { estimateRisk } from '../../../domain/entities/risk.ts';
import { scoreOf } from '../../../domain/aml/score.ts';
import { severityOf } from '../../../domain/aml/severity.ts';
import { typeOfWord } from '../../../domain/aml/type-maps.ts';

test.each([
  [0, 'low'],
  [33.99, 'low'],
  [34, 'medium'],
  [66.99, 'medium'],
  [67, 'high'],
  [100, 'high'],
  [null, null],
])('a score of %s is %s', (score, severity) => {
  expect(severityOf(score)).toBe(severity);
});

test.each([
  [0.57, '0 to 1, high is risky', 57],
  [0.67, '0 to 1, high is risky', 67],
  [5e-324, '0 to 1, high is risky', 0],
  [66.6, '0 to 100, high is safe', 33.4],
  [99.9, '0 to 100, high is safe', 0.1],
  [33.3, '0 to 100, high is risky', 33.3],
] as const)('%s on the scale of %s is a risk score of %s, to the digit', (value, scale, riskScore) => {
  expect(scoreOf(value, scale)).toEqual({ reason: null, riskScore, originalScore: { value, scale } });
});

test('a score of null is not known, on every scale', () => {
  expect(scoreOf(null, '0 to 100, high is safe')).toEqual({
    reason: 'NO_SCORE',
    riskScore: null,
    originalScore: null,
  });
});

test('a word that nobody has mapped is a service of medium severity, in whatever spelling', () => {
  for (const provider of ['amlbot', 'crystal', 'scorechain'] as const) {
    for (const word of ['brand new thing', '', 'constructor', '__proto__', 'toString']) {
      expect(typeOfWord(provider, word)).toEqual({ type: 'service', isKnown: false });
    }
    for (const type of ENTITY_TYPES) expect(typeOfWord(provider, type).isKnown).toBe(true);
  }
  expect(typeOfWord('scorechain', 'Mixing-Service')).toEqual({ type: 'mixing_service', isKnown: true });
  expect(severityOf(riskOfType('service'))).toBe('medium');
});

test.each(ENTITY_TYPES)(
  'an entity of the type %s has the risk that a label of it gives an address',
  (type) => {
    const riskScore = riskOfType(type);
    expect(estimateRisk({ type, countries: [], inNetwork: false })).toEqual({
      riskScore,
      riskSeverity: severityOf(riskScore),
      riskAssessedAt: null,
    });
  },
);

describe('breaker', () => {
  const play = (outcomes: readonly (readonly [failed: boolean, atMs: number])[]): Breaker =>
    outcomes.reduce((breaker, [failed, atMs]) => afterOutcome(breaker, { failed, atMs }), CLOSED);
  const isOpen = (breaker: Breaker, atMs: number) => !admit(breaker, atMs).ok;

  test('five failures within 30 s open it, over a longer time they do not', () => {
    const every = (ms: number) => [0, 1, 2, 3, 4].map((index) => [true, index * ms] as const);
    expect(isOpen(play(every(7_000)), 28_001)).toBe(true);
    expect(isOpen(play(every(8_000)), 32_001)).toBe(false);
  });

  test('half of the last twenty opens it, however slowly they came', () => {
    const half = Array.from({ length: 20 }, (_, index) => [index % 2 === 1, index * 60_000] as const);
    expect(isOpen(play(half), 20 * 60_000)).toBe(false);
    expect(isOpen(play(half), 19 * 60_000 + 1)).toBe(true);
    const fewer = half.map(([failed, atMs], index) => [failed && index > 1, atMs] as const);
    expect(isOpen(play(fewer), 19 * 60_000 + 1)).toBe(false);
  });

  test('after 30 s exactly one request tries; one that never ends does not shut the provider out for ever', () => {
    const open = play([0, 1, 2, 3, 4].map((atMs) => [true, atMs] as const));
    expect(admit(open, 1_004)).toEqual({ ok: false, retryAfterMs: 29_000 });
    const probe = admit(open, 30_004);
    if (!probe.ok) throw new Error('no probe');
    expect(isOpen(probe.breaker, 30_005)).toBe(true);
    expect(isOpen(probe.breaker, 90_004)).toBe(false);
    expect(afterOutcome(probe.breaker, { failed: false, atMs: 30_100 })).toEqual(CLOSED);
    expect(isOpen(afterOutcome(probe.breaker, { failed: true, atMs: 30_100 }), 60_099)).toBe(true);
  });
});

describe('own knowledge', () => {
  const label = fc.record({
    source: fc.string(),
    type: fc.constantFrom(...ENTITY_TYPES),
    label: fc.string(),
    entityName: fc.constant(null),
    entityId: fc.constant(null),
    blockchain: fc.constant(null),
    confidence: fc.nat(100),
    lastModified: fc.constant(null),
    reference: fc.constant(null),
  });
  const entry = fc.record({ list: fc.string(), sourceId: fc.string(), name: fc.string() });
  const knowledge = fc.record({
    sanctions: fc.option(fc.array(entry, { maxLength: 2 })),
    labels: fc.array(label, { maxLength: 4 }),
    isOwnWallet: fc.boolean(),
  });

  test('the worst evidence decides; without evidence or without a list nothing is low', () => {
    fc.assert(
      fc.property(knowledge, (known) => {
        const { riskScore, evidence, sanctioned } = judgeOwnKnowledge(known);
        const worst = Math.max(...evidence.map(({ score }) => score));
        if (riskScore !== null) expect(riskScore).toBe(worst);
        if (severityOf(riskScore) === 'low') expect([evidence.length > 0, sanctioned]).toEqual([true, false]);
        if (known.sanctions?.length) expect([riskScore, sanctioned]).toEqual([100, true]);
        if (known.sanctions === null) expect(sanctioned).toBeNull();
      }),
    );
  });
});
