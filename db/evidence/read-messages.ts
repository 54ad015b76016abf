import type { MessageLine } from '../../domain/evidence/lines.ts';
import type { PayloadContent } from '../events/payload-hash.ts';
import type { Queryable } from '../postgres.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { SealedValueError } from '../vault/cipher.ts';
import { sealingContext } from '../vault/contexts.ts';
import { inBatches } from './in-batches.ts';

const BATCH = 50;

interface MessageRow {
  sequence: number;
  event_id: string;
  created_at: Date;
  payload_hash: string;
  payload: Buffer | null;
}

/**
 * The versions of the message that were sent or received, oldest first. What is hidden from the tenant, missing or
 * unreadable has a line without content.
 */
export async function* readMessages(db: Queryable, open: OpenTransaction): AsyncGenerator<MessageLine> {
  const { id, tenantId, sequence } = open.record;
  const rows = inBatches<MessageRow>(BATCH, async (last, size) => {
    const { rows: batch } = await db.query<MessageRow>(
      `select e.sequence, e.id as event_id, e.created_at, e.payload_hash, p.payload
       from events e left join payload_versions p on p.event_id = e.id and p.transaction_id = e.subject_id
       where e.tenant_id = $1 and e.subject_id = $2 and e.payload_hash is not null and e.sequence > $3 and e.sequence <= $4
       order by e.sequence limit $5`,
      [tenantId, id, last?.sequence ?? 0, sequence, size],
    );
    return batch;
  });
  for await (const row of rows) {
    yield {
      sequence: row.sequence,
      eventId: row.event_id,
      createdAt: row.created_at.toISOString(),
      payloadHash: row.payload_hash,
      ...contentOf(open, row),
    };
  }
}

const NOTHING = { salt: null, message: null };

/** The salt is withheld with the message: with it a guessed name could be confirmed by the hash. */
function contentOf(
  { record, key }: OpenTransaction,
  { event_id, payload }: MessageRow,
): Pick<MessageLine, 'salt' | 'message' | 'withheld'> {
  if (record.sealed) return { ...NOTHING, withheld: 'HIDDEN' };
  if (payload === null) return { ...NOTHING, withheld: 'MISSING' };
  try {
    const content = key.open<PayloadContent>(sealingContext.transaction.payload(record, event_id), payload);
    return { salt: content.salt, message: { ...content.payload }, withheld: null };
  } catch (error) {
    if (error instanceof SealedValueError) return { ...NOTHING, withheld: 'UNREADABLE' };
    throw error;
  }
}
