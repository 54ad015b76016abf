import { releaseDeps } from '../../factories/release-deps.ts';
import { nativeNetwork } from '../../../activities/network/native.ts';
import { findTransaction } from '../../../db/transactions/find-transaction.ts';
import type { ScreeningDeps } from '../../../transaction-screening/gather-findings.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  evmAddress,
  letPass,
  ofDelivery,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

const LISTED_NAME = 'Barnabas Ravenscroft';

const { api } = useApi();
let sender: TestTenant;
let receiver: TestTenant;
const reported: [string, unknown][] = [];

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', LISTED_NAME)]);
  await untilListsLoaded(api, (await createTenant(api)).id);
});
beforeEach(async () => {
  [sender, receiver] = [await createTenant(api), await createTenant(api)];
  reported.length = 0;
});

const screening = (overrides: Partial<ScreeningDeps> = {}) => releaseDeps(api, overrides);

async function deliver(deps: ScreeningDeps) {
  const destination = evmAddress();
  await registerWallet(receiver, destination);
  const { id } = await createTransaction(sender, {
    originator: { name: LISTED_NAME },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: { destination, blockchain: 'Ethereum' },
  });
  await letPass(api.db, id);
  const record = await findTransaction(api.db, sender.id, id);
  if (!record) throw new Error('it was not stored');
  const network = nativeNetwork({
    ...deps,
    report: (step, error) => void reported.push([step, error]),
  });
  const counterparty = { network: 'NATIVE', tenantId: receiver.id } as const;
  const send = async () => ofDelivery(await network.deliver({ record, counterparty, now: new Date() }));
  return { send };
}

const matchesKept = async () => (await receiver.get<unknown[]>('/sanctions/history')).body.length;

test('what the lists matched is kept for the receiver once the message has arrived, and once only', async () => {
  const { send } = await deliver(screening());
  const delivered = await send();
  const arrived = await readTransaction(receiver, delivered?.incoming?.id ?? '');
  expect(arrived.clearance.reasons).toContain('SANCTIONS');
  expect(await matchesKept()).toBe(1);
  expect(await send()).toBeNull();
  expect(await matchesKept()).toBe(1);
});

test('a verdict that fails is reported, and the message arrives to be screened', async () => {
  const failure = new Error('the index broke');
  const sanctions = {
    ...api.deps.subjects,
    prepare: async () => await Promise.reject<never>(failure),
  };
  const { send } = await deliver(screening({ sanctions }));
  const delivered = await send();
  const arrived = await readTransaction(receiver, delivered?.incoming?.id ?? '');
  expect(arrived).toMatchObject({ status: 'DELIVERED', subStatus: 'SCREENING' });
  expect(reported).toEqual([['judgeInTime', failure]]);
  expect(await matchesKept()).toBe(0);
});

test.each([
  new Error('Connection terminated unexpectedly'),
  new Error('Client has encountered a connection error and is not queryable'),
  Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' }),
])('a verdict that has lost its database connection is made again: %s', async (lost) => {
  let tries = 0;
  const { prepare } = api.deps.subjects;
  const sanctions: ScreeningDeps['sanctions'] = {
    ...api.deps.subjects,
    prepare: async (request) => {
      tries += 1;
      if (tries === 1) throw lost;
      return await prepare(request);
    },
  };
  const { send } = await deliver(screening({ sanctions }));
  const delivered = await send();
  const arrived = await readTransaction(receiver, delivered?.incoming?.id ?? '');
  expect(arrived.clearance.reasons).toContain('SANCTIONS');
  expect(reported).toEqual([]);
});

test('a verdict that does not come is not waited for', async () => {
  const sanctions = { ...api.deps.subjects, prepare: async () => await new Promise<never>(() => undefined) };
  const { send } = await deliver(screening({ sanctions }));
  const delivered = await send();
  expect(delivered?.record.status).toBe('DELIVERED');
  expect(delivered?.incoming?.screeningState).toBe('DUE');
});
