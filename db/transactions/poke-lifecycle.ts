import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Queryable } from '../database.ts';
import type { Poke } from '../outbox.ts';
import { lifecyclePoke } from './poke.ts';
import { insertPokes } from './write-changes.ts';

/** Lets the record's own workflow go on with it. */
export async function pokeLifecycle(db: Queryable, record: TransactionRecord, now: Date): Promise<Poke[]> {
  return await insertPokes(db, [lifecyclePoke(record)], now);
}
