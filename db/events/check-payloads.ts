import type { Event } from '../../domain/events/event.ts';
import type { Queryable } from '../postgres.ts';
import { SealedValueError } from '../vault/cipher.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { NoTenantKeys } from '../vault/tenant-keys.ts';
import { payloadHash, type PayloadContent } from './payload-hash.ts';
import type { ChainReport, EventLogs, LoggedRecord, RecordLog } from './event-report.ts';

/** The stored payloads of those of the events that have sent one, by the id of the event. */
export async function readPayloads(db: Queryable, events: readonly Event[]): Promise<Map<string, Buffer>> {
  const { rows } = await db.query<{ event_id: string; payload: Buffer }>(
    'select event_id, payload from payload_versions where event_id = any($1::uuid[])',
    [events.filter(hasPayload).map(({ id }) => id)],
  );
  return new Map(rows.map((row) => [row.event_id, row.payload]));
}

/** Compares the sent versions of messages with the hashes in their events. */
export async function checkPayloads(
  vault: EventLogs['vault'],
  logs: readonly RecordLog[],
  payloads: ReadonlyMap<string, Buffer>,
): Promise<Pick<ChainReport, 'faults' | 'erased'>> {
  const found: Pick<ChainReport, 'faults' | 'erased'> = { faults: [], erased: [] };
  for (const { record, events } of logs) {
    const versions = events.filter(hasPayload);
    if (versions.length === 0) continue;
    const key = await openKey(vault, record);
    if (key === 'ERASED') found.erased.push(record.id);
    else {
      const faults = versions.flatMap(
        (event) => payloadFault(record, event, key, payloads.get(event.id)) ?? [],
      );
      found.faults.push(...faults.map((fault) => ({ id: record.id, fault })));
    }
  }
  return found;
}

function hasPayload({ payloadHash: hash }: Event): boolean {
  return hash !== null;
}

/** The key of a record; null when what is stored for it does not open. */
async function openKey(
  vault: EventLogs['vault'],
  { id, tenant_id: tenantId, record_key: wrapped }: LoggedRecord,
): Promise<RecordKey | 'ERASED' | null> {
  if (wrapped.length === 0) return 'ERASED';
  try {
    const keys = await vault.tenantKeys(tenantId, [wrapped]);
    return keys.openRecordKey(wrapped, sealingContext.transaction.key({ tenantId, id }));
  } catch (error) {
    if (error instanceof NoTenantKeys) return 'ERASED';
    if (error instanceof SealedValueError) return null;
    throw error;
  }
}

function payloadFault(
  { id, tenant_id: tenantId }: LoggedRecord,
  event: Event,
  key: RecordKey | null,
  sealed: Buffer | undefined,
): string | null {
  const changed = `the payload of entry ${event.sequence} was changed`;
  if (!sealed) return `the payload of entry ${event.sequence} is missing`;
  if (!key) return changed;
  try {
    const content = key.open<PayloadContent>(
      sealingContext.transaction.payload({ tenantId, id }, event.id),
      sealed,
    );
    return payloadHash(content) === event.payloadHash ? null : changed;
  } catch (error) {
    if (error instanceof SealedValueError) return changed;
    throw error;
  }
}
