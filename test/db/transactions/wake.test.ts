import { changeTransaction } from '../../../db/transactions/change-transaction.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { putOff } from '../../../db/transactions/put-off.ts';
import { wake, type ScreenAgain } from '../../../db/transactions/wake.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { STATUSES, mayMove, type Status } from '../../../domain/transactions/state.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

const BEFORE = new Date('2029-12-31T00:00:00.000Z');
const NOW = new Date('2030-01-01T00:00:00.000Z');

async function recordIn(fields: Record<string, unknown>): Promise<TransactionRecord> {
  const { id } = await createTransaction(tenant);
  const names = Object.keys(fields);
  await database.pool.query(
    `update transactions set ${names.map((name, index) => `${name} = $${index + 2}`).join(', ')} where id = $1`,
    [id, ...Object.values(fields)],
  );
  return await getTransaction(api.db, tenant.id, id);
}

const reread = async ({ id }: TransactionRecord) => await getTransaction(api.db, tenant.id, id);

describe('what is woken', () => {
  test.each<[ScreenAgain, string | null, string | null, Date | null]>([
    ['UNLESS_REVIEWED', 'CLEARED', 'DUE', NOW],
    ['UNLESS_REVIEWED', 'DUE', 'DUE', NOW],
    ['UNLESS_REVIEWED', 'REVIEWED', 'REVIEWED', BEFORE],
    ['UNLESS_REVIEWED', 'RECHECK', 'RECHECK', BEFORE],
    ['UNLESS_REVIEWED', null, null, BEFORE],
    ['AGAINST_LISTS', 'CLEARED', 'DUE', NOW],
    ['AGAINST_LISTS', 'DUE', 'DUE', NOW],
    ['AGAINST_LISTS', 'REVIEWED', 'RECHECK', NOW],
    ['AGAINST_LISTS', 'RECHECK', 'RECHECK', NOW],
    ['AGAINST_LISTS', null, null, BEFORE],
  ])('%s: %s becomes %s and counts from the right moment', async (screenAgain, from, to, since) => {
    const record = await recordIn({ screening_state: from, screening_due_since: BEFORE, wake_at: null });
    const outbox = await wake(
      database.pool,
      { where: 't.id = $2', values: [record.id] },
      { screenAgain, now: NOW },
    );
    expect(outbox).toMatchObject([{ subjectId: record.id, workflow: 'transactionLifecycle' }]);
    expect(await reread(record)).toEqual({
      ...record,
      screeningState: to,
      screeningDueSince: since,
      wakeAt: NOW,
    });
  });
});

describe('what is put off', () => {
  test('sleeps until its time, without a new version', async () => {
    const record = await recordIn({ screening_state: 'CLEARED', screening_due_since: BEFORE });
    await putOff(database.pool, record, { wakeAt: NOW, screenAgain: false });
    expect(await reread(record)).toEqual({ ...record, wakeAt: NOW });
  });

  test.each([
    ['CLEARED', 'DUE', NOW],
    ['REVIEWED', 'REVIEWED', BEFORE],
  ])('to be screened again: %s becomes %s', async (from, to, since) => {
    const record = await recordIn({ screening_state: from, screening_due_since: BEFORE });
    const after = await putOff(database.pool, record, { wakeAt: NOW, screenAgain: true });
    expect(after).toEqual({ ...record, screeningState: to, screeningDueSince: since, wakeAt: NOW });
    expect(await reread(record)).toEqual(after);
  });
});

describe('the door', () => {
  const moves = STATUSES.flatMap((from) => STATUSES.map((to) => [from, to] as const));
  const forbidden = moves.filter(([from, to]) => from !== to && !mayMove('OUTGOING', from, to));

  test.each(forbidden)('refuses the move from %s to %s and writes nothing', async (from, to) => {
    const record = await recordIn({ status: from });
    const move = changeTransaction(api.db, {
      tenantId: tenant.id,
      id: record.id,
      now: NOW,
      decide: (own) => ({ own: movedTo(own, to), counterpart: null, forwarded: null }),
    });
    await expect(move).rejects.toThrow(`must not move from ${from} to ${to}`);
    expect(await reread(record)).toEqual(record);
    const { rows } = await database.pool.query('select 1 from events where subject_id = $1', [record.id]);
    expect(rows).toHaveLength(1);
  });
});

function movedTo(own: TransactionRecord, status: Status) {
  const event = { type: 'STATUS_CHANGED', message: 'Moved.', actor: { kind: 'SYSTEM' as const } };
  return { after: { ...own, status }, events: [event], notify: true, wakesWorkflow: true };
}
