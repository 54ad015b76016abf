import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { pokeOverdueDeliveries } from '../db/webhooks/poke-overdue-deliveries.ts';
import { pokeOverdueTransactions } from '../db/transactions/poke-overdue-transactions.ts';
import { startLoop, type Loop } from './loop.ts';

const EVERY_MS = 60_000;
const LIMIT = 1_000;

/**
 * Temporal is disposable: rows whose next moment is overdue by a minute have lost their workflow. They get outbox rows,
 * which the relay turns into workflows.
 */
export function startSweep({ db, log }: { db: Database; log: Logger }): Loop {
  return startLoop(EVERY_MS, EVERY_MS, log, 'sweep', async () => (await sweep(db)) >= LIMIT);
}

/** One round; the number of rows found. */
export async function sweep(db: Database): Promise<number> {
  const transactions = await pokeOverdueTransactions(db.pool, LIMIT);
  const deliveries = await pokeOverdueDeliveries(db.pool, LIMIT);
  return Math.max(transactions, deliveries);
}
