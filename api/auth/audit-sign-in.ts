import type { AuditDraft } from '../../domain/audit/entry.ts';
import type { DomainError } from '../../domain/errors.ts';
import type { AuditLog } from '../audit-log.ts';
import { PROBLEMS } from '../errors.ts';

/** A user, as far as an entry names them. */
interface AuditedUser {
  id: string;
  tenantId: string;
}

/** The request that an entry is about. */
interface AuditedRequest {
  operation: string;
  status: number;
  address: string;
  requestId: string;
}

/** The entry of a request by which a user showed who they are. */
export function entryOfUser({ id, tenantId }: AuditedUser, request: AuditedRequest): AuditDraft {
  return { ...entryOf(request), tenantId, actor: { kind: 'USER', id }, recordId: null };
}

/** The entry of a request about a user, by somebody who has not shown who they are. */
export function entryAboutUser({ id, tenantId }: AuditedUser, request: AuditedRequest): AuditDraft {
  return { ...entryOf(request), tenantId, actor: { kind: 'UNKNOWN' }, recordId: id };
}

function entryOf({ operation, status, address, requestId }: AuditedRequest) {
  const origin = { address, requestId };
  return { operation, status, code: null, items: null, parameters: {}, origin, hour: null, requests: 1 };
}

/** A refusal of somebody who tried to come in as `user`; null if no account is meant. */
interface RefusedEntry {
  user: AuditedUser | null;
  error: DomainError;
  request: Omit<AuditedRequest, 'status'>;
}

/**
 * Notes that somebody was refused to come in. Whoever is over a limit is counted, and so is who names no account, since both
 * could fill the log; the latter in the database at once, which takes as long as an entry does.
 */
export async function auditRefusedEntry(
  audit: AuditLog,
  { user, error, request }: RefusedEntry,
): Promise<void> {
  const { code } = error;
  const { operation } = request;
  const named = { tenantId: user?.tenantId ?? null, recordId: user?.id ?? null };
  const counted = { ...named, apiKeyId: null, operation, code };
  if (code === 'rate_limited') audit.count(counted);
  // A refusal is sent also where it cannot be noted: one that fails would tell which accounts there are.
  else if (user === null) await audit.countAtOnce(counted).catch(() => undefined);
  else {
    const { status } = PROBLEMS[code];
    await audit.write({ ...entryAboutUser(user, { ...request, status }), code }).catch(() => undefined);
  }
}
