import { confirmSelfHostedTransfer } from '../../db/lifecycle/confirm-self-hosted.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { fillFiatValues } from '../../domain/transactions/lifecycle/fill-fiat-values.ts';
import { planOf, type LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import {
  changeAndPlan,
  GONE,
  readTransaction,
  type TransactionRef,
  type TransactionDeps,
} from './transaction-access.ts';
import { expire } from '../../domain/transactions/lifecycle/expire.ts';

/** The activities that read a record, confirm it by setting or end its wait. A repeat changes nothing. */
export function stateActivities(deps: TransactionDeps) {
  return {
    /** Reads the row and plans the next step; fills in fiat values that were unknown at creation. */
    async lookAtTransaction(ref: TransactionRef): Promise<LifecyclePlan> {
      const record = await readTransaction(deps, ref);
      if (!record) return GONE;
      const unvalued = record.amountUsd === null && record.amountEur === null;
      const price = deps.priceOf(record.asset);
      if (!unvalued || !price) return planOf(record, deps.now());
      return await changeAndPlan(deps, record, (own, now) => fillFiatValues(own, price, now));
    },

    /**
     * Confirms a transfer with a self-hosted wallet, by a proof of ownership or by setting, or lets it wait for a
     * proof.
     */
    async confirmSelfHosted(ref: TransactionRef): Promise<LifecyclePlan> {
      const record = await readTransaction(deps, ref);
      if (!record) return GONE;
      const settings = await getTenantSettings(deps.db.pool, record.tenantId);
      const rule = {
        autoConfirm: settings.autoConfirmSelfHosted,
        ...settings.selfHosted,
      };
      const { record: confirmed, outbox } = await confirmSelfHostedTransfer(
        deps.db,
        record,
        rule,
        deps.now(),
      );
      deps.notifyWorkflows(outbox);
      return planOf(confirmed, deps.now());
    },

    /** Expires a transaction whose deadline is over. */
    async expireTransaction(ref: TransactionRef): Promise<LifecyclePlan> {
      const record = await readTransaction(deps, ref);
      return record ? await changeAndPlan(deps, record, expire) : GONE;
    },
  };
}
