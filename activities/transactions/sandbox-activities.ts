import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { findTestReceiver } from '../../db/lifecycle/find-test-receiver.ts';
import { planOf, type LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import { testVaspAnswer } from '../../domain/transactions/test-vasps/test-vasp-answer.ts';
import {
  GONE,
  readTransaction,
  type TransactionSubject,
  type TransactionDeps,
} from './transaction-access.ts';

/** The step that only a sandbox has: its counterparties answer by themselves. Doing it twice answers once. */
export function sandboxActivities(deps: TransactionDeps) {
  return {
    /** Decides, as the test VASP that the message reached, on that tenant's record. */
    async answerAsTestVasp(subject: TransactionSubject): Promise<LifecyclePlan> {
      const receiver = await findTestReceiver(deps.db.pool, subject.id);
      if (receiver) {
        const { tenantId, id, behaviour } = receiver;
        const now = deps.now();
        const { outbox } = await changeTransaction(deps.db, {
          tenantId,
          id,
          now,
          decide: (own, counterpart) => testVaspAnswer(own, counterpart, behaviour, now),
        });
        deps.notifyWorkflows(outbox);
      }
      const record = await readTransaction(deps, subject);
      return record ? planOf(record, deps.now()) : GONE;
    },
  };
}
