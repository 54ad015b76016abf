import { walletImportActivities } from '../../activities/wallet-imports/import-wallets.ts';
import { verifyEvents } from '../../db/events/verify-events.ts';
import { ensureTestVasps } from '../../db/tenants/ensure-test-vasps.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { form, FORM_TYPE } from '../factories/csv.ts';
import { claimBody, createClaim } from '../factories/claim.ts';
import { configurations, draft, rule } from '../factories/rules.ts';
import { activateList, listEntry } from '../factories/sanctions.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../factories/tenant.ts';
import {
  createTransaction,
  deliverUnscreened,
  evmAddress,
  letPass,
  registerWallet,
} from '../factories/transaction.ts';
import { createVerification, evmWallet, signedFor, submit } from '../factories/verification.ts';
import { useApi } from '../use-api.ts';
import { openCutWorker, untilDone, type CutWorker } from './cut-worker.ts';
import { endOf, expectSameEnds, type RecordsEnd, type Story } from './stories.ts';

// The worker loses its database connection at each statement of a record's life. Each time the record must end in the same
// state, with the same events and the same webhooks.

const LISTED_NAME = 'Barnabas Ravenscroft';
const PARTIES = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };

const { api, database } = useApi({
  prices: { ETH: { usd: '4000', eur: '3600', source: 'test', pricedAt: new Date() } },
  config: { RATE_LIMIT_WRITES: 0 },
  deps: {
    startImport: async (subject) =>
      await untilDone(async () => await walletImportActivities(worker.deps).importWallets(subject)),
  },
});
let worker: CutWorker;

beforeAll(async () => {
  await activateList(database.pool, 'OFAC_SDN', [listEntry('1', LISTED_NAME)]);
  await ensureTestVasps(api.db, new Date());
  worker = await openCutWorker(api, database);
});
afterAll(async () => await worker.close());

async function parties(): Promise<{ alpine: TestTenant; harbour: TestTenant }> {
  const [alpine, harbour] = [
    await createTenant(api, { webhookUrl: WEBHOOK_URL }),
    await createTenant(api, { webhookUrl: WEBHOOK_URL }),
  ];
  return { alpine, harbour };
}

/** What is done in turn, and after each of it the worker's steps. */
function story(tenants: readonly TestTenant[], ...deeds: (() => Promise<unknown>)[]): Story {
  return async () => {
    const told = new Set<string>();
    for (const deed of [nothing, ...deeds]) {
      await deed();
      for (const id of await worker.playOut(tenants)) told.add(id);
    }
    return await endOf(database, tenants, told);
  };
}

const nothing = async () => await Promise.resolve();
const later = (ms: number) => async () => void (await Promise.resolve((worker.clock.offsetMs = ms)));

async function only(tenant: TestTenant): Promise<Transaction> {
  const [found] = (await tenant.get<Transaction[]>('/transactions')).body;
  if (!found) throw new Error('the tenant has no transaction');
  return found;
}

async function confirm(tenant: TestTenant): Promise<void> {
  const { id } = await only(tenant);
  expect((await tenant.patch(`/transactions/${id}`, { status: 'CONFIRMED' })).status).toBe(200);
}

const to = (destination: string) => ({ ...PARTIES, blockchainInfo: { destination, blockchain: 'Ethereum' } });

/** The statuses in which the records end, and the webhooks that were not told of. */
const statuses = (end: unknown) => {
  const { records, forgotten } = end as RecordsEnd;
  return [records.map((record) => (record as { status: string }).status), forgotten];
};

async function publish(tenant: TestTenant, decision: string, rest = {}): Promise<void> {
  const { id } = (await configurations(tenant)).OUTGOING;
  const always = { field: 'asset', operator: 'EQ', value: 'ETH' };
  const rules = [rule({ decision, conditions: always, ...rest })];
  expect((await draft(tenant, id, rules, { defaultDecision: 'PROCEED' })).status).toBe(200);
  expect((await tenant.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
}

const STORIES: Record<string, { tell: () => Promise<Story>; ends: string[] }> = {
  'a message is screened, delivered and confirmed': {
    async tell() {
      const { alpine, harbour } = await parties();
      const destination = evmAddress();
      await registerWallet(harbour, destination);
      await createTransaction(alpine, to(destination));
      return story([alpine, harbour], async () => await confirm(harbour));
    },
    ends: ['CONFIRMED', 'CONFIRMED'],
  },
  'a message waits for its receiver, which registers the wallet': {
    async tell() {
      const { alpine, harbour } = await parties();
      const destination = evmAddress();
      await createTransaction(alpine, to(destination));
      return story([alpine, harbour], async () => await registerWallet(harbour, destination));
    },
    ends: ['DELIVERED', 'DELIVERED'],
  },
  'a message to a VASP of this name is opened by a file of wallets': {
    async tell() {
      const { alpine, harbour } = await parties();
      const destination = evmAddress();
      const vaspInfo = { beneficiaryVaspName: harbour.name };
      await createTransaction(alpine, { ...to(destination), vaspInfo });
      const file = `address,asset,blockchain\n${destination},*,Ethereum\n`;
      const send = async () => {
        const body = form([['file', file, 'a.csv']]);
        expect((await harbour.post('/wallets/upload-csv', body, { headers: FORM_TYPE })).status).toBe(201);
      };
      return story([alpine, harbour], send);
    },
    ends: ['DELIVERED', 'DELIVERED'],
  },
  'a message with a listed name is held, reviewed and delivered': {
    async tell() {
      const { alpine, harbour } = await parties();
      const destination = evmAddress();
      await registerWallet(harbour, destination);
      const sent = await createTransaction(alpine, {
        ...to(destination),
        beneficiary: { name: LISTED_NAME },
      });
      const review = { decision: 'PROCEED', reason: 'a namesake' };
      return story([alpine, harbour], async () => {
        expect((await alpine.post(`/transactions/${sent.id}/review`, review)).status).toBe(200);
      });
    },
    ends: ['DELIVERED', 'DELIVERED'],
  },
  'a message waits as a rule says': {
    async tell() {
      const { alpine, harbour } = await parties();
      await publish(alpine, 'WAIT', { waitMinutes: 30 });
      const destination = evmAddress();
      await registerWallet(harbour, destination);
      await createTransaction(alpine, to(destination));
      return story([alpine, harbour], later(31 * MINUTE_MS));
    },
    ends: ['DELIVERED', 'DELIVERED'],
  },
  'a message is not answered until it expires': {
    async tell() {
      const { alpine, harbour } = await parties();
      const destination = evmAddress();
      await registerWallet(harbour, destination);
      await createTransaction(alpine, to(destination));
      return story([alpine, harbour], later(91 * DAY_MS));
    },
    ends: ['DELIVERED', 'DELIVERED'],
  },
  'a message finds no receiver until it expires': {
    async tell() {
      const { alpine } = await parties();
      await createTransaction(alpine, to(evmAddress()));
      return story([alpine], later(91 * DAY_MS));
    },
    ends: ['FAILED'],
  },
  'a message arrives without a verdict, which comes late': {
    async tell() {
      const { alpine, harbour } = await parties();
      const destination = evmAddress();
      await registerWallet(harbour, destination);
      const { id } = await createTransaction(alpine, to(destination));
      await letPass(api.db, id);
      await deliverUnscreened(api.db, {
        tenantId: alpine.id,
        id,
        receiverTenantId: harbour.id,
        now: new Date(),
      });
      worker.clock.offsetMs = MINUTE_MS;
      return story([alpine, harbour]);
    },
    ends: ['DELIVERED', 'DELIVERED'],
  },
  'a message is confirmed by a test VASP': {
    async tell() {
      const { alpine } = await parties();
      await createTransaction(alpine, {
        ...PARTIES,
        vaspInfo: { beneficiaryVaspName: 'Confirming Test VASP' },
      });
      return story([alpine]);
    },
    ends: ['CONFIRMED'],
  },
  'a payout to a self-hosted wallet waits for its proof': {
    async tell() {
      const { alpine } = await parties();
      const wallet = evmWallet();
      const blockchainInfo = { destination: wallet.address, destinationType: 'NON_CUSTODIAL' };
      await createTransaction(alpine, { amount: '0.5', blockchainInfo });
      return story([alpine], async () => {
        const made = await createVerification(alpine, { address: wallet.address });
        expect((await submit(alpine, made.id, await signedFor(wallet, made))).status).toBe(200);
      });
    },
    ends: ['CONFIRMED', 'VERIFIED'],
  },
  'a claim is answered by the transaction of the asked tenant': {
    async tell() {
      const { alpine, harbour } = await parties();
      const { blockchainInfo } = claimBody();
      await createTransaction(alpine, { ...PARTIES, blockchainInfo });
      const vaspInfo = { originatorVaspName: alpine.name };
      await createClaim(harbour, { blockchainInfo, vaspInfo, beneficiary: PARTIES.beneficiary });
      return story([alpine, harbour]);
    },
    ends: ['DELIVERED', 'DELIVERED', 'ANSWERED', 'ANSWERED'],
  },
  'a claim is answered by a test VASP': {
    async tell() {
      const { harbour } = await parties();
      await createClaim(harbour, { vaspInfo: { originatorVaspName: 'Confirming Test VASP' } });
      return story([harbour]);
    },
    ends: ['DELIVERED', 'ANSWERED'],
  },
  'a claim is not answered until it expires, and one reaches nobody': {
    async tell() {
      const { alpine, harbour } = await parties();
      await createClaim(harbour, { vaspInfo: { originatorVaspName: alpine.name } });
      await createClaim(alpine, { vaspInfo: { originatorVaspName: 'Nobody At All Ltd' } });
      return story([alpine, harbour], later(2 * DAY_MS), later(10 * DAY_MS));
    },
    ends: ['PENDING', 'PENDING', 'EXPIRED', 'FAILED', 'EXPIRED'],
  },
  'a verification reminds of its end, and expires': {
    async tell() {
      const { alpine } = await parties();
      await createVerification(alpine, { expiresInHours: 4 });
      return story([alpine], later(3.1 * HOUR_MS), later(4.1 * HOUR_MS));
    },
    ends: ['FAILED'],
  },
};

test.each(Object.entries(STORIES))('%s', async (_name, { tell, ends }) => {
  const end = await expectSameEnds(worker, tell);
  expect(statuses(end)).toEqual([ends, []]);
});

test('every chain of events is whole, and the pool has all its connections', async () => {
  expect(await verifyEvents({ pool: database.pool, vault: api.db.vault })).toMatchObject({ faults: [] });
  const { pool } = worker.db;
  const reads = Array.from({ length: 3 * pool.options.max }, async () => await pool.query('select 1'));
  expect(await Promise.all(reads)).toHaveLength(3 * pool.options.max);
  expect([pool.waitingCount, pool.idleCount]).toEqual([0, pool.totalCount]);
});
