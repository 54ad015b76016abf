import {
  announced,
  announceWithoutVerdict,
  withoutVerdict,
} from '../../../domain/transactions/announcement.ts';
import type { RecordChange } from '../../../domain/transactions/change.ts';
import { nextScreening } from '../../../domain/transactions/deciding/delay-screening.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { NOW, transactionRecord } from '../../factories/transaction-record.ts';

const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const arrived = transactionRecord({
  direction: 'INCOMING',
  status: 'DELIVERED',
  messageSource: 'NATIVE',
  ...withoutVerdict(NOW),
});

const changeTo = (after: Partial<TransactionRecord>, notify = true): RecordChange => ({
  after: { ...arrived, ...after },
  events: [],
  notify,
  wakesWorkflow: false,
});

test('an arrival without a verdict is not announced yet', () => {
  const change = announced(null, changeTo({}), NOW);
  expect(change).toMatchObject({ notify: false, after: { announceAt: at(30) } });
});

test.each<[string, Partial<TransactionRecord>]>([
  ['the verdict', { screeningState: 'CLEARED', isScreeningDelayed: false }],
  ['a hold', { screeningState: 'CLEARED', hold: 'UNSCREENED' }],
  ['a rule that lets it wait', { ruleWaitUntil: at(60) }],
  ['the withdrawal of its sender', { status: 'CANCELLED' }],
  ['its own decision', { status: 'DECLINED' }],
])('%s is its first webhook, whatever the change itself would send', (_, after) => {
  expect(announced(arrived, changeTo(after, false), at(5))).toMatchObject({
    notify: true,
    after: { announceAt: null },
  });
});

test('new data of the sender waits for the first webhook', () => {
  const change = announced(arrived, changeTo({ transactionHash: 'ab' }), at(5));
  expect(change).toMatchObject({ notify: false, after: { announceAt: at(30) } });
});

test('nothing is sent of a record that its tenant deletes unannounced', () => {
  const change = announced(arrived, changeTo({ deletedAt: at(5) }, false), at(5));
  expect(change).toMatchObject({ notify: false, after: { announceAt: null } });
});

test('it is announced without a verdict when its time is over, and once', () => {
  expect(announceWithoutVerdict(arrived, at(29)).own).toBeNull();
  const { own } = announceWithoutVerdict(arrived, at(30));
  if (!own) throw new Error('nothing was announced');
  const written = announced(arrived, own, at(30));
  expect(written).toMatchObject({ notify: true, after: { announceAt: null } });
  expect(written.events).toHaveLength(1);
  expect(announceWithoutVerdict(written.after, at(40)).own).toBeNull();
});

test('a changed clearance is told without anybody asking, of announced records', () => {
  const before = { ...arrived, announceAt: null, screeningState: 'CLEARED' } as const;
  const change = { ...changeTo({}, false), after: { ...before, status: 'CONFIRMED' as const } };
  expect(announced(before, change, NOW).notify).toBe(true);
  expect(announced(before, { ...change, after: { ...before, deletedAt: NOW } }, NOW).notify).toBe(false);
});

test('the next try of its screening is not later than its announcement', () => {
  expect(nextScreening(arrived, at(5))).toEqual(at(15));
  expect(nextScreening(arrived, at(25))).toEqual(at(30));
  expect(nextScreening({ ...arrived, announceAt: null }, at(25))).toEqual(at(37.5));
});
