import type pg from 'pg';
import type { EffectAnswer, IdempotentCall } from '../db/idempotency/idempotency.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import type { EndpointAnswer } from './send-answer.ts';

/** How an endpoint answers a request that comes again under its Idempotency-Key. */
export type IdempotencyKind =
  /** The header is not read. */
  | 'NONE'
  /** The header is read and nothing is kept: an operator belongs to no tenant whose key could seal the answer. */
  | 'NOT_KEPT'
  /** The effect is one `commit`, which keeps the answer in the same database transaction; a twin waits for it. */
  | 'TRANSACTION'
  /** For hot paths: the endpoint's own statement takes the key with its effect, and the endpoint throws KeyTaken. */
  | 'OWN_STATEMENT'
  /** The effect is more than one database transaction: the key is leased first, and a twin gets 409 meanwhile. */
  | 'LEASE';

/** A request under an Idempotency-Key, to be run at most once. */
export interface KeyedRequest {
  call: IdempotentCall;
  kind: IdempotencyKind;
  requestId: string;
  run: () => Promise<EndpointAnswer>;
}

/** An effect that is one database transaction. */
type TransactionEffect = (tx: pg.PoolClient) => Promise<EffectAnswer & { outbox?: OutboxEntry[] }>;

/**
 * Runs an effect in one database transaction, with the Idempotency-Key of the request if there is one, and starts the
 * workflows of its outbox. Throws KeyTaken, which the endpoint lets pass.
 */
export type CommitEffect = (effect: TransactionEffect) => Promise<EndpointAnswer>;
