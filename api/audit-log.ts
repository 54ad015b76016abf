import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { addRequestCounts, type RequestCount } from '../db/audit/count-requests.ts';
import { auditEntryWriter, loadAuditKeys } from '../db/audit/write-entry.ts';
import type { Database } from '../db/database.ts';
import type { Queryable } from '../db/postgres.ts';
import type { AuditDraft } from '../domain/audit/entry.ts';
import { DomainError } from '../domain/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../domain/durations.ts';

/** Requests that are counted, not listed one by one. */
type CountedRequest = Omit<RequestCount, 'hour' | 'requests'>;

/** Writes what the audit log has of requests. */
export interface AuditLog {
  /** Loads the keys for an entry that is going to be written inside a database transaction. */
  prepare: (draft: Pick<AuditDraft, 'actor' | 'tenantId'>) => Promise<void>;
  /** Writes an entry, inside a database transaction if one is given. Throws temporarily_unavailable. */
  write: (draft: AuditDraft, tx?: Queryable) => Promise<void>;
  /** Like `write`, but for the first entry alone that an actor has of an operation in an hour, as this process knows. */
  writeFirstOfHour: (draft: AuditDraft) => Promise<void>;
  /** Counts a request in memory. Counts are stored once a minute, so a process that is killed loses those of a minute. */
  count: (request: CountedRequest) => void;
  /** Counts a request in the database. Throws what the database throws, after a line in the log. */
  countAtOnce: (request: CountedRequest) => Promise<void>;
  /** Stores the counts in memory, and stops. */
  close: () => Promise<void>;
}

/** Actors and operations whose entry of the present hour is remembered; of others there may be one entry too many. */
const REMEMBERED_ENTRIES = 10_000;

export function openAuditLog(db: Database, log: Logger): AuditLog {
  const counts = requestCounts(db.pool, log);
  const writeEntry = auditEntryWriter(db);
  const written = new LRUCache<string, true>({ max: REMEMBERED_ENTRIES, ttl: HOUR_MS });
  const write = async (draft: AuditDraft, tx: Queryable = db.pool) => {
    try {
      await writeEntry(tx, draft, new Date());
    } catch (err) {
      log.error({ err, operation: draft.operation }, 'the audit log could not be written');
      throw new DomainError('temporarily_unavailable', 'The audit log cannot be written at the moment.', {
        retryAfterSeconds: 2,
      });
    }
  };
  return {
    prepare: async (draft) => await loadAuditKeys(db, draft),
    write,
    async writeFirstOfHour(draft) {
      const key = JSON.stringify([draft.tenantId, draft.actor, draft.operation, presentHour()]);
      if (written.has(key)) return;
      await write(draft);
      written.set(key, true);
    },
    count: (request) => counts.add(counted(request)),
    async countAtOnce(request) {
      try {
        await addRequestCounts(db.pool, [counted(request)]);
      } catch (err) {
        log.error({ err, operation: request.operation }, 'a request could not be counted in the audit log');
        throw err;
      }
    },
    close: counts.close,
  };
}

function counted(request: CountedRequest): RequestCount {
  return { ...request, hour: new Date(presentHour()), requests: 1 };
}

/** When the present hour began, in milliseconds. */
function presentHour(): number {
  return Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
}

/** Collects counts, and stores them a minute after the first one. What cannot be stored is kept for the next time. */
function requestCounts(db: Queryable, log: Logger) {
  let counts = new Map<string, RequestCount>();
  let timer: NodeJS.Timeout | undefined;
  const merge = (count: RequestCount) => {
    const key = keyOf(count);
    const before = counts.get(key);
    if (before) before.requests += count.requests;
    else counts.set(key, count);
  };
  const store = async () => {
    clearTimeout(timer);
    timer = undefined;
    const taken = [...counts.values()];
    counts = new Map();
    if (taken.length === 0) return;
    await addRequestCounts(db, taken).catch((error: unknown) => {
      log.warn({ error }, 'counts of the audit log could not be stored; they are kept');
      taken.forEach(merge);
    });
  };
  return {
    add(count: RequestCount) {
      merge(count);
      timer ??= setTimeout(() => void store(), MINUTE_MS).unref();
    },
    close: store,
  };
}

function keyOf({ tenantId, hour, apiKeyId, operation, code, recordId }: RequestCount): string {
  return [tenantId, hour.getTime(), apiKeyId, operation, code, recordId].join(' ');
}
