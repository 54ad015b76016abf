import { createOwnRecord } from '../../db/lifecycle/create-own-record.ts';
import { withNamedOriginator } from '../../db/lifecycle/resolve-counterparty.ts';
import { KeyTaken } from '../../db/idempotency/idempotency.ts';
import type { IdempotentCall } from '../../db/idempotency/idempotent-call.ts';
import { uniqueViolation } from '../../db/postgres.ts';
import type { CreateOutcome, CreateRequest } from '../../db/transactions/create-transactions.ts';
import { DomainError } from '../../domain/errors.ts';
import type { EventDraft } from '../../domain/events/event.ts';
import { pausedEvent, pausedFromStart } from '../../domain/transactions/lifecycle/pause.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isOwnRecordOfTransfer } from '../../domain/transactions/exchanging/own-record-match.ts';
import { viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import { warningsOf } from '../../domain/transactions/viewing/warnings.ts';
import type { Deps } from '../deps.ts';
import type { TenantCaller } from '../caller.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import { referenceTaken } from './reference-taken.ts';

export interface NewTransaction {
  record: TransactionRecord;
  event: EventDraft;
}

/**
 * Stores a new transaction, starts its workflow and answers 201, with warnings of what is probably a mistake. Throws
 * KeyTaken if the Idempotency-Key was used before.
 */
export async function acceptTransaction(
  deps: Deps,
  caller: TenantCaller,
  { record, event }: NewTransaction,
  idempotency: IdempotentCall | null,
): Promise<EndpointAnswer> {
  const answer = (stored: TransactionRecord) =>
    viewTransaction(stored, caller.tenant.entityId, { warnings: warningsOf(stored) });
  const { outgoingBrake } = caller.tenant;
  const own = pausedFromStart(record, outgoingBrake);
  const nextEvents = own.pausedBy === null ? [] : [pausedEvent(own.pausedBy)];
  const outcome = await create(deps, caller, { record: own, event, nextEvents, idempotency, answer });
  if (outcome.kind === 'REPEATED') throw new KeyTaken();
  deps.notifyWorkflows(outcome.outbox);
  return { status: 201, body: answer(outcome.record) };
}

async function create(
  deps: Deps,
  caller: TenantCaller,
  given: CreateRequest,
): Promise<Exclude<CreateOutcome, { kind: 'TAKEN' }>> {
  const request = { ...given, record: await withNamedOriginator(deps.db.pool, given.record) };
  const outcome = await store(deps, caller, request).catch((error: unknown) => raceLost(error));
  if (outcome.kind !== 'TAKEN') return outcome;
  if (outcome.what === 'REFERENCE') throw await referenceTaken(deps.db.pool, request.record);
  throw new DomainError(
    'conflict',
    'This transaction was already resubmitted, and the new transaction is open or completed.',
  );
}

async function store(deps: Deps, { tenantId }: TenantCaller, request: CreateRequest): Promise<CreateOutcome> {
  return isOwnRecordOfTransfer(request.record)
    ? await deps.writeInTurn(tenantId, async () => await createOwnRecord(deps.db, request))
    : await deps.createTransaction(request);
}

/** The outcome for a request that took a reference, or resubmitted, at the same time as another; any other error is thrown. */
function raceLost(error: unknown): CreateOutcome {
  const violated = uniqueViolation(error);
  if (violated === 'transactions_reference') return { kind: 'TAKEN', what: 'REFERENCE' };
  if (violated === 'transactions_resubmission') return { kind: 'TAKEN', what: 'RESUBMISSION' };
  throw error;
}
