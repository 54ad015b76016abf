import { walletImportActivities } from '../../activities/wallet-imports/import-wallets.ts';
import { verifyEvents } from '../../db/events/verify-events.ts';
import { ensureTestVasps } from '../../db/tenants/ensure-test-vasps.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { form, FORM_TYPE } from '../factories/csv.ts';
import type { TestApi } from '../api-client.ts';
import type { TestDatabase } from '../database.ts';
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

interface Ground {
  api: TestApi;
  database: TestDatabase;
  worker: CutWorker;
}

function useGround(): Ground {
  const ground = { worker: {} } as Ground;
  const { api, database } = useApi({
    prices: { ETH: { usd: '4000', eur: '3600', source: 'test', pricedAt: new Date() } },
    config: { RATE_LIMIT_WRITES: 0 },
    deps: {
      startImport: async (subject) =>
        await untilDone(async () => await walletImportActivities(ground.worker.deps).importWallets(subject)),
    },
  });
  beforeAll(async () => {
    await activateList(database.pool, 'OFAC_SDN', [listEntry('1', LISTED_NAME)]);
    await ensureTestVasps(api.db, new Date());
    ground.worker = await openCutWorker(api, database);
  });
  afterAll(async () => await ground.worker.close());
  return Object.assign(ground, { api, database });
}

async function parties({ api }: Ground): Promise<{ alpine: TestTenant; harbour: TestTenant }> {
  const [alpine, harbour] = [
    await createTenant(api, { webhookUrl: WEBHOOK_URL }),
    await createTenant(api, { webhookUrl: WEBHOOK_URL }),
  ];
  return { alpine, harbour };
}

/** What is done in turn, and after each of it the worker's steps. */
function story(
  { database, worker }: Ground,
  tenants: readonly TestTenant[],
  ...deeds: (() => Promise<unknown>)[]
): Story {
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
const later =
  ({ worker }: Ground, ms: number) =>
  async () =>
    void (await Promise.resolve((worker.clock.offsetMs = ms)));

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

const STORIES: Record<string, { tell: (ground: Ground) => Promise<Story>; ends: string[] }> = {
  'a message is screened, delivered and confirmed': {
    async tell(ground) {
      const { alpine, harbour } = await parties(ground);
      const destination = evmAddress();
      await registerWallet(harbour, destination);
      await createTransaction(alpine, to(destination));
      return story(ground, [alpine, harbour], async () => await confirm(harbour));
    },
    ends: ['CONFIRMED', 'CONFIRMED'],
  },
  'a message waits for its receiver, which registers the wallet': {
    async tell(ground) {
      const { alpine, harbour } = await parties(ground);
      const destination = evmAddress();
      await createTransaction(alpine, to(destination));
      return story(ground, [alpine, harbour], async () => await registerWallet(harbour, destination));
    },
    ends: ['DELIVERED', 'DELIVERED'],
  },
  'a message to a VASP of this name is opened by a file of wallets': {
    async tell(ground) {
      const { alpine, harbour } = await parties(ground);
      const destination = evmAddress();
      const vaspInfo = { beneficiaryVaspName: harbour.name };
      await createTransaction(alpine, { ...to(destination), vaspInfo });
      const file = `address,asset,blockchain\n${destination},*,Ethereum\n`;
      const send = async () => {
        const body = form([['file', file, 'a.csv']]);
        expect((await harbour.post('/wallets/upload-csv', body, { headers: FORM_TYPE })).status).toBe(201);
      };
      return story(ground, [alpine, harbour], send);
    },
    ends: ['DELIVERED', 'DELIVERED'],
  },
  'a message with a listed name is held, reviewed and delivered': {
    async tell(ground) {
      const { alpine, harbour } = await parties(ground);
      const destination = evmAddress();
      await registerWallet(harbour, destination);
      const sent = await createTransaction(alpine, {
        ...to(destination),
        beneficiary: { name: LISTED_NAME },
      });
      const review = { decision: 'PROCEED', reason: 'a namesake' };
      return story(ground, [alpine, harbour], async () => {
        expect((await alpine.post(`/transactions/${sent.id}/review`, review)).status).toBe(200);
      });
    },
    ends: ['DELIVERED', 'DELIVERED'],
  },
  'a message waits as a rule says': {
    async tell(ground) {
      const { alpine, harbour } = await parties(ground);
      await publish(alpine, 'WAIT', { waitMinutes: 30 });
      const destination = evmAddress();
      await registerWallet(harbour, destination);
      await createTransaction(alpine, to(destination));
      return story(ground, [alpine, harbour], later(ground, 31 * MINUTE_MS));
    },
    ends: ['DELIVERED', 'DELIVERED'],
  },
  'a message is not answered until it expires': {
    async tell(ground) {
      const { alpine, harbour } = await parties(ground);
      const destination = evmAddress();
      await registerWallet(harbour, destination);
      await createTransaction(alpine, to(destination));
      return story(ground, [alpine, harbour], later(ground, 91 * DAY_MS));
    },
    ends: ['DELIVERED', 'DELIVERED'],
  },
  'a message finds no receiver until it expires': {
    async tell(ground) {
      const { alpine } = await parties(ground);
      await createTransaction(alpine, to(evmAddress()));
      return story(ground, [alpine], later(ground, 91 * DAY_MS));
    },
    ends: ['FAILED'],
  },
  'a message arrives without a verdict, which comes late': {
    async tell(ground) {
      const { alpine, harbour } = await parties(ground);
      const destination = evmAddress();
      await registerWallet(harbour, destination);
      const { id } = await createTransaction(alpine, to(destination));
      await letPass(ground.api.db, id);
      await deliverUnscreened(ground.api.db, {
        tenantId: alpine.id,
        id,
        receiverTenantId: harbour.id,
        now: new Date(),
      });
      ground.worker.clock.offsetMs = MINUTE_MS;
      return story(ground, [alpine, harbour]);
    },
    ends: ['DELIVERED', 'DELIVERED'],
  },
  'a message is confirmed by a test VASP': {
    async tell(ground) {
      const { alpine } = await parties(ground);
      await createTransaction(alpine, {
        ...PARTIES,
        vaspInfo: { beneficiaryVaspName: 'Confirming Test VASP' },
      });
      return story(ground, [alpine]);
    },
    ends: ['CONFIRMED'],
  },
  'a payout to a self-hosted wallet waits for its proof': {
    async tell(ground) {
      const { alpine } = await parties(ground);
      const wallet = evmWallet();
      const blockchainInfo = { destination: wallet.address, destinationType: 'NON_CUSTODIAL' };
      await createTransaction(alpine, { amount: '0.5', blockchainInfo });
      return story(ground, [alpine], async () => {
        const made = await createVerification(alpine, { address: wallet.address });
        expect((await submit(alpine, made.id, await signedFor(wallet, made))).status).toBe(200);
      });
    },
    ends: ['CONFIRMED', 'VERIFIED'],
  },
  'a claim is answered by the transaction of the asked tenant': {
    async tell(ground) {
      const { alpine, harbour } = await parties(ground);
      const { blockchainInfo } = claimBody();
      await createTransaction(alpine, { ...PARTIES, blockchainInfo });
      const vaspInfo = { originatorVaspName: alpine.name };
      await createClaim(harbour, { blockchainInfo, vaspInfo, beneficiary: PARTIES.beneficiary });
      return story(ground, [alpine, harbour]);
    },
    ends: ['DELIVERED', 'DELIVERED', 'ANSWERED', 'ANSWERED'],
  },
  'a claim is answered by a test VASP': {
    async tell(ground) {
      const { harbour } = await parties(ground);
      await createClaim(harbour, { vaspInfo: { originatorVaspName: 'Confirming Test VASP' } });
      return story(ground, [harbour]);
    },
    ends: ['DELIVERED', 'ANSWERED'],
  },
  'a claim is not answered until it expires, and one reaches nobody': {
    async tell(ground) {
      const { alpine, harbour } = await parties(ground);
      await createClaim(harbour, { vaspInfo: { originatorVaspName: alpine.name } });
      await createClaim(alpine, { vaspInfo: { originatorVaspName: 'Nobody At All Ltd' } });
      return story(ground, [alpine, harbour], later(ground, 2 * DAY_MS), later(ground, 10 * DAY_MS));
    },
    ends: ['PENDING', 'PENDING', 'EXPIRED', 'FAILED', 'EXPIRED'],
  },
  'a verification reminds of its end, and expires': {
    async tell(ground) {
      const { alpine } = await parties(ground);
      await createVerification(alpine, { expiresInHours: 4 });
      return story(ground, [alpine], later(ground, 3.1 * HOUR_MS), later(ground, 4.1 * HOUR_MS));
    },
    ends: ['FAILED'],
  },
};

/** Tells every second story, of those with even places or of those with odd ones: two files, so that two processes share them. */
export function cutLifecycles(half: 'EVEN' | 'ODD'): void {
  const ground = useGround();
  const rest = half === 'EVEN' ? 0 : 1;
  const mine = Object.entries(STORIES).filter((_story, place) => place % 2 === rest);

  test.each(mine)('%s', async (_name, { tell, ends }) => {
    const end = await expectSameEnds(ground.worker, async () => await tell(ground));
    expect(statuses(end)).toEqual([ends, []]);
  });

  test('every chain of events is whole, and the pool has all its connections', async () => {
    const { api, database, worker } = ground;
    expect(await verifyEvents({ pool: database.pool, vault: api.db.vault })).toMatchObject({ faults: [] });
    const { pool } = worker.db;
    const reads = Array.from({ length: 3 * pool.options.max }, async () => await pool.query('select 1'));
    expect(await Promise.all(reads)).toHaveLength(3 * pool.options.max);
    expect([pool.waitingCount, pool.idleCount]).toEqual([0, pool.totalCount]);
  });
}
