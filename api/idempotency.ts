import type pg from 'pg';
import type { EffectAnswer } from '../db/idempotency/idempotency.ts';
import type { IdempotentCall } from '../db/idempotency/idempotent-call.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import type { Queryable } from '../db/postgres.ts';
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
  /** Gets the lease if the kind is LEASE. */
  run: (leased?: LeasedEffect) => Promise<EndpointAnswer>;
}

/** What the effect of a request stores together with the lease of its Idempotency-Key. */
export interface LeasedEffect {
  /** What an earlier request under this key has begun without coming to an answer; null if nothing. */
  begunId: string | null;
  /** Notes what the effect begins, in its transaction. Throws conflict if another request has taken the key over. */
  begin: (tx: Queryable, id: string) => Promise<void>;
  /** Keeps the answer in the effect's transaction. Throws conflict if another request has taken the key over. */
  keep: (tx: Queryable, answer: EffectAnswer) => Promise<void>;
}

/** An effect that is one database transaction. */
type TransactionEffect = (tx: pg.PoolClient) => Promise<EffectAnswer & { outbox?: OutboxEntry[] }>;

/**
 * Runs an effect in one database transaction, which also stores the answer under the request's Idempotency-Key if there is
 * one, and starts the workflows of its outbox. Throws KeyTaken, which the endpoint must not catch.
 */
export type CommitEffect = (effect: TransactionEffect) => Promise<EndpointAnswer>;
