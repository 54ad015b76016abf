import type { Config } from '../../config.ts';
import type { Queryable } from '../database.ts';
import { rememberPrices, sandboxPrices, type PriceMemory } from './price-memory.ts';

/** The prices that a process works with: a sandbox without a source has round figures, anything else the table. */
export async function openPrices(
  config: Config,
  db: Queryable,
  onTrouble: (error: unknown) => void,
): Promise<PriceMemory> {
  const fixed = config.ENVIRONMENT === 'sandbox' && !config.PRICES_URL;
  return fixed ? sandboxPrices(() => new Date()) : await rememberPrices(db, onTrouble);
}
