import { createHash } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { walletImportActivities } from '../../../activities/wallet-imports/import-wallets.ts';
import type { Database } from '../../../db/database.ts';
import { newId } from '../../../db/new-id.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { beginImport } from '../../../db/wallet-imports/begin-import.ts';
import { insertChunk } from '../../../db/wallet-imports/chunks.ts';
import { confirmWallets } from '../../../db/wallets/confirm-wallets.ts';
import { newWallet } from '../../../domain/wallets/schema.ts';
import type { WalletImport } from '../../../domain/wallets/wallet-import.ts';
import { holdCommit, untilSomebodyWaits } from '../../factories/hold-commit.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { activateList, listEntry, untilLoaded } from '../../factories/sanctions.ts';
import {
  createMessagePair,
  createTransaction,
  deliverUnscreened,
  evmAddress,
  letPass,
  markUnrouted,
  readTransaction,
} from '../../factories/transaction.ts';
import { useApi, useTenant, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });
const sender = useTenant(api);
const receiver = useTenantPerTest(api);
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
  await untilLoaded(api.screener, 'OFAC_SDN');
});

/** A database whose transactions are held open just before they commit. */
const holding = () => holdCommit(api.db);

/** A screened message to an address. */
async function sendTo(destination: string): Promise<string> {
  const { id } = await createTransaction(sender, {
    blockchainInfo: { destination, blockchain: 'Ethereum' },
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
  });
  await letPass(api.db, id);
  return id;
}

/** Delivers a message for an address to the receiver; returns the id of the receiver's record. */
async function deliverTo(destination: string, db: Database = api.db): Promise<string> {
  const id = await sendTo(destination);
  const delivery = { tenantId: sender.id, id, receiverTenantId: receiver.id, now: new Date() };
  const delivered = await deliverUnscreened(db, delivery);
  if (!delivered) throw new Error('there was nothing to deliver');
  return delivered.incoming.id;
}

/** A delivery that has looked for the wallet of its destination and is not committed. */
async function openDelivery(destination: string) {
  const { db, held, go } = holding();
  const incomingId = deliverTo(destination, db);
  await held;
  return { incomingId, go };
}

/** A message whose counterparty was looked for and not found, which is not committed. */
async function openMark(destination: string) {
  const id = await sendTo(destination);
  const { db, held, go } = holding();
  const marked = markUnrouted(db, await getTransaction(api.db, sender.id, id));
  await held;
  return { id, marked, go };
}

const originatorOf = async (incomingId: string) =>
  (await readTransaction(receiver, incomingId)).originator?.name;

async function expectDeliveriesElsewhere(): Promise<void> {
  const { incomingId } = await createMessagePair(api, sender, receiver);
  expect((await readTransaction(receiver, incomingId)).status).toBe('DELIVERED');
}

describe('an import of a CSV file of more than 1,000 wallets', () => {
  const ROWS = 1_100;

  /** A file with these addresses at its begin and end, in turn, waiting for its import. */
  async function begin(addresses: string[]) {
    const rows = Array.from({ length: ROWS - addresses.length }, () => evmAddress());
    for (const [index, address] of addresses.entries()) rows[index % 2 ? 'push' : 'unshift'](address);
    const text = ['address,asset,blockchain', ...rows.map((row) => `${row},*,Ethereum`), ''].join('\n');
    const upload = { tenantId: receiver.id, id: newId(new Date()) };
    const content = Buffer.from(text);
    const sha256 = createHash('sha256').update(content).digest();
    const keys = await api.db.vault.tenantKeys(receiver.id);
    await insertChunk(api.db.pool, keys, upload, { sequence: 0, content });
    await beginImport(api.db.pool, { ...upload, sha256, chunks: 1, begunAt: new Date() });
    return { id: upload.id, subject: { tenantId: receiver.id, sha256: sha256.toString('hex') } };
  }

  /** Says nothing of the activities that a test kills. */
  const logger = new DefaultLogger('ERROR');

  type Overrides = Parameters<typeof releaseDeps>[1];
  type Import = Awaited<ReturnType<typeof begin>>;

  async function run(step: 'importWallets' | 'giveImportUp', { subject }: Import, overrides?: Overrides) {
    const activities = walletImportActivities(releaseDeps(api, overrides));
    await new MockActivityEnvironment({}, { logger }).run(async () => await activities[step](subject));
  }

  const read = async ({ id }: Import) => (await receiver.get<WalletImport>(`/wallets/imports/${id}`)).body;

  /** The received records that are hidden and that no release will show. */
  async function countForgotten(): Promise<number | undefined> {
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from transactions
       where tenant_id = $1 and not is_destination_confirmed and release_id is null`,
      [receiver.id],
    );
    return rows[0]?.count;
  }

  /** Begins an import and kills its connection when it waits for a delivery: it has written its wallets. */
  async function killBeforeAnnouncing(file: Import, destination: string): Promise<void> {
    const delivery = await openDelivery(destination);
    const importing = run('importWallets', file);
    importing.catch(() => undefined);
    await untilSomebodyWaits(database.pool);
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event = 'advisory'`,
    );
    await expect(importing).rejects.toThrow();
    delivery.go();
    await delivery.incomingId;
  }

  async function killAfterFirst(file: Import): Promise<void> {
    const notifyWorkflows = () => {
      throw new Error('killed');
    };
    await expect(run('importWallets', file, { notifyWorkflows })).rejects.toThrow('killed');
  }

  test('shows a message that arrives meanwhile, and routes one that finds nobody meanwhile', async () => {
    const [arriving, unrouted] = [evmAddress(), evmAddress()];
    const file = await begin([arriving, unrouted]);
    const [delivery, mark] = [await openDelivery(arriving), await openMark(unrouted)];
    const told = api.outbox.length;
    const imported = run('importWallets', file);
    await untilSomebodyWaits(database.pool);
    await expectDeliveriesElsewhere();
    expect(await read(file)).toMatchObject({ state: 'RUNNING', total: null, created: null });
    delivery.go();
    mark.go();
    await imported;
    expect(await read(file)).toMatchObject({ state: 'DONE', total: ROWS, created: ROWS, skipped: 0 });
    expect(await originatorOf(await delivery.incomingId)).toBe('Anna Keller');
    expect(await mark.marked).toBeNull();
    expect(api.outbox.slice(told).map(({ subjectId }) => subjectId)).toContain(mark.id);
  });

  test('is held open while it writes: deliveries to other destinations go on', async () => {
    const file = await begin([]);
    const { db, held, go } = holding();
    const imported = run('importWallets', file, { db });
    await held;
    await expectDeliveriesElsewhere();
    go();
    await imported;
    expect(await read(file)).toMatchObject({ state: 'DONE', created: ROWS });
  });

  describe.each<[string, (file: Import, destination: string) => Promise<void>]>([
    ['when it has written its wallets', killBeforeAnnouncing],
    ['when it has announced the first of them', killAfterFirst],
  ])('killed %s', (_when, kill) => {
    test('is continued by the next worker, with the same counts, and nothing stays hidden', async () => {
      const addresses = [evmAddress(), evmAddress(), evmAddress()];
      const waiting = [];
      for (const address of addresses.slice(1)) waiting.push(await deliverTo(address));
      const file = await begin(addresses);
      await kill(file, addresses[0] ?? '');
      expect(await read(file)).toMatchObject({ state: 'RUNNING', total: null });
      await run('importWallets', file);
      // The wallets that were detected for the three are of one asset, those of the file are of all.
      expect(await read(file)).toMatchObject({ state: 'DONE', total: ROWS, created: ROWS, skipped: 0 });
      expect(await countForgotten()).toBe(0);
    });

    test('is finished rather than given up, and nothing stays hidden', async () => {
      const addresses = [evmAddress(), evmAddress()];
      await deliverTo(addresses[1] ?? '');
      const file = await begin(addresses);
      await kill(file, addresses[0] ?? '');
      await run('giveImportUp', file);
      expect(await read(file)).toMatchObject({ state: 'DONE', created: ROWS });
      expect(await countForgotten()).toBe(0);
    });
  });

  test('that has written nothing is given up', async () => {
    const file = await begin([]);
    await run('giveImportUp', file);
    expect(await read(file)).toMatchObject({ state: 'FAILED', created: null });
  });

  test('two workers with the same import announce it, and end it once', async () => {
    const address = evmAddress();
    const incomingId = await deliverTo(address);
    const file = await begin([address]);
    await Promise.all([run('importWallets', file), run('importWallets', file)]);
    expect(await read(file)).toMatchObject({ state: 'DONE', created: ROWS });
    expect(await originatorOf(incomingId)).toBe('Anna Keller');
  });
});

describe('a confirmation of more than 64 wallets', () => {
  /** Registers wallets that are not confirmed, one of them for this address. */
  async function register(address: string): Promise<number[]> {
    const { blockchainKey } = newWallet({ address, asset: '*', blockchain: 'Ethereum' });
    const addresses = [address, ...Array.from({ length: 99 }, () => evmAddress())];
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into wallets (tenant_id, address, address_normal, asset, blockchain, blockchain_key, status, source,
         created_at, updated_at)
       select $1, a, a, '*', 'Ethereum', $3, 'UNCONFIRMED', 'MANUAL', now(), now() from unnest($2::text[]) a
       returning id`,
      [receiver.id, addresses, blockchainKey],
    );
    return rows.map(({ id }) => Number(id));
  }

  const confirm = async (ids: number[], { pool }: Database = api.db) =>
    await inTransaction(
      pool,
      async (tx) => await confirmWallets(api.db, tx, { tenantId: receiver.id, ids }, new Date()),
    );

  test('finds a message that arrives meanwhile', async () => {
    const address = evmAddress();
    const ids = await register(address);
    const delivery = await openDelivery(address);
    const confirmed = receiver.patch('/wallets', ids);
    await untilSomebodyWaits(database.pool);
    await expectDeliveriesElsewhere();
    delivery.go();
    expect((await confirmed).status).toBe(200);
    expect(await originatorOf(await delivery.incomingId)).toBe('Anna Keller');
  });

  test('is found by a message that arrives meanwhile; deliveries to other destinations go on', async () => {
    const address = evmAddress();
    const { db, held, go } = holding();
    const confirmed = confirm(await register(address), db);
    await held;
    await expectDeliveriesElsewhere();
    const arrived = deliverTo(address);
    await untilSomebodyWaits(database.pool);
    go();
    await confirmed;
    expect(await originatorOf(await arrived)).toBe('Anna Keller');
  });

  test('waits for another one, whatever the order of the wallets', async () => {
    const ids = await register(evmAddress());
    await Promise.all([confirm(ids), confirm(ids.toReversed()), confirm(ids)]);
    const { rows } = await database.pool.query(
      `select 1 from wallets where tenant_id = $1 and status = 'UNCONFIRMED'`,
      [receiver.id],
    );
    expect(rows).toEqual([]);
  });
});
