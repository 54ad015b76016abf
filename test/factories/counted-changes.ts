import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { newId } from '../../db/new-id.ts';
import { inTransaction } from '../../db/postgres.ts';
import { insertDecision } from '../../db/rules/insert-decision.ts';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { insertTransactions, prepareCreate } from '../../db/transactions/create-transactions.ts';
import { lockTransaction } from '../../db/transactions/find-transaction.ts';
import { changeVerification } from '../../db/verifications/change-verification.ts';
import { insertVerification } from '../../db/verifications/insert-verification.ts';
import { noteReuse } from '../../db/verifications/reuses.ts';
import { giveUpDelivery } from '../../db/webhooks/give-up-delivery.ts';
import { findOutgoingDelivery } from '../../db/webhooks/outgoing-delivery.ts';
import { recordAttempt } from '../../db/webhooks/record-attempt.ts';
import { redeliver } from '../../db/webhooks/redeliver.ts';
import { redeliverRange } from '../../db/webhooks/redeliver-range.ts';
import { resendOfTransaction } from '../../db/webhooks/resend-of-transaction.ts';
import { DIRECTIONS } from '../../domain/direction.ts';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { DomainError } from '../../domain/errors.ts';
import { SYSTEM } from '../../domain/events/actor.ts';
import { DECISIONS } from '../../domain/rules/schema.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { mayMove, STATUSES } from '../../domain/transactions/state.ts';
import {
  FLOWS,
  mayMove as verificationMayMove,
  VERIFICATION_STATUSES,
} from '../../domain/verifications/state.ts';
import type { TestApi } from '../api-client.ts';
import { transactionRecord } from './transaction-record.ts';
import { verificationOf } from './verification-record.ts';

/** The first moments of months in UTC: records are made within a day of them, so on both sides in every time zone. */
const BORDERS = [new Date('2026-11-01T00:00:00.000Z'), new Date('2026-12-01T00:00:00.000Z')];

const KINDS = [
  'CREATE',
  'MOVE',
  'MOVE',
  'VALUE',
  'DELETE',
  'RESTORE',
  'VERIFY',
  'PROVE',
  'REUSE',
  'DECIDE',
  'ATTEMPT',
  'ATTEMPT',
  'GIVE_UP',
  'REDELIVER',
  'REDELIVER_RANGE',
  'RESEND',
  'DISABLE',
] as const;

const change = fc.record({
  kind: fc.constantFrom(...KINDS),
  /** Chooses among records, directions and statuses. */
  pick: fc.nat(10_000),
  /** From the border of a month. */
  minutes: fc.integer({ min: -1_440, max: 1_440 }),
  /** After the creation, from a second to months. */
  hoursLater: fc.double({ min: 0.0003, max: 2_000, noNaN: true }),
  usd: fc.option(fc.nat(1_000_000).map((cents) => `${cents}.07`)),
  eur: fc.option(fc.nat(1_000_000).map((cents) => `${cents}.003`)),
});
type CountedChange = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Changes of records that statistics count, always the same for a seed. */
export function countedChanges(seed: number, count: number): CountedChange[] {
  return fc.sample(change, { seed, numRuns: count });
}

/** Makes the changes one after another, each through the door that the product uses. */
export async function makeChanges(
  api: TestApi,
  tenantId: string,
  changes: readonly CountedChange[],
): Promise<void> {
  const walk = new Walk(api, tenantId);
  for (const each of changes) {
    try {
      await walk.make(each);
    } catch (error) {
      // Nothing to redeliver, no endpoint, a record that another walk has deleted.
      if (!(error instanceof DomainError)) throw error;
    }
  }
}

class Walk {
  readonly #api: TestApi;
  readonly #tenantId: string;
  readonly #transactions: { id: string; createdAt: Date }[] = [];
  readonly #verifications: { id: string; createdAt: Date }[] = [];

  constructor(api: TestApi, tenantId: string) {
    this.#api = api;
    this.#tenantId = tenantId;
  }

  async make(given: CountedChange): Promise<void> {
    const { kind } = given;
    if (kind === 'CREATE' || this.#transactions.length < 5) return await this.#create(given);
    if (kind === 'VERIFY' || this.#verifications.length < 3) return await this.#verify(given);
    if (kind === 'PROVE' || kind === 'REUSE') return await this.#prove(given);
    if (kind === 'DECIDE') return await this.#decide(given);
    if (kind === 'DISABLE') return await this.#toggleEndpoint();
    if (kind === 'MOVE' || kind === 'VALUE' || kind === 'DELETE' || kind === 'RESTORE') {
      return await this.#change(given);
    }
    await this.#deliver(given);
  }

  async #create({ pick, minutes, usd, eur }: CountedChange): Promise<void> {
    const createdAt = addMs(chosen(BORDERS, pick), minutes * MINUTE_MS + pick);
    const type = pick % 5 === 0 ? 'NON_CUSTODIAL' : 'CUSTODIAL';
    const record = transactionRecord({
      id: newId(createdAt),
      tenantId: this.#tenantId,
      direction: chosen(DIRECTIONS, pick),
      originType: type,
      destinationType: type,
      amountUsd: usd,
      amountEur: eur,
      createdAt,
      updatedAt: createdAt,
    });
    const event = { type: 'CREATED', message: 'Made.', actor: SYSTEM, newStatus: record.status };
    const request = { record, event, idempotency: null, answer: () => null };
    await insertTransactions(this.#api.db.pool, [await prepareCreate(this.#api.db, request)]);
    this.#transactions.push(record);
  }

  async #change({ kind, pick, hoursLater, usd, eur }: CountedChange): Promise<void> {
    const { id, createdAt } = chosen(this.#transactions, pick);
    const now = addMs(createdAt, Math.round(hoursLater * HOUR_MS));
    const next = (own: TransactionRecord): Partial<TransactionRecord> => {
      if (kind === 'VALUE') return { amountUsd: usd, amountEur: eur };
      if (kind !== 'MOVE') return { deletedAt: kind === 'DELETE' ? now : null };
      const moves = STATUSES.filter((status) => mayMove(own.direction, own.status, status));
      return { status: moves.length > 0 ? chosen(moves, pick) : own.status };
    };
    await changeTransaction(this.#api.db, {
      tenantId: this.#tenantId,
      id,
      now,
      deleted: kind === 'RESTORE',
      decide: (own) => {
        const after = { ...own, ...next(own), updatedAt: now };
        const statuses = { previousStatus: own.status, newStatus: after.status };
        const event = { type: kind, message: 'Changed.', actor: SYSTEM, ...statuses };
        const changed = { after, events: [event], notify: pick % 2 === 0, wakesWorkflow: false };
        return { own: changed, counterpart: null, forwarded: null };
      },
    });
  }

  async #verify({ pick, minutes }: CountedChange): Promise<void> {
    const createdAt = addMs(chosen(BORDERS, pick), minutes * MINUTE_MS + pick);
    const fresh = { id: randomUUID(), tenantId: this.#tenantId, createdAt, updatedAt: createdAt };
    const after = { ...verificationOf(), ...fresh };
    const event = { type: 'CREATED', message: 'Made.', actor: SYSTEM, newStatus: after.status };
    const made = { after, events: [event], notify: true, wakesWorkflow: false };
    const { db } = this.#api;
    await inTransaction(db.pool, async (tx) => await insertVerification(db, tx, made, createdAt));
    this.#verifications.push(fresh);
  }

  async #prove({ kind, pick, hoursLater }: CountedChange): Promise<void> {
    const { id, createdAt } = chosen(this.#verifications, pick);
    const now = addMs(createdAt, Math.round(hoursLater * HOUR_MS));
    if (kind === 'REUSE') return await this.#reuse(id, now);
    await changeVerification(this.#api.db, {
      tenantId: this.#tenantId,
      id,
      now,
      decide: (record) => {
        const moves = VERIFICATION_STATUSES.filter((status) => verificationMayMove(record.status, status));
        const status = moves.length > 0 ? chosen(moves, pick) : record.status;
        const deletedAt = status === 'DELETED' ? now : null;
        const after = { ...record, status, deletedAt, flow: chosen(FLOWS, pick), updatedAt: now };
        const event = { type: 'CHANGED', message: 'Changed.', actor: SYSTEM, newStatus: status };
        return { after, events: [event], notify: pick % 2 === 0, wakesWorkflow: false };
      },
    });
  }

  async #reuse(id: string, now: Date): Promise<void> {
    const { pool } = this.#api.db;
    const { rowCount } = await pool.query('select 1 from verification_reuses where verification_id = $1', [
      id,
    ]);
    if (rowCount !== 0) return;
    const proof = { id: randomUUID(), tenantId: randomUUID(), flow: 'SIGNATURE_PROOF', provenAt: now };
    const source = { ...proof, level: 'HIGH', isUnbound: false } as const;
    await noteReuse(pool, { id, tenantId: this.#tenantId }, source, now);
  }

  async #decide({ pick, hoursLater }: CountedChange): Promise<void> {
    const { id, createdAt } = chosen(this.#transactions, pick);
    const { db } = this.#api;
    const decision = chosen(DECISIONS, pick);
    const nothing = { waitMinutes: null, reason: null, restsOnSanctions: false, rules: [] };
    await inTransaction(db.pool, async (tx) => {
      const open = await lockTransaction(db, tx, this.#tenantId, id);
      if (!open) throw new Error('no such transaction');
      await insertDecision(tx, open.key, {
        tenantId: this.#tenantId,
        transactionId: id,
        direction: open.record.direction,
        configurationId: randomUUID(),
        version: 1,
        facts: {},
        evaluation: { decision, decidedBy: 'default', ...nothing },
        spent: [],
        waitUntil: null,
        evaluatedAt: addMs(createdAt, Math.round(hoursLater * HOUR_MS)),
      });
    });
  }

  async #deliver(given: CountedChange): Promise<void> {
    const { kind, pick } = given;
    const { pool } = this.#api.db;
    if (kind === 'REDELIVER_RANGE') {
      const from = addMs(chosen(BORDERS, pick), -DAY_MS);
      const range = { from, to: addMs(from, DAY_MS), status: ['DELIVERED' as const, 'GAVE_UP' as const] };
      await inTransaction(pool, async (tx) => await redeliverRange(tx, this.#tenantId, range, from));
    } else if (kind === 'RESEND') {
      const { id } = chosen(this.#transactions, pick);
      const resent = { tenantId: this.#tenantId, id, status: ['DELIVERED' as const, 'GAVE_UP' as const] };
      await inTransaction(pool, async (tx) => await resendOfTransaction(tx, resent, new Date()));
    } else {
      await this.#attempt(given);
    }
  }

  async #attempt({ kind, pick }: CountedChange): Promise<void> {
    const { pool } = this.#api.db;
    const { rows } = await pool.query<{ id: string }>(
      'select id from webhook_deliveries where tenant_id = $1 order by id',
      [this.#tenantId],
    );
    if (rows.length === 0) return;
    const { id } = chosen(rows, pick);
    const now = new Date();
    const delivery = await findOutgoingDelivery(pool, id);
    if (!delivery) return;
    if (kind === 'GIVE_UP') return await giveUpDelivery(pool, delivery, 'SUPERSEDED', now);
    if (kind === 'REDELIVER') {
      await inTransaction(pool, async (tx) => await redeliver(tx, this.#tenantId, id, now));
      return;
    }
    const outcomes = [
      { error: null, retryAt: null, statusCode: 200 },
      { error: 'TIMEOUT', retryAt: now, statusCode: null },
      { error: 'TIMEOUT', retryAt: null, statusCode: null },
    ];
    const result = { startedAt: now, endedAt: now, durationMs: 1, ...chosen(outcomes, pick) };
    await recordAttempt(pool, delivery, result);
  }

  /** An endpoint that is disabled lets new webhooks end at once. */
  async #toggleEndpoint(): Promise<void> {
    await this.#api.db.pool.query(
      `update tenants set webhook_status = case webhook_status when 'ACTIVE' then 'DISABLED' else 'ACTIVE' end where id = $1`,
      [this.#tenantId],
    );
  }
}

function chosen<T>(items: readonly T[], pick: number): T {
  const item = items[pick % items.length];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}
