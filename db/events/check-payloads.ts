import type { Event, SubjectKind } from '../../domain/events/event.ts';
import type { Queryable } from '../postgres.ts';
import { SealedValueError } from '../vault/cipher.ts';
import { DeploymentMismatch } from '../vault/master-key.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { NoTenantKeys } from '../vault/tenant-keys.ts';
import { payloadHash, type PayloadContent } from './payload-hash.ts';
import type { ChainReport, EventLogs, LoggedRecord, RecordLog } from './event-report.ts';
import { LARGEST_VALUE } from './readable-columns.ts';
import { transferFault } from './transfer-fault.ts';

/**
 * The stored payloads of those of the events that have sent one, by the id of the event. One that is larger than any that
 * was sent is cut off, and so does not open; one that is said to be of another record than its event is missing there, as in the
 * evidence of the record.
 */
export async function readPayloads(db: Queryable, events: readonly Event[]): Promise<Map<string, Buffer>> {
  const sent = events.filter(hasPayload);
  const { rows } = await db.query<{ event_id: string; payload: Buffer }>(
    `select p.event_id, substr(p.payload, 1, ${LARGEST_VALUE}) as payload
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as e (id, tenant_id, subject_id)
       join payload_versions p on p.event_id = e.id and p.tenant_id = e.tenant_id and p.transaction_id = e.subject_id`,
    [sent.map(({ id }) => id), sent.map(({ tenantId }) => tenantId), sent.map(({ subjectId }) => subjectId)],
  );
  return new Map(rows.map((row) => [row.event_id, row.payload]));
}

/**
 * Compares the sent versions of messages with the hashes in their events, and the records with the latest of them. The key of
 * a record of which nothing was sent has to open as well: without it nobody reads what it held.
 */
export async function checkPayloads(
  vault: EventLogs['vault'],
  logs: readonly RecordLog[],
  payloads: ReadonlyMap<string, Buffer>,
): Promise<Pick<ChainReport, 'faults' | 'erased'>> {
  const found: Pick<ChainReport, 'faults' | 'erased'> = { faults: [], erased: [] };
  for (const log of logs) {
    const { record } = log;
    const isSent = log.events.some(hasPayload);
    const key = await openKey(vault, record);
    if (key === null && !isSent) found.faults.push({ id: record.id, fault: NO_KEY });
    if (!isSent) continue;
    if (key === 'ERASED') found.erased.push(record.id);
    else found.faults.push(...payloadFaults(log, key, payloads).map((fault) => ({ id: record.id, fault })));
  }
  return found;
}

const NO_KEY = 'the key of the record, or that of its tenant, was destroyed or changed';

function payloadFaults(
  { record, events }: RecordLog,
  key: RecordKey | null,
  payloads: ReadonlyMap<string, Buffer>,
): string[] {
  const opened = events
    .filter(hasPayload)
    .map((event) => openPayload(record, event, key, payloads.get(event.id)));
  const faults = opened.filter((result) => typeof result === 'string');
  const latest = opened.findLast((result) => typeof result !== 'string');
  const columns = record.transfer;
  const differing = latest && columns && transferFault({ columns, events }, latest);
  return differing ? [...faults, differing] : faults;
}

function hasPayload({ payloadHash: hash }: Event): boolean {
  return hash !== null;
}

const KEY_CONTEXTS: Record<SubjectKind, (ref: { tenantId: string; id: string }) => string> = {
  TRANSACTION: sealingContext.transaction.key,
  VERIFICATION: sealingContext.verification.key,
  CLAIM: sealingContext.claim.key,
};

/** The key of a record; null when what is stored for it does not open. */
async function openKey(
  vault: EventLogs['vault'],
  { id, tenant_id: tenantId, record_key: wrapped, subject_kind: kind }: LoggedRecord,
): Promise<RecordKey | 'ERASED' | null> {
  if (wrapped === null) return null;
  if (wrapped.length === 0) return 'ERASED';
  try {
    const keys = await vault.tenantKeys(tenantId, [wrapped]);
    return keys.openRecordKey(wrapped, KEY_CONTEXTS[kind]({ tenantId, id }));
  } catch (error) {
    // Whoever may write to the database can destroy the keys of a tenant, too, to hide what was changed, and write into
    // its tables that it was erased. Its erasure erases each record first, with an event that nobody else can anchor.
    const isClosed =
      error instanceof NoTenantKeys ||
      error instanceof SealedValueError ||
      error instanceof DeploymentMismatch;
    if (isClosed) return null;
    throw error;
  }
}

/** The payload that an event has sent, or what is wrong with it. */
function openPayload(
  { id, tenant_id: tenantId }: LoggedRecord,
  event: Event,
  key: RecordKey | null,
  sealed: Buffer | undefined,
): object | string {
  const changed = `the payload of entry ${event.sequence} was changed`;
  if (!sealed) return `the payload of entry ${event.sequence} is missing`;
  if (!key) return changed;
  try {
    const context = sealingContext.transaction.payload({ tenantId, id }, event.id);
    const content = key.open<PayloadContent>(context, sealed);
    return payloadHash(content) === event.payloadHash ? content.payload : changed;
  } catch (error) {
    if (error instanceof SealedValueError) return changed;
    throw error;
  }
}
