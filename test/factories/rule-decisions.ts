import { type Database } from '../../db/database.ts';
import { insertDecision } from '../../db/rules/insert-decision.ts';
import { loadPublished } from '../../db/rules/load-published.ts';
import { lockTransaction } from '../../db/transactions/find-transaction.ts';
import { evaluate } from '../../domain/rules/evaluate.ts';
import type { Facts } from '../../domain/rules/facts.ts';
import type { Direction } from '../../domain/direction.ts';
import { inTransaction } from '../../db/postgres.ts';

interface Decided {
  tenantId: string;
  id: string;
  direction?: Direction;
  facts: Facts;
  spent?: string[];
  at?: Date;
}

/** Lets the published rules decide a transaction and stores the decision, as its lifecycle does. */
export async function decide(db: Database, decided: Decided): Promise<{ id: string; sequence: number }> {
  const { tenantId, id, direction = 'OUTGOING', facts, spent = [], at = new Date() } = decided;
  const { configurationId, version, compiled } = await loadPublished(db, tenantId, direction);
  const evaluation = await evaluate(compiled, facts, { spent, now: at.toISOString() });
  return await inTransaction(db.pool, async (tx) => {
    const open = await lockTransaction(db, tx, tenantId, id);
    if (!open) throw new Error('no such transaction');
    return await insertDecision(tx, open.key, {
      tenantId,
      transactionId: id,
      direction,
      configurationId,
      version,
      facts,
      evaluation,
      spent,
      waitUntil:
        evaluation.waitMinutes === null ? null : new Date(at.getTime() + evaluation.waitMinutes * 60_000),
      evaluatedAt: at,
    });
  });
}
