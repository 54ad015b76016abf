import type pg from 'pg';
import type { Event, SubjectKind } from '../../domain/events/event.ts';
import type { Vault } from '../vault/vault.ts';

/** A record with the head of its chain and what its events must explain. */
export interface LoggedRecord {
  id: string;
  tenant_id: string;
  subject_kind: SubjectKind;
  status: string;
  sequence: number;
  head: Buffer;
  head_mac: Buffer | null;
  /** Empty when it was erased; null, which no column allows, only where somebody changed the table. */
  record_key: Buffer | null;
  is_deleted: boolean;
  /** Null for a claim, which is erased without being deleted before: `is_deleted` says it. */
  is_erased: boolean | null;
  /** The columns of a transfer by their names in a sent message; null for a verification. */
  transfer: Record<string, string | null> | null;
}

/** A record and its events, oldest first, as they were at one moment. */
export interface RecordLog {
  record: LoggedRecord;
  events: Event[];
}

/** Something that an event log shows to be wrong. */
export interface EventFault {
  /** The record, or the tenant for a seal. */
  id: string;
  fault: string;
}

export interface ChainReport {
  checked: number;
  /** Rule decisions that were compared with the hashes in their events, and those that could not be. */
  decisions: { covered: number; notCovered: number };
  faults: EventFault[];
  /** Records whose sent payloads cannot be compared with their hashes any more, because their keys were destroyed. */
  erased: string[];
}

/** What a verification reads: the stored logs, and the keys of their anchors and payloads. */
export interface EventLogs {
  pool: pg.Pool;
  vault: Pick<Vault, 'heads' | 'tenantKeys' | 'dropTenant'>;
}
