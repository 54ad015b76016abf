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
