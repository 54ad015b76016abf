import { COUNTERPARTY } from '../../../../domain/events/actor.ts';
import { clearanceOf } from '../../../../domain/transactions/clearance.ts';
import { NO_CHANGE } from '../../../../domain/transactions/change.ts';
import { delayScreening } from '../../../../domain/transactions/deciding/delay-screening.ts';
import {
  applyVerdict,
  type ScreeningVerdict,
} from '../../../../domain/transactions/deciding/apply-verdict.ts';
import { needsScreening } from '../../../../domain/transactions/screening-due.ts';
import { planOf } from '../../../../domain/transactions/lifecycle/next-step.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { HOLDS } from '../../../../domain/transactions/state.ts';
import { NOW, shown, shownChange, transactionRecord } from '../../../factories/transaction-record.ts';
import { MINUTE_MS } from '../../../../domain/durations.ts';

const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
const LATER = later(1);
const IN_90_DAYS = later(90 * 24 * 60);

const verdict = (overrides: Partial<ScreeningVerdict> = {}): ScreeningVerdict => ({
  screeningId: 'screening-1',
  outcome: 'PROCEED',
  hold: null,
  isReleased: false,
  waitUntil: null,
  guarded: false,
  decidedBy: { kind: 'RULE', ruleId: 'rule-1' },
  rulesVersion: 3,
  findings: { sanctions: 'CLEAR' },
  ...overrides,
});

const due = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  transactionRecord({
    screeningState: 'DUE',
    screeningDueSince: NOW,
    wakeAt: NOW,
    ...(overrides.direction === 'INCOMING' ? {} : { deadlineAt: IN_90_DAYS }),
    ...overrides,
  });
const arrived = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  due({
    direction: 'INCOMING',
    status: 'DELIVERED',
    messageSource: 'NATIVE',
    ...overrides,
  });
const sent = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  transactionRecord({
    status: 'DELIVERED',
    deadlineAt: IN_90_DAYS,
    wakeAt: IN_90_DAYS,
    ...overrides,
  });

const decide = (
  record: TransactionRecord,
  overrides: Partial<ScreeningVerdict>,
  counterpart: TransactionRecord | null = null,
) => applyVerdict(record, counterpart, verdict(overrides), LATER);

describe('what is to be sent', () => {
  test('goes on at once when nothing speaks against it, and the log says on what grounds', () => {
    const { own } = decide(due(), {});
    expect(shownChange(own)).toMatchObject({
      after: {
        status: 'PENDING',
        subStatus: 'ROUTING',
        screeningState: 'CLEARED',
        hold: null,
        wakeAt: LATER,
      },
      events: [
        {
          type: 'SCREENED',
          data: {
            screeningId: 'screening-1',
            sanctions: 'CLEAR',
            decision: 'PROCEED',
            decidedBy: 'rule-1',
            rulesVersion: 3,
          },
        },
      ],
      notify: false,
    });
    expect(planOf(own?.after ?? due(), LATER).step).toBe('ROUTE');
  });

  test.each([
    ['SCREENING', { isScreeningDelayed: true }],
    ['WAITING', { ruleWaitUntil: NOW }],
  ] as const)('leaves %s when it goes on, and the tenant is told', (subStatus, pause) => {
    const paused = due(pause);
    expect(shown(paused).subStatus).toBe(subStatus);
    expect(shownChange(decide(paused, {}).own)).toMatchObject({
      after: { subStatus: 'ROUTING', isScreeningDelayed: false, ruleWaitUntil: null },
      notify: true,
    });
  });

  test.each(HOLDS)('is held for %s until somebody reviews it, and nobody else is told', (hold) => {
    const { own, counterpart } = decide(due(), { outcome: 'REVIEW', hold });
    expect(shownChange(own)).toMatchObject({
      after: { status: 'PENDING', subStatus: 'ON_HOLD', screeningState: 'CLEARED', hold },
      events: [{ type: 'SCREENED' }, { type: 'HELD', data: { hold } }],
      notify: true,
    });
    expect(counterpart).toBeNull();
    expect(planOf(own?.after ?? due(), later(24 * 60))).toMatchObject({ step: 'WAIT', waitingFor: 'REVIEW' });
  });

  test('that a rule blocks is cancelled for good, by that rule of that version', () => {
    expect(shownChange(decide(due(), { outcome: 'BLOCK' }).own)).toMatchObject({
      after: {
        status: 'CANCELLED',
        subStatus: 'BLOCKED_BY_RULE',
        blockedBy: 'RULE',
        statusReasonCode: 'COMPLIANCE',
        wakeAt: null,
        deadlineAt: null,
      },
      events: [
        { type: 'SCREENED' },
        { type: 'STATUS_CHANGED', newStatus: 'CANCELLED', basis: { kind: 'RULE', id: 'rule-1', version: 3 } },
      ],
      notify: true,
    });
  });

  test('that a rule lets wait is decided on again when the time is over', () => {
    const { own } = decide(due(), { outcome: 'WAIT', waitUntil: later(31) });
    expect(shownChange(own)?.after).toMatchObject({
      subStatus: 'WAITING',
      ruleWaitUntil: later(31),
      screeningState: 'DUE',
      wakeAt: later(31),
    });
    expect(planOf(own?.after ?? due(), later(30))).toMatchObject({ step: 'WAIT', waitingFor: 'RULE_TIMER' });
    expect(planOf(own?.after ?? due(), later(31)).step).toBe('SCREEN');
  });

  test('is held by a sanctions match whatever the rules say', () => {
    for (const outcome of ['PROCEED', 'WAIT', 'REVIEW', 'BLOCK'] as const) {
      expect(decide(due(), { outcome, hold: 'SANCTIONS' }).own?.after.hold).toBe('SANCTIONS');
    }
  });
});

describe('what was sent already', () => {
  test('is held by a new sanctions match without a word to the other side', () => {
    const { own, counterpart } = decide(sent({ screeningState: 'DUE' }), { hold: 'SANCTIONS' }, arrived());
    expect(shownChange(own)?.after).toMatchObject({
      status: 'DELIVERED',
      subStatus: 'ON_HOLD',
      hold: 'SANCTIONS',
    });
    expect(counterpart).toBeNull();
  });

  test.each(['PROCEED', 'WAIT', 'REVIEW', 'BLOCK'] as const)(
    'goes on waiting when the rules now say %s',
    (outcome) => {
      expect(shownChange(decide(sent({ screeningState: 'DUE' }), { outcome }).own)?.after).toMatchObject({
        status: 'DELIVERED',
        subStatus: 'AWAITING_COUNTERPARTY',
        screeningState: 'CLEARED',
        hold: null,
        wakeAt: IN_90_DAYS,
      });
    },
  );
});

describe('what has arrived', () => {
  test('waits for its tenant by default, which is no hold', () => {
    const { own } = decide(arrived(), { outcome: 'REVIEW', decidedBy: { kind: 'DEFAULT', ruleId: null } });
    expect(shownChange(own)).toMatchObject({
      after: {
        status: 'DELIVERED',
        subStatus: 'ON_HOLD',
        screeningState: 'CLEARED',
        hold: null,
        wakeAt: null,
      },
      events: [{ type: 'SCREENED' }],
      notify: false,
    });
    expect(planOf(own?.after ?? arrived(), LATER).step).toBe('DONE');
  });

  test('is confirmed by a rule on both sides', () => {
    const { own, counterpart } = decide(arrived(), { outcome: 'PROCEED' }, sent());
    expect(own?.after.status).toBe('CONFIRMED');
    expect(counterpart).toMatchObject({
      after: { status: 'CONFIRMED' },
      events: [{ actor: COUNTERPARTY, basis: { kind: 'COUNTERPARTY' } }],
      notify: true,
    });
  });

  test('is declined by a rule, and the other side learns a neutral reason and no rule', () => {
    const { own, counterpart } = decide(arrived(), { outcome: 'BLOCK' }, sent());
    expect(shownChange(own)?.after).toMatchObject({
      status: 'DECLINED',
      subStatus: 'BLOCKED_BY_RULE',
      statusReasonCode: 'COMPLIANCE',
    });
    expect(shownChange(counterpart)?.after).toMatchObject({
      status: 'DECLINED',
      subStatus: null,
      blockedBy: null,
      statusReasonCode: 'COMPLIANCE',
      personal: { statusReasoning: 'The beneficiary VASP does not accept this transfer.' },
    });
    expect(JSON.stringify(counterpart)).not.toContain('rule-1');
  });

  test('is held, not declined, by a sanctions match', () => {
    const { own, counterpart } = decide(arrived(), { outcome: 'BLOCK', hold: 'SANCTIONS' }, sent());
    expect(own?.after).toMatchObject({ status: 'DELIVERED', hold: 'SANCTIONS' });
    expect(counterpart).toBeNull();
  });

  test.each(['PROCEED', 'WAIT', 'REVIEW', 'BLOCK'] as const)(
    'for somebody who may not own the destination is neither decided by %s nor held by a match',
    (outcome) => {
      const verdict = { outcome, hold: 'SANCTIONS' } as const;
      expect(decide(arrived({ sealed: true }), verdict, sent())).toEqual(NO_CHANGE);
    },
  );
});

describe('what a tenant recorded itself', () => {
  const own = () => due({ direction: 'INCOMING', messageSource: 'MANUAL' });

  test.each(['PROCEED', 'WAIT', 'REVIEW', 'BLOCK'] as const)('is not decided by %s of a rule', (outcome) => {
    expect(shownChange(decide(own(), { outcome }).own)?.after).toMatchObject({
      status: 'PENDING',
      subStatus: null,
      screeningState: 'CLEARED',
      wakeAt: null,
    });
  });

  test('is held by a sanctions match', () => {
    expect(decide(own(), { hold: 'SANCTIONS' }).own?.after).toMatchObject({
      status: 'PENDING',
      hold: 'SANCTIONS',
    });
  });
});

describe('a verdict changes nothing', () => {
  test.each([
    { status: 'DECLINED' as const },
    { status: 'CANCELLED' as const },
    { status: 'FAILED' as const },
    { screeningState: 'CLEARED' as const },
    { screeningState: 'REVIEWED' as const },
    { screeningState: null },
    { deletedAt: NOW },
  ])('where nothing is to be decided: %j', (overrides) => {
    const record = due(overrides);
    expect(needsScreening(record)).toBe(false);
    expect(decide(record, { outcome: 'BLOCK' })).toBe(NO_CHANGE);
    expect(delayScreening(record, { what: 'AML', maxWaitMinutes: 60, triedSince: NOW }, NOW)).toBe(NO_CHANGE);
  });
});

describe('screening that is not possible now', () => {
  const delay = (record: TransactionRecord, now: Date, triedSince = NOW) =>
    delayScreening(record, { what: 'AML', maxWaitMinutes: 60, triedSince }, now).own;

  test('is said once and tried again', () => {
    const first = delay(due(), NOW);
    expect(shownChange(first)).toMatchObject({
      after: { status: 'PENDING', subStatus: 'SCREENING', screeningState: 'DUE', wakeAt: later(1 / 6) },
      events: [{ type: 'SCREENING_DELAYED', data: { what: 'AML' } }],
      notify: true,
    });
    expect(delay(first?.after ?? due(), later(59))).toBeNull();
  });

  test('makes a person look after the time that the tenant has set, never pass as clean', () => {
    const waiting = due({ isScreeningDelayed: true });
    expect(shownChange(delay(waiting, later(60)))).toMatchObject({
      after: { subStatus: 'ON_HOLD', hold: 'UNSCREENED', screeningState: 'CLEARED' },
      events: [{ type: 'SCREENING_DELAYED' }, { type: 'HELD' }],
    });
    expect(delay(arrived({ isScreeningDelayed: true }), later(60))?.after.hold).toBe('UNSCREENED');
  });

  test('does not count the time in which no worker could try it', () => {
    const [started, morning] = [later(8 * 60), later(8 * 60 + 1)];
    expect(delay(due(), morning, started)?.after).toMatchObject({ hold: null, isScreeningDelayed: true });
    expect(delay(due(), later(9 * 60), started)?.after.hold).toBe('UNSCREENED');
  });

  test.each<[string, TransactionRecord]>([
    ['sent', due({ status: 'DELIVERED', messageSource: 'NATIVE' })],
    ['confirmed', arrived({ status: 'CONFIRMED' })],
    ['released by a reviewer', due({ screeningState: 'RECHECK' })],
    ['received and released by a reviewer', arrived({ screeningState: 'RECHECK' })],
  ])('holds nothing that was %s, and is tried for as long as it takes', (_, record) => {
    expect(delay(record, later(10_000))?.after).toMatchObject({ hold: null, isScreeningDelayed: true });
  });
});

describe('what is held', () => {
  test.each(HOLDS)('for %s stays held, whatever is decided of it again', (hold) => {
    for (const outcome of ['PROCEED', 'WAIT', 'REVIEW', 'BLOCK'] as const) {
      for (const record of [due({ hold }), arrived({ hold })]) {
        const { own } = decide(record, { outcome, waitUntil: later(30) }, sent());
        expect(shownChange(own)?.after).toMatchObject({
          status: record.status,
          hold,
          subStatus: 'ON_HOLD',
          screeningState: 'CLEARED',
        });
        expect(planOf(own?.after ?? record, later(60)).step).not.toBe('SCREEN');
      }
    }
  });

  test('rises to a sanctions match, and is not lowered by trouble', () => {
    const record = due({ hold: 'RULE' });
    expect(decide(record, { hold: 'SANCTIONS' }).own?.after.hold).toBe('SANCTIONS');
    expect(delayScreening(record, { what: 'AML', maxWaitMinutes: 0, triedSince: NOW }, later(60))).toBe(
      NO_CHANGE,
    );
  });
});

test('what was confirmed before it was screened is confirmed, but a match keeps the coins from moving', () => {
  const confirmed = arrived({ status: 'CONFIRMED', transactionHash: '0xabc' });
  expect(clearanceOf(confirmed)).toMatchObject({ outcome: 'WAIT', nextAction: 'NONE' });
  expect(planOf(confirmed, NOW).step).toBe('SCREEN');
  expect(decide(confirmed, {}).own?.after).toMatchObject({
    status: 'CONFIRMED',
    screeningState: 'CLEARED',
    hold: null,
    wakeAt: null,
  });
  const { own } = decide(confirmed, { hold: 'SANCTIONS' });
  expect(shownChange(own)?.after).toMatchObject({
    status: 'CONFIRMED',
    subStatus: 'ON_HOLD',
    hold: 'SANCTIONS',
  });
  expect(clearanceOf(own?.after ?? confirmed)).toMatchObject({ outcome: 'WAIT', nextAction: 'REVIEW' });
});

describe('new data of which the lists match nothing but what a reviewer has released', () => {
  const released = { isReleased: true } as const;

  test.each<[string, TransactionRecord]>([
    ['unsent', due()],
    ['sent', due({ status: 'DELIVERED', messageSource: 'NATIVE' })],
    ['the own record of a message', arrived({ status: 'CONFIRMED' })],
  ])('leaves a record released: %s', (_, record) => {
    const { own } = decide(record, released);
    expect(own?.after).toMatchObject({ hold: null, screeningState: 'REVIEWED' });
    expect(planOf(own?.after ?? record, LATER).step).not.toBe('SCREEN');
  });

  test('is decided by the rules all the same, and ends no hold', () => {
    const byRule = { ...released, outcome: 'REVIEW', hold: 'RULE' } as const;
    for (const { own } of [decide(due(), byRule), decide(due({ hold: 'RULE' }), released)])
      expect(own?.after).toMatchObject({ hold: 'RULE', screeningState: 'CLEARED' });
    expect(decide(due(), { ...released, outcome: 'BLOCK' }).own?.after.status).toBe('CANCELLED');
  });
});

test('what a reviewer let pass is only compared with the lists again', () => {
  const released = due({ screeningState: 'RECHECK' });
  expect(decide(released, { outcome: 'BLOCK' }).own?.after).toMatchObject({
    status: 'PENDING',
    screeningState: 'REVIEWED',
  });
  expect(decide(released, { hold: 'SANCTIONS' }).own?.after).toMatchObject({
    screeningState: 'CLEARED',
    hold: 'SANCTIONS',
  });
});
