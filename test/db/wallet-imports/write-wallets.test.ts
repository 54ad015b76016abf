import { randomBytes } from 'node:crypto';
import type { NewWallet } from '../../../domain/wallets/wallet.ts';
import { newWallet } from '../../../domain/wallets/schema.ts';
import { findTransaction } from '../../../db/transactions/find-transaction.ts';
import { newId } from '../../../db/new-id.ts';
import { beginImport } from '../../../db/wallet-imports/begin-import.ts';
import { announceWallets } from '../../../db/wallet-imports/announce-wallets.ts';
import { writeWallets } from '../../../db/wallet-imports/write-wallets.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress, letPass, markUnrouted } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);

const wallet = (address = evmAddress()): NewWallet =>
  newWallet({ address, asset: '*', blockchain: 'Ethereum', metadata: 'Customer' });

async function begin(sha256 = randomBytes(32)) {
  const place = { tenantId: tenant.id, id: newId(new Date()) };
  await beginImport(api.db.pool, { ...place, sha256, chunks: 0, begunAt: new Date() });
  return place;
}

const importNow = async (wallets: NewWallet[]) => {
  const now = new Date();
  const file = { wallets, total: wallets.length };
  const written = await writeWallets(api.db, await begin(), file, now);
  const announcement = { tenantId: tenant.id, wallets: written ?? [] };
  const woken: string[] = [];
  for await (const { outbox } of announceWallets(api.db, announcement, now)) {
    woken.push(...outbox.map((entry) => entry.subjectId));
  }
  return woken;
};

test('two workers with the same import write it once', async () => {
  const place = await begin();
  const file = { wallets: Array.from({ length: 100 }, () => wallet()), total: 100 };
  await Promise.all([1, 2].map(async () => await writeWallets(api.db, place, file, new Date())));
  const { rows } = await database.pool.query('select 1 from wallets where tenant_id = $1', [tenant.id]);
  expect(rows).toHaveLength(100);
});

test('two files with the same wallets at once register each once, and count the rest as skipped', async () => {
  const wallets = Array.from({ length: 300 }, () => wallet());
  await Promise.all([importNow(wallets), importNow(wallets.toReversed())]);
  const { rows } = await database.pool.query<{ created: number; skipped: number }>(
    `select sum(created)::int as created, sum(skipped)::int as skipped from wallet_imports where tenant_id = $1`,
    [tenant.id],
  );
  expect(rows).toEqual([{ created: 300, skipped: 300 }]);
});

test('no message stays unrouted that a file of many wallets came in for at the same moment', async () => {
  const sender = await createTenant(api);
  for (let round = 0; round < 10; round += 1) {
    const address = evmAddress();
    const { id } = await createTransaction(sender, {
      asset: 'ETH',
      blockchainInfo: { blockchain: 'Ethereum', destination: address },
    });
    await letPass(api.db, id);
    const record = await findTransaction(api.db, sender.id, id);
    if (!record) throw new Error('the transaction is not there');
    // With more than 64 destinations, only one transaction at a time locks them.
    const wallets = [...Array.from({ length: 70 }, () => wallet()), wallet(address)];
    const [counterparty, woken] = await Promise.all([markUnrouted(api.db, record), importNow(wallets)]);
    expect([round, counterparty !== null || woken.includes(id)]).toEqual([round, true]);
  }
});

test('a wallet that was only detected is registered by a file, as by POST: it routes, and messages are told', async () => {
  const sender = await createTenant(api);
  const address = evmAddress();
  const { body } = await tenant.post<{ id: number }>('/wallets', {
    address,
    asset: 'ETH',
    blockchain: 'Ethereum',
  });
  await database.pool.query(`update wallets set source = 'DETECTED' where id = $1`, [body.id]);
  const { id } = await createTransaction(sender, {
    asset: 'ETH',
    blockchainInfo: { blockchain: 'Ethereum', destination: address },
  });
  await letPass(api.db, id);
  const record = await findTransaction(api.db, sender.id, id);
  if (!record) throw new Error('the transaction is not there');
  expect(await markUnrouted(api.db, record)).toBeNull();
  const given = newWallet({ address, asset: 'ETH', blockchain: 'Ethereum', metadata: 'Customer' });
  expect(await importNow([given])).toContain(id);
  expect((await tenant.get(`/wallets/${body.id}`)).body).toMatchObject({
    status: 'CONFIRMED',
    source: 'CSV',
    metadata: 'Customer',
  });
  const { rows } = await database.pool.query(
    'select confirmed, skipped from wallet_imports where tenant_id = $1',
    [tenant.id],
  );
  expect(rows).toEqual([{ confirmed: 1, skipped: 0 }]);
});
