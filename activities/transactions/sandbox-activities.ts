import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { findTestReceiver } from '../../db/lifecycle/find-test-receiver.ts';
import { planOf, type LifecyclePlan } from '../../domain/transactions/lifecycle/next-step.ts';
import { testVaspAnswer } from '../../domain/transactions/test-vasps/test-vasp-answer.ts';
import { GONE, readTransaction, type TransactionRef, type TransactionDeps } from './transaction-access.ts';

/** The activity of a sandbox, whose test VASPs respond by themselves. A repeat does nothing. */
export function sandboxActivities(deps: TransactionDeps) {
  return {
    /** Responds on the record of the test VASP that received the message. */
    async answerAsTestVasp(ref: TransactionRef): Promise<LifecyclePlan> {
      const receiver = await findTestReceiver(deps.db.pool, ref.id);
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
      const record = await readTransaction(deps, ref);
      return record ? planOf(record, deps.now()) : GONE;
    },
  };
}
