import { confirmSelfHostedTransfer } from '../../db/lifecycle/confirm-self-hosted.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { fillFiatValues } from '../../domain/transactions/lifecycle/fill-fiat-values.ts';
import { planOf, type LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import {
  changeAndPlan,
  GONE,
  readTransaction,
  type TransactionSubject,
  type TransactionDeps,
} from './transaction-access.ts';
import { expire } from '../../domain/transactions/lifecycle/expire.ts';

/** The steps that look at a record, confirm it by setting or end its wait. Doing one twice changes nothing. */
export function stateActivities(deps: TransactionDeps) {
  return {
    /** Reads the row and says what is next; fills in fiat values that were unknown at the creation. */
    async lookAtTransaction(subject: TransactionSubject): Promise<LifecyclePlan> {
      const record = await readTransaction(deps, subject);
      if (!record) return GONE;
      const unvalued = record.amountUsd === null && record.amountEur === null;
      const price = deps.priceOf(record.asset);
      if (!unvalued || !price) return planOf(record, deps.now());
      return await changeAndPlan(deps, record, (own, now) => fillFiatValues(own, price, now));
    },

    /** A self-hosted wallet has no counterparty: confirmed by a proof of its owner or by setting, or waits for one. */
    async confirmSelfHosted(subject: TransactionSubject): Promise<LifecyclePlan> {
      const record = await readTransaction(deps, subject);
      if (!record) return GONE;
      const settings = await getTenantSettings(deps.db.pool, record.tenantId);
      const rule = {
        autoConfirm: settings.autoConfirmSelfHosted,
        ...settings.selfHosted,
      };
      const { record: after, outbox } = await confirmSelfHostedTransfer(deps.db, record, rule, deps.now());
      deps.notifyWorkflows(outbox);
      return planOf(after, deps.now());
    },

    /** Ends a wait whose time is over. */
    async expireTransaction(subject: TransactionSubject): Promise<LifecyclePlan> {
      const record = await readTransaction(deps, subject);
      return record ? await changeAndPlan(deps, record, expire) : GONE;
    },
  };
}
