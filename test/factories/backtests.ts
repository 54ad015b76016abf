import type { z } from 'zod';
import type { Backtest } from '../../domain/rules/backtest.ts';
import type { TestApi } from '../api-client.ts';
import { decide } from './rule-decisions.ts';
import type { TestTenant } from './tenant.ts';
import { createTransaction } from './transaction.ts';

export type BacktestView = z.infer<typeof Backtest>;

/** What holds all decisions of a test. */
export const ALL_TIME = { from: '2026-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };

/** Transactions of these amounts, decided by the published rules one second after the other; the ids, oldest first. */
export async function decidedTransactions(
  api: TestApi,
  tenant: TestTenant,
  amounts: readonly string[],
  from = new Date('2026-11-01T10:00:00Z'),
): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, amount] of amounts.entries()) {
    // One that its tenant recorded itself: where the product runs, no rules decide on it in between.
    const { id } = await createTransaction(tenant, { direction: 'INCOMING' });
    const at = new Date(from.getTime() + index * 1_000);
    await decide(api.db, { tenantId: tenant.id, id, facts: { amount }, at });
    ids.push(id);
  }
  return ids;
}
