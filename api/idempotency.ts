import type pg from 'pg';
import type { EffectAnswer, IdempotentCall } from '../db/idempotency/idempotency.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import type { EndpointAnswer } from './send-answer.ts';

/** How an endpoint answers a repeated request with the same Idempotency-Key. */
export type IdempotencyKind =
  /** The header is not read: not a POST, or one without a key. */
  | 'NONE'
  /** The effect is one `commit`, whose database transaction stores the answer too. A concurrent repeat waits for it. */
  | 'TRANSACTION'
  /** For hot paths: the endpoint's own SQL statement claims the key. The endpoint throws KeyTaken if it was used before. */
  | 'OWN_STATEMENT'
  /** The effect is more than one database transaction: the key is leased first. A concurrent repeat gets 409. */
  | 'LEASE';

/** A request with an Idempotency-Key, to be run at most once. */
export interface KeyedRequest {
  call: IdempotentCall;
  kind: IdempotencyKind;
  requestId: string;
  run: () => Promise<EndpointAnswer>;
}

/** An effect that is one database transaction. */
type TransactionEffect = (tx: pg.PoolClient) => Promise<EffectAnswer & { outbox?: OutboxEntry[] }>;

/**
 * Runs an effect in one database transaction, which also claims the request's Idempotency-Key if there is one, and starts
 * the workflows of its outbox. Throws KeyTaken, which the endpoint must not catch.
 */
export type CommitEffect = (effect: TransactionEffect) => Promise<EndpointAnswer>;
