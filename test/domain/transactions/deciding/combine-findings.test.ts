import { applyVerdict } from '../../../../domain/transactions/deciding/apply-verdict.ts';
import {
  combineFindings,
  type RuledFinding,
} from '../../../../domain/transactions/deciding/combine-findings.ts';
import { clearScreening } from '../../../factories/transaction.ts';
import { NOW, shownChange, transactionRecord } from '../../../factories/transaction-record.ts';

type Facts = Parameters<typeof transactionRecord>[0];
const due = (facts: Facts = {}) => transactionRecord({ screeningState: 'DUE', ...facts });
const NAMED: Facts = {
  personal: { originator: { name: 'Anna' } as never, beneficiary: { name: 'Jonas' } as never },
};

const ruled = (decision: RuledFinding['evaluation']['decision']): RuledFinding => ({
  evaluation: {
    decision,
    decidedBy: 'default',
    waitMinutes: null,
    reason: null,
    restsOnSanctions: false,
    rules: [],
  },
  version: 1,
  waitUntil: null,
  guarded: false,
});

function verdictOn(
  facts: Facts,
  holdIncomplete: boolean,
  decision: 'PROCEED' | 'WAIT' | 'BLOCK' = 'PROCEED',
) {
  const record = due(facts);
  return combineFindings(record, clearScreening(record, NOW), ruled(decision), { holdIncomplete });
}

describe('a message that does not name both parties', () => {
  test('is held before it is sent where the tenant wants that, and may be sent by a reviewer', () => {
    const record = due();
    const { own } = applyVerdict(record, null, verdictOn({}, true), NOW);
    expect(shownChange(own)).toMatchObject({
      after: { status: 'PENDING', subStatus: 'ON_HOLD', hold: 'INCOMPLETE_PARTY' },
      events: [{ type: 'SCREENED' }, { type: 'HELD', data: { hold: 'INCOMPLETE_PARTY' } }],
      notify: true,
    });
  });

  test.each<[string, Facts, boolean, string | null]>([
    ['without the setting', {}, false, null],
    ['with both names', NAMED, true, null],
    ['with one', { personal: { originator: { name: 'Anna' } as never } }, true, 'INCOMPLETE_PARTY'],
    ['to a self-hosted wallet', { destinationType: 'NON_CUSTODIAL' }, true, null],
    ['that was sent before', { status: 'DELIVERED' }, true, null],
    [
      'that was received',
      { direction: 'INCOMING', status: 'DELIVERED', messageSource: 'NATIVE' },
      true,
      null,
    ],
  ])('%s', (_, facts, holdIncomplete, hold) => {
    expect(verdictOn(facts, holdIncomplete).hold).toBe(hold);
  });

  test('a wait of a rule does not let it pass, and a block stays a block', () => {
    expect(verdictOn({}, true, 'WAIT')).toMatchObject({ outcome: 'REVIEW', hold: 'INCOMPLETE_PARTY' });
    expect(verdictOn({}, true, 'BLOCK')).toMatchObject({ outcome: 'BLOCK', hold: null });
  });
});

describe('the policy for the counterparty of a record that the receiver made itself', () => {
  type Policy = 'ALLOW' | 'REVIEW' | 'BLOCK';
  const OWN: Facts = { direction: 'INCOMING', status: 'PENDING', messageSource: 'MANUAL' };
  const CONFIRMED: Facts = { ...OWN, status: 'CONFIRMED' };
  const VASP = '00000000-0000-4000-8000-000000000001';

  function screenedWith(facts: Facts, policy: Policy | null, entityId = VASP) {
    const screening = clearScreening(due(facts), NOW);
    const { countries, ...rest } = { countries: [], name: 'Far Away', type: 'vasp', inNetwork: true };
    const counterparty = { entityId, policy, countries, riskSeverity: 'low', ...rest };
    return { ...screening, counterparty: policy && (counterparty as never) };
  }

  function decided(facts: Facts, policy: Policy, previous: ReturnType<typeof screenedWith> | null = null) {
    const record = due(facts);
    const verdict = combineFindings(record, screenedWith(facts, policy), null, { previous });
    return applyVerdict(record, null, verdict, NOW).own?.after;
  }

  test.each<[string, Facts, Policy, object]>([
    ['lets an open one pass', OWN, 'ALLOW', { status: 'PENDING', hold: null }],
    ['holds an open one', OWN, 'REVIEW', { status: 'PENDING', hold: 'COUNTERPARTY' }],
    ['declines an open one', OWN, 'BLOCK', { status: 'DECLINED', blockedBy: 'RULE', hold: null }],
    ['holds a confirmed one', CONFIRMED, 'REVIEW', { status: 'CONFIRMED', hold: 'COUNTERPARTY' }],
    ['holds a confirmed one to block', CONFIRMED, 'BLOCK', { status: 'CONFIRMED', hold: 'COUNTERPARTY' }],
    ['is not that for a message', { ...CONFIRMED, messageSource: 'NATIVE' }, 'BLOCK', { hold: null }],
  ])('%s', (_, facts, policy, after) => {
    expect(decided(facts, policy)).toMatchObject(after);
  });

  test.each<[string, Policy | null, Policy, string | null]>([
    ['holds again only if it has become stricter', 'REVIEW', 'BLOCK', 'COUNTERPARTY'],
    ['leaves what was confirmed under it', 'REVIEW', 'REVIEW', null],
    ['counts for a VASP that was unknown', null, 'REVIEW', 'COUNTERPARTY'],
  ])('%s', (_, before, policy, hold) => {
    for (const screeningState of ['DUE', 'RECHECK'] as const) {
      const facts = { ...CONFIRMED, screeningState };
      expect(decided(facts, policy, screenedWith(facts, before))?.hold).toBe(hold);
    }
    const another = screenedWith(CONFIRMED, 'BLOCK', '00000000-0000-4000-8000-000000000002');
    expect(decided(CONFIRMED, 'REVIEW', another)?.hold).toBe('COUNTERPARTY');
  });

  test('does not hold a confirmed one whose sender has its answer', () => {
    const record = due(CONFIRMED);
    const verdict = combineFindings(record, screenedWith(CONFIRMED, 'BLOCK'), null);
    const sent = transactionRecord({ status: 'CONFIRMED' });
    expect(applyVerdict(record, sent, verdict, NOW).own?.after).toMatchObject({ hold: null });
  });
});

describe('a message that names another beneficiary VASP than its receiver', () => {
  const ofMessage = { personal: { beneficiaryVasp: { name: 'Other' }, namesOtherVasp: true } as never };
  const MESSAGE: Facts = { direction: 'INCOMING', status: 'DELIVERED', messageSource: 'NATIVE' };

  test.each([
    ['PROCEED', 'REVIEW', 'COUNTERPARTY'],
    ['WAIT', 'REVIEW', 'COUNTERPARTY'],
    ['REVIEW', 'REVIEW', 'COUNTERPARTY'],
    ['BLOCK', 'BLOCK', null],
  ] as const)('is held for a review though rules say %s, unless they block it', (decision, outcome, hold) => {
    const record = due({ ...MESSAGE, ...ofMessage });
    const verdict = combineFindings(record, clearScreening(record, NOW), ruled(decision));
    expect(verdict).toMatchObject({ outcome, hold });
    const other = due(MESSAGE);
    expect(combineFindings(other, clearScreening(other, NOW), ruled(decision)).hold).toBeNull();
  });

  test('is not answered by a record that was confirmed before, until a review has seen it', () => {
    const received = { namesOtherVasp: true, takenBackAt: null, receivedAt: NOW.toISOString() };
    const holdAfter = (reviews: object[]) => {
      const personal = { received, reviews } as never;
      const record = due({
        ...MESSAGE,
        status: 'CONFIRMED',
        screeningState: 'RECHECK',
        pairId: 'p',
        personal,
      });
      const verdict = combineFindings(record, clearScreening(record, NOW), null);
      return (applyVerdict(record, null, verdict, NOW).own?.after ?? record).hold;
    };
    const passed = { decision: 'PROCEED', at: NOW.toISOString() };
    expect(holdAfter([])).toBe('COUNTERPARTY');
    expect(holdAfter([{ ...passed, at: '2020-01-01T00:00:00.000Z' }])).toBe('COUNTERPARTY');
    expect(holdAfter([{ ...passed, isVoid: true }])).toBe('COUNTERPARTY');
    expect(holdAfter([passed])).toBeNull();
  });
});

describe('a name that was not compared to its end', () => {
  const unread = (name: string) => {
    const body = { complete: false, missingLists: [], request: { name }, totalMatches: 0, kind: 'NAME' };
    return { role: 'originator', screening: body as never, isReleased: false };
  };

  /** The hold after a screening that left this name unread, and the screening before another. */
  function holdAfter(facts: Facts, { by, shown }: { by?: RuledFinding; shown?: string } = {}) {
    const record = due({ ...facts });
    const clear = clearScreening(record, NOW);
    const withName = (name: string) => ({
      ...clear,
      sanctions: { ...clear.sanctions, subjects: [unread(name)] },
    });
    const previous = shown === undefined ? null : withName(shown);
    const verdict = combineFindings(record, withName('A'), by ?? null, { previous });
    const { status, hold } = applyVerdict(record, null, verdict, NOW).own?.after ?? record;
    return [status, hold];
  }

  const OWN: Facts = { direction: 'INCOMING', messageSource: 'MANUAL' };
  const MESSAGE: Facts = { direction: 'INCOMING', messageSource: 'NATIVE', status: 'DELIVERED' };

  test.each<[string, Facts]>([
    ['unsent', {}],
    ['sent', { status: 'DELIVERED' }],
    ['sent and confirmed by the other VASP', { status: 'CONFIRMED' }],
    ['a message', MESSAGE],
    ['a record of the receiver', OWN],
    ['a record that the receiver has confirmed', { ...OWN, status: 'CONFIRMED' }],
  ])('holds what is %s', (_, facts) => {
    expect(holdAfter(facts)[1]).toBe('UNSCREENED');
    for (const hold of ['RULE', 'COUNTERPARTY', 'INCOMPLETE_PARTY'] as const)
      expect(holdAfter({ ...facts, hold })[1]).toBe('UNSCREENED');
    expect(holdAfter({ ...facts, hold: 'SANCTIONS' })[1]).toBe('SANCTIONS');
  });

  test('does not keep rules from a block, unless the message is held already', () => {
    const by = ruled('BLOCK');
    expect(holdAfter(MESSAGE, { by })).toEqual(['DECLINED', null]);
    expect(holdAfter({}, { by })).toEqual(['CANCELLED', null]);
    expect(holdAfter({ ...MESSAGE, hold: 'COUNTERPARTY' }, { by })).toEqual(['DELIVERED', 'UNSCREENED']);
  });

  test('that a reviewer has let pass holds nothing at the next list, another does', () => {
    const facts: Facts = { ...OWN, status: 'CONFIRMED', screeningState: 'RECHECK' };
    expect(holdAfter(facts, { shown: 'A' })[1]).toBeNull();
    expect(holdAfter(facts, { shown: 'B' })[1]).toBe('UNSCREENED');
    expect(holdAfter(facts)[1]).toBe('UNSCREENED');
    expect(holdAfter({ ...facts, screeningState: 'DUE' }, { shown: 'A' })[1]).toBe('UNSCREENED');
  });
});

describe('a message that rules would confirm', () => {
  test.each<[string | null, string | null, string]>([
    ['TRP', null, 'REVIEW'],
    ['PARTNER:Meridian', null, 'REVIEW'],
    ['PARTNER:Meridian', 'entity', 'PROCEED'],
    ['EMAIL', null, 'REVIEW'],
    ['EMAIL', 'entity', 'PROCEED'],
    ['TRP', 'entity', 'PROCEED'],
    ['NATIVE', 'entity', 'PROCEED'],
  ])('by %s from %s: %s', (messageSource, counterpartyEntityId, outcome) => {
    const facts: Facts = { direction: 'INCOMING', status: 'DELIVERED', messageSource, counterpartyEntityId };
    const hold = outcome === 'REVIEW' ? 'COUNTERPARTY' : null;
    expect(verdictOn(facts, false)).toMatchObject({ outcome, hold });
  });
});
