import type { AssetPrice } from '../../db/prices/price-table.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { valueTransactions } from '../../worker/price-loop.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createTransaction, deliver, letPass, readTransaction } from '../factories/transaction.ts';
import { useApi } from '../use-api.ts';

const { api } = useApi();
let sender: TestTenant;
let receiver: TestTenant;
let notified: OutboxEntry[];

const price: AssetPrice = {
  asset: 'MNT',
  usd: '2',
  eur: '1.8',
  source: 'prices.example',
  pricedAt: new Date(),
};
const value = async (prices: AssetPrice[], db = api.db) =>
  await valueTransactions(
    { db, now: () => new Date(), notifyWorkflows: (outbox) => void notified.push(...outbox) },
    prices,
  );
const valuesOf = ({ amountUsd, amountEur }: Transaction) => [amountUsd, amountEur];

beforeEach(async () => {
  [sender, receiver] = [await createTenant(api), await createTenant(api)];
  notified = [];
});

test('a price that becomes known values what waits on both sides, and decides again on what is not sent', async () => {
  const waiting = await createTransaction(sender, { asset: 'MNT', amount: '10' });
  await letPass(api.db, waiting.id);
  const sent = await createTransaction(sender, {
    asset: 'MNT',
    amount: '5',
    vaspInfo: { beneficiaryVaspName: receiver.name },
  });
  const arrivedId = await deliver(api, sender, receiver, sent.id);
  expect(valuesOf(await readTransaction(receiver, arrivedId))).toEqual([null, null]);

  expect(await value([price])).toBe(3);
  expect(valuesOf(await readTransaction(sender, waiting.id))).toEqual([20, 18]);
  expect(valuesOf(await readTransaction(sender, sent.id))).toEqual([10, 9]);
  expect(valuesOf(await readTransaction(receiver, arrivedId))).toEqual([10, 9]);
  expect(notified.map(({ subjectId }) => subjectId)).toContain(waiting.id);
  expect(await value([price])).toBe(0);
});

test('another asset, a decided and a deleted record stay as they are', async () => {
  const other = await createTransaction(sender, { asset: 'XDAI', amount: '1' });
  const cancelled = await createTransaction(sender, { asset: 'MNT', amount: '1' });
  await sender.patch(`/transactions/${cancelled.id}`, { status: 'CANCELLED' });
  const deleted = await createTransaction(sender, { asset: 'MNT', amount: '1' });
  await sender.delete(`/transactions/${deleted.id}`);
  expect(await value([price])).toBe(0);
  expect(valuesOf(await readTransaction(sender, other.id))).toEqual([null, null]);
});

test('a record that is deleted while the others are valued holds up none of them', async () => {
  const ids = [];
  for (let count = 0; count < 3; count += 1)
    ids.push((await createTransaction(sender, { asset: 'MNT', amount: '10' })).id);
  const [deleted, ...others] = ids;
  const pool = new Proxy(api.db.pool, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name === 'query')
        return async (text: string, values: unknown[]) => {
          const found = await target.query(text, values);
          await sender.delete(`/transactions/${deleted}`);
          return found;
        };
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  expect(await value([price], { ...api.db, pool })).toBe(3);
  for (const id of others) expect(valuesOf(await readTransaction(sender, id))).toEqual([20, 18]);
});
