import type { TransactionScreening } from '../../domain/transactions/deciding/screening.ts';
import type { Queryable } from '../postgres.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { sealingContext } from '../vault/contexts.ts';
import { inBatches } from './in-batches.ts';

/** A screening has its matches with it, so it may be large. */
const BATCH = 10;

interface ScreeningRow {
  id: string;
  record_version: number;
  content: Buffer;
}

/** All screenings of a transaction with their findings, oldest first; none while its data is hidden. */
export async function* readScreenings(
  db: Queryable,
  { record, key }: OpenTransaction,
): AsyncGenerator<TransactionScreening> {
  if (record.sealed) return;
  const rows = inBatches<ScreeningRow>(BATCH, async (last, size) => {
    const { rows: batch } = await db.query<ScreeningRow>(
      `select id, record_version, content from transaction_screenings
       where tenant_id = $1 and transaction_id = $2 and ($3::int is null or (record_version, id) > ($3, $4::uuid))
       order by record_version, id limit $5`,
      [record.tenantId, record.id, last?.record_version ?? null, last?.id ?? null, size],
    );
    return batch;
  });
  for await (const { id, content } of rows)
    yield key.open<TransactionScreening>(sealingContext.transaction.screening(record, id), content);
}
