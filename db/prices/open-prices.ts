import type { Queryable } from '../postgres.ts';
import { rememberPrices, sandboxPrices, type PriceMemory } from './price-memory.ts';

/** The prices that a process works with: a sandbox without a source has round figures, anything else the table. */
export async function openPrices(
  { ENVIRONMENT, PRICES_URL }: { ENVIRONMENT: string; PRICES_URL?: string | undefined },
  db: Queryable,
  onTrouble: (error: unknown) => void,
): Promise<PriceMemory> {
  const fixed = ENVIRONMENT === 'sandbox' && !PRICES_URL;
  return fixed ? sandboxPrices(() => new Date()) : await rememberPrices(db, onTrouble);
}
