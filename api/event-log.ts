import type { Logger } from 'pino';
import { hasClaim } from '../db/claims/find-claim.ts';
import type { Database } from '../db/database.ts';
import { listEvents } from '../db/events/list-events.ts';
import { findDeletedTransactionTenant, hasTransaction } from '../db/transactions/find-transaction.ts';
import { findUsers } from '../db/users/find-users.ts';
import { findDeletedVerificationTenant, hasVerification } from '../db/verifications/find-verification.ts';
import { notFound } from '../domain/errors.ts';
import { EventView, userIdsIn, viewEvent } from '../domain/events/schema.ts';
import { loggedCaller, type OperatorCaller } from './caller.ts';
import { answerPage, pageOf } from './page-answer.ts';
import type { EndpointAnswer } from './send-answer.ts';

export const EVENT_LOG = pageOf(EventView, 'The log.');

const EXISTS = { transaction: hasTransaction, verification: hasVerification, claim: hasClaim };

/** Answers with the log of a tenant's record. Throws not_found. */
export async function answerLog(
  db: Database,
  kind: keyof typeof EXISTS,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<EndpointAnswer> {
  const [isKnown, items] = await Promise.all([
    EXISTS[kind](db.pool, tenantId, id),
    listEvents(db.pool, tenantId, id),
  ]);
  if (!isKnown) throw notFound(kind);
  const users = await findUsers(db, tenantId, userIdsIn(items));
  return answerPage({ items, total: items.length }, (event) => viewEvent(event, users));
}

const TENANT_OF_DELETED = {
  transaction: findDeletedTransactionTenant,
  verification: findDeletedVerificationTenant,
};

/** Answers an operator with the log of a deleted record, and logs that it was read. Throws not_found for other records. */
export async function answerDeletedLog(
  db: Database,
  kind: keyof typeof TENANT_OF_DELETED,
  { id, caller, log }: { id: string; caller: OperatorCaller; log: Logger },
): Promise<EndpointAnswer & { tenantId: string }> {
  const tenantId = await TENANT_OF_DELETED[kind](db.pool, id);
  if (tenantId === undefined) throw notFound(kind);
  const items = await listEvents(db.pool, tenantId, id);
  log.info(
    {
      audit: 'DELETED_LOG_READ',
      ...loggedCaller(caller),
      tenantId,
      [`${kind}Id`]: id,
      count: items.length,
    },
    `an operator read the log of a deleted ${kind}`,
  );
  return { ...answerPage({ items, total: items.length }, (event) => viewEvent(event)), tenantId };
}
