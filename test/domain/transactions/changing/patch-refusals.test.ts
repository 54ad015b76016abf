import type { Actor } from '../../../../domain/events/actor.ts';
import { patchTransaction } from '../../../../domain/transactions/changing/patch-transaction.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { PatchTransactionBody } from '../../../../domain/transactions/schema.ts';
import type { Status } from '../../../../domain/transactions/state.ts';
import { DAY_MS } from '../../../../domain/durations.ts';
import { NOW, transactionRecord } from '../../../factories/transaction-record.ts';
import { refusalOf } from '../refusal-of.ts';

type Body = Record<string, unknown>;

const LATER = new Date(NOW.getTime() + DAY_MS);
const actor: Actor = { kind: 'API_KEY', id: 'key-1' };

const received = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  transactionRecord({ direction: 'INCOMING', status: 'DELIVERED', messageSource: 'NATIVE', ...overrides });

/** The record after the patch; fails where nothing changed. */
function patched(own: TransactionRecord, body: Body): TransactionRecord {
  const change = patchTransaction(own, null, PatchTransactionBody.parse(body), { actor, now: LATER }).own;
  if (!change) throw new Error('nothing changed');
  return change.after;
}

describe('the refusal of a status', () => {
  const confirmable = { status: 'CONFIRMED' };
  const refusalIn = (own: TransactionRecord, body: Body, fourEyes = false) =>
    refusalOf(() =>
      patchTransaction(own, null, PatchTransactionBody.parse(body), { actor, now: LATER, fourEyes }),
    );
  const due = { screeningState: 'DUE' } as const;

  test.each<[string, TransactionRecord, Body, boolean, string]>([
    [
      'a closed move',
      received({ hold: 'SANCTIONS', ...due }),
      { status: 'CANCELLED' },
      true,
      'invalid_transition',
    ],
    [
      'a sealed record',
      received({ sealed: true, hold: 'SANCTIONS', ...due }),
      confirmable,
      true,
      'invalid_transition',
    ],
    ['a sanctions match', received({ hold: 'SANCTIONS', ...due }), confirmable, false, 'review_required'],
    ['four eyes', received({ hold: 'RULE', ...due }), confirmable, true, 'review_required'],
    ['a due screening', received({ hold: 'RULE', ...due }), confirmable, false, 'screening_pending'],
    [
      'a due comparison with the lists',
      received({ screeningState: 'RECHECK' }),
      confirmable,
      false,
      'screening_pending',
    ],
    [
      'a delayed screening',
      received({ isScreeningDelayed: true, ...due }),
      confirmable,
      true,
      'screening_pending',
    ],
    [
      'a wait that a rule ordered',
      received({ ruleWaitUntil: LATER, ...due }),
      confirmable,
      false,
      'screening_pending',
    ],
  ])('names the first cause that applies: %s', (_, own, body, fourEyes, code) => {
    expect(refusalIn(own, body, fourEyes).code).toBe(code);
  });

  test.each<[string, TransactionRecord, boolean, Status[]]>([
    ['a screened message', received(), true, ['CONFIRMED', 'DECLINED']],
    ['a message with a due screening', received(due), false, ['DECLINED']],
    ['a held message', received({ hold: 'RULE' }), false, ['CONFIRMED', 'DECLINED']],
    ['a held message with four eyes', received({ hold: 'RULE' }), true, ['DECLINED']],
    ['a sealed message', received({ sealed: true }), false, ['DECLINED']],
    ['a sanctions match', received({ hold: 'SANCTIONS' }), false, []],
  ])('lists in `allowed` only what would be accepted: %s', (_, own, fourEyes, allowed) => {
    const refusal = refusalIn(own, { status: 'CANCELLED' }, fourEyes);
    expect(refusal).toMatchObject({ code: 'invalid_transition', details: { members: { allowed } } });
    for (const status of ['CONFIRMED', 'DECLINED'] as const) {
      const attempt = () =>
        patchTransaction(own, null, { status }, { actor, now: LATER, fourEyes }).own?.after.status;
      if (allowed.includes(status)) expect(attempt()).toBe(status);
      else expect(refusalOf(attempt)).toBeDefined();
    }
  });

  test('has Retry-After for a due screening; DECLINED is accepted', () => {
    expect(refusalIn(received(due), confirmable).details.retryAfterSeconds).toBe(5);
    expect(patched(received(due), { status: 'DECLINED' })).toMatchObject({
      status: 'DECLINED',
      wakeAt: null,
    });
  });

  test('lets a tenant confirm its own record before the screening, unless the record is held', () => {
    const own = transactionRecord({ direction: 'INCOMING', ...due });
    expect(patched(own, confirmable)).toMatchObject({
      status: 'CONFIRMED',
      screeningState: 'DUE',
      wakeAt: LATER,
    });
    expect(refusalIn({ ...own, hold: 'RULE' }, confirmable).code).toBe('screening_pending');
  });
});
