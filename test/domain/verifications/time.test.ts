import { DomainError } from '../../../domain/errors.ts';
import { expire, fireTimer, planOf, remind } from '../../../domain/verifications/time.ts';
import { VERIFICATION_STATUSES } from '../../../domain/verifications/state.ts';
import { NOW, verificationOf } from '../../factories/verification-record.ts';

const record = verificationOf({ expiresInHours: 4 });
const after = (hours: number, ms = 0) => new Date(NOW.getTime() + hours * 3_600_000 + ms);
const actor = { kind: 'SYSTEM' } as const;

test.each([
  [after(0), 'WAIT'],
  [after(3, -1), 'WAIT'],
  [after(3), 'REMIND'],
  [after(4, -1), 'REMIND'],
  [after(4), 'EXPIRE'],
  [after(400), 'EXPIRE'],
])('at %j the next step is %s', (now, step) => {
  expect(planOf(record, now).step).toBe(step);
});

test('waits for the reminder first, then for the end', () => {
  expect(planOf(record, NOW)).toMatchObject({ untilMs: after(3).getTime(), deadlineMs: after(4).getTime() });
  const reminded = remind(record, after(3))?.after;
  expect(reminded).toMatchObject({ reminded: true, wakeAt: after(4), updatedAt: record.updatedAt });
  expect(planOf({ ...record, reminded: true }, after(3))).toMatchObject({ untilMs: after(4).getTime() });
});

test('a reminder is an entry in the log, told by no webhook, made once', () => {
  expect(remind(record, after(3))).toMatchObject({ notify: false, events: [{ type: 'EXPIRES_SOON' }] });
  expect(remind({ ...record, reminded: true }, after(3))).toBeNull();
});

test.each(VERIFICATION_STATUSES.filter((status) => status !== 'PENDING'))('%s never expires', (status) => {
  expect(expire({ ...record, status }, after(400))).toBeNull();
});

test('expiry says why, forgets the text that was to be signed, and tells', () => {
  const signIn = { text: 'x', issuedAt: '', expiresAt: '' };
  const pending = { ...record, personal: { ...record.personal, signIn } };
  expect(expire(pending, after(4, -1))).toBeNull();
  expect(expire(pending, after(4))).toMatchObject({
    notify: true,
    after: {
      status: 'FAILED',
      failureCode: 'EXPIRED',
      wakeAt: null,
      personal: { statusReasoning: 'Expired', signIn: null },
    },
    events: [{ type: 'EXPIRED', previousStatus: 'PENDING', newStatus: 'FAILED', basis: { kind: 'EXPIRY' } }],
  });
});

test('a timer can be fired while one runs', () => {
  const now = after(1);
  const fired = fireTimer(record, { actor, now })?.after;
  expect(fired).toMatchObject({ expiresAt: now, wakeAt: now });
  expect(fired && fireTimer(fired, { actor, now })).toBeNull();
  expect(() => fireTimer({ ...record, status: 'VERIFIED' }, { actor, now })).toThrow(DomainError);
});
