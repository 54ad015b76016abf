import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Queryable } from '../postgres.ts';
import { type Poke, insertPokes } from '../outbox.ts';
import { lifecyclePoke } from './poke.ts';

/** Lets the record's own workflow go on with it. */
export async function pokeLifecycle(db: Queryable, record: TransactionRecord, now: Date): Promise<Poke[]> {
  return await insertPokes(db, [lifecyclePoke(record)], now);
}
