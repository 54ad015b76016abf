import type { Queryable } from '../postgres.ts';
import { rememberPrices, sandboxPrices, type PriceMemory } from './price-memory.ts';

/** Opens the prices of a process: fixed figures for a sandbox without a price source, otherwise the price table. */
export async function openPrices(
  { ENVIRONMENT, PRICES_URL }: { ENVIRONMENT: string; PRICES_URL?: string | undefined },
  db: Queryable,
  onTrouble: (error: unknown) => void,
): Promise<PriceMemory> {
  const fixed = ENVIRONMENT === 'sandbox' && !PRICES_URL;
  return fixed ? sandboxPrices(() => new Date()) : await rememberPrices(db, onTrouble);
}
