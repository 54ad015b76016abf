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
