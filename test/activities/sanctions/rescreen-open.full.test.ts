import { setTimeout } from 'node:timers/promises';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { RescreenedPage } from '../../../activities/sanctions/rescreen-open.ts';
import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import type { ListEntry } from '../../../domain/sanctions/list-entry.ts';
import { judgeTransaction } from '../../../transaction-screening/judge-transaction.ts';
import { rescreenSteps } from '../../factories/rescreen-steps.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

const { api } = useApi({ pollMs: 50 });
const NAME = 'Barnabas Ravenscroft';
const old = listEntry('1', NAME);
/** Alike enough for a review, but no match. */
const faint = listEntry('2', 'Barnaby Ravencraft');

let code: string;
let lists = 0;
let tenant: TestTenant;

beforeEach(async () => {
  // What the tests before have left open is not counted.
  await api.db.pool.query('update transactions set deleted_at = now() where deleted_at is null');
  code = `LIST_${(lists += 1)}`;
  tenant = await createTenant(api);
});

/** Screens the transaction as its workflow does; the hold afterwards. */
async function screened({ id }: { id: string }): Promise<string | null> {
  for (;;) {
    const open = await findOpenTransaction(api.db, tenant.id, id);
    if (!open) throw new Error('no such transaction');
    const judged = await judgeTransaction(releaseDeps(api), open, undefined);
    if (judged.kind === 'LISTS_LOADING') {
      await setTimeout(20);
      continue;
    }
    if (judged.kind !== 'JUDGED') throw new Error(judged.kind);
    const settled = await settleScreening(api.db, judged.settlement);
    if (settled !== 'STALE') return settled.record.hold;
  }
}

/** Compares what is open with a version; how many are to be screened again. */
async function compared(version: number): Promise<number> {
  const steps = rescreenSteps(api);
  const page = (await new MockActivityEnvironment().run(
    async () => await steps.rescreenOpen({ code, version, afterId: null }),
  )) as RescreenedPage;
  expect(page.nextId).toBeNull();
  return page.found;
}

const rescreened = async (entries: ListEntry[]) =>
  await compared(await activateList(api.db.pool, code, entries));

const send = async (name = NAME) => await createTransaction(tenant, { beneficiary: { name } });
async function released(): Promise<{ id: string }> {
  const sent = await send();
  expect(await screened(sent)).toBe('SANCTIONS');
  await release(sent);
  return sent;
}
const release = async ({ id }: { id: string }) =>
  expect(
    (await tenant.post(`/transactions/${id}/review`, { decision: 'PROCEED', reason: 'a namesake' })).status,
  ).toBe(200);
const stateOf = async ({ id }: { id: string }) =>
  (await findOpenTransaction(api.db, tenant.id, id))?.record.screeningState;

/** The lists of the tests before are empty: each test has its own. */
afterEach(async () => void (await activateList(api.db.pool, code, [])));

test('what a reviewer has released stays released until an entry is added that matches', async () => {
  await activateList(api.db.pool, code, [old]);
  const sent = await released();
  const changed = {
    ...old,
    birthDates: ['1970'],
    remarks: 'More is known.',
    names: [{ text: 'RAVENSCROFT, Barnabas', kind: 'primary' as const }],
  };
  expect(await rescreened([changed, faint])).toBe(0);
  expect(await stateOf(sent)).toBe('REVIEWED');
  expect(await rescreened([changed, faint, listEntry('3', NAME)])).toBe(1);
  expect(await stateOf(sent)).toBe('RECHECK');
  expect(await screened(sent)).toBe('SANCTIONS');
  await release(sent);
  // The alias is an addition, but what matches is the name that was released.
  const renamed = { ...changed, names: [...changed.names, { text: 'Barney Raven', kind: 'aka' as const }] };
  expect(await rescreened([renamed, faint, listEntry('3', NAME)])).toBe(1);
  expect(await screened(sent)).toBeNull();
  expect(await stateOf(sent)).toBe('REVIEWED');
});

test('an entry that was withdrawn and is back stays released, whatever was released meanwhile', async () => {
  await activateList(api.db.pool, code, [old]);
  const sent = await released();
  const patch = async (name: string) => {
    const answer = await tenant.patch(`/transactions/${sent.id}`, { originator: { name } });
    expect(answer.status).toBe(200);
    return await screened(sent);
  };
  const namesake = listEntry('3', NAME);
  expect(await rescreened([namesake])).toBe(1);
  expect(await screened(sent)).toBe('SANCTIONS');
  await release(sent);
  expect(await patch('Anna Keller')).toBeNull();
  expect(await rescreened([namesake, old])).toBe(1);
  expect(await stateOf(sent)).toBe('RECHECK');
  expect(await screened(sent)).toBeNull();
  expect(await patch(NAME)).toBe('SANCTIONS');
});

test('an alias that a list no longer calls weak is an addition, one that it calls weak from now on is none', async () => {
  const known = (kind: 'weak' | 'aka'): ListEntry => ({
    ...listEntry('4', 'Grigori Rasputin'),
    names: [
      { text: 'Grigori Rasputin', kind: 'primary' },
      { text: NAME, kind },
    ],
  });
  await activateList(api.db.pool, code, [known('weak')]);
  const sent = await send();
  expect(await screened(sent)).toBeNull();
  expect(await rescreened([known('aka')])).toBe(1);
  expect(await screened(sent)).toBe('SANCTIONS');
  await release(sent);
  expect(await rescreened([known('weak')])).toBe(0);
});

test('a new name, identifier or wallet of an old entry is an addition', async () => {
  await activateList(api.db.pool, code, [faint]);
  const sent = await createTransaction(tenant, {
    beneficiary: { name: NAME, type: 'NATURAL', nationalIdentificator: 'XY 1234567' },
    blockchainInfo: {
      blockchain: 'Tron',
      destination: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      destinationType: 'CUSTODIAL',
    },
  });
  expect(await screened(sent)).toBeNull();
  // With a name that is half alike the number makes them one.
  const numbered = { ...faint, identifiers: [{ kind: 'passport' as const, value: 'XY-1234567' }] };
  expect(await rescreened([numbered])).toBe(1);
  const address = '41a614f803b6fd780986a42c78ec9c7f77e6ded13c';
  const holder = { ...listEntry('5', 'Somebody Else'), wallets: [{ asset: 'TRX', address }] };
  expect(await rescreened([numbered, listEntry('5', 'Somebody Else')])).toBe(0);
  expect(await rescreened([numbered, holder])).toBe(1);
  expect(await rescreened([numbered, { ...holder, programs: ['OTHER'] }])).toBe(0);
  expect(await rescreened([numbered, { ...holder, names: old.names }])).toBe(1);
  expect(await screened(sent)).toBe('SANCTIONS');
});

test('added entries are compared at the threshold of each tenant', async () => {
  const strict = tenant;
  const thresholds = { matchThreshold: 0.75 };
  expect((await strict.patch('/tenant/me/settings', { screening: thresholds })).status).toBe(200);
  await send();
  tenant = await createTenant(api);
  const usual = await send();
  expect(await rescreened([faint])).toBe(1);
  expect(await stateOf(usual)).toBe('DUE');
});

test('an addition that the next version has changed before it was compared is compared', async () => {
  await send();
  const version = await activateList(api.db.pool, code, [old]);
  await activateList(api.db.pool, code, [{ ...old, programs: ['OTHER'] }]);
  expect([await compared(version), await compared(version + 1)]).toEqual([1, 0]);
});
