import type { Database } from '../../db/database.ts';
import { changeTransaction } from '../../db/exchanges/change-transaction.ts';
import { markUnroutedOrFind } from '../../db/exchanges/mark-unrouted.ts';
import { resolveCounterparty, type Counterparty } from '../../db/exchanges/resolve-counterparty.ts';
import type { Poke } from '../../db/outbox.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { findTenantOfTransaction, findTransaction } from '../../db/transactions/find-transaction.ts';
import type { Decision } from '../../domain/transactions/change.ts';
import type { Price } from '../../domain/transactions/fiat.ts';
import {
  confirmSelfHosted,
  expire,
  fillFiatValues,
  markUnreachable,
} from '../../domain/transactions/lifecycle-changes.ts';
import { planOf, type Plan } from '../../domain/transactions/next-step.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { CounterpartyUnreachable, type Networks } from '../network/network.ts';

export interface TransactionDeps {
  db: Database;
  networks: Networks;
  priceOf(asset: string): Price | undefined;
  /** Tells the workflows of what was changed; what is not told now, the relay tells. */
  tell(pokes: readonly Poke[]): void;
  now(): Date;
}

interface Subject {
  id: string;
}

const GONE: Plan = { step: 'DONE', status: 'DELETED' };

/** The steps of the transaction lifecycle. Each re-reads the row, so doing one twice does nothing the second time. */
export function transactionActivities(deps: TransactionDeps) {
  const { db } = deps;

  const read = async ({ id }: Subject): Promise<TransactionRecord | undefined> => {
    const tenantId = await findTenantOfTransaction(db.pool, id);
    return tenantId === undefined ? undefined : await findTransaction(db, tenantId, id);
  };
  const planFor = (record: TransactionRecord): Plan => planOf(record, deps.now());
  const change = async (
    { tenantId, id }: TransactionRecord,
    decide: (own: TransactionRecord, now: Date) => Decision,
  ): Promise<Plan> => {
    const now = deps.now();
    const { record, pokes } = await changeTransaction(db, {
      tenantId,
      id,
      now,
      decide: (own) => decide(own, now),
    });
    deps.tell(pokes);
    return planFor(record);
  };

  return {
    /** Reads the row and says what is next; fills in fiat values that were unknown at the creation. */
    async lookAtTransaction(subject: Subject): Promise<Plan> {
      const record = await read(subject);
      if (!record) return GONE;
      const unvalued = record.amountUsd === null && record.amountEur === null;
      const price = deps.priceOf(record.asset);
      if (!unvalued || !price) return planFor(record);
      return await change(record, (own, now) => fillFiatValues(own, price, now));
    },

    /** Finds the beneficiary VASP; without one the message waits for it to appear. */
    async resolveCounterparty(subject: Subject): Promise<{ counterparty: Counterparty | null; plan: Plan }> {
      const record = await read(subject);
      if (!record) return { counterparty: null, plan: GONE };
      const found = await resolveCounterparty(db.pool, record);
      if (found) return { counterparty: found, plan: planFor(record) };
      const { counterparty, pokes } = await markUnroutedOrFind(db, record, deps.now());
      deps.tell(pokes);
      const marked = await read(subject);
      return { counterparty, plan: marked ? planFor(marked) : GONE };
    },

    /** Carries the message to its receiver over the receiver's network. */
    async deliverMessage({ id, counterparty }: Subject & { counterparty: Counterparty }): Promise<Plan> {
      const record = await read({ id });
      if (!record) return GONE;
      try {
        const delivered = await deps.networks[counterparty.network].deliver(record, counterparty, deps.now());
        if (delivered) {
          deps.tell(delivered.pokes);
          return planFor(delivered.record);
        }
      } catch (error) {
        if (!(error instanceof CounterpartyUnreachable)) throw error;
        return await change(record, markUnreachable);
      }
      const after = await read({ id });
      return after ? planFor(after) : GONE;
    },

    /** A self-hosted destination has no counterparty: confirmed by setting, or waits for a proof. */
    async confirmSelfHosted(subject: Subject): Promise<Plan> {
      const record = await read(subject);
      if (!record) return GONE;
      const settings = await getTenantSettings(db.pool, record.tenantId);
      const rule = {
        autoConfirm: settings.autoConfirmSelfHosted,
        thresholdEur: settings.selfHosted.thresholdEur,
      };
      return await change(record, (own, now) => confirmSelfHosted(own, rule, now));
    },

    /** Ends a wait whose time is over. */
    async expireTransaction(subject: Subject): Promise<Plan> {
      const record = await read(subject);
      return record ? await change(record, expire) : GONE;
    },
  };
}
