import { findTestReceiver } from '../../db/lifecycle/find-test-receiver.ts';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { testVaspAnswer } from '../../domain/transactions/test-vasps/test-vasp-answer.ts';
import type { StepDeps } from './transaction-step.ts';

/**
 * Responds on the record of the test VASP that received the message. A repeat does nothing. False when no test VASP has
 * received it, or when it has been answered before.
 */
export async function answerAsTestVasp({ db, now, notifyWorkflows }: StepDeps, id: string): Promise<boolean> {
  const receiver = await findTestReceiver(db.pool, id);
  if (!receiver) return false;
  const at = now();
  const { outbox } = await changeTransaction(db, {
    tenantId: receiver.tenantId,
    id: receiver.id,
    now: at,
    decide: (own, counterpart) => testVaspAnswer(own, counterpart, receiver.behaviour, at),
  });
  notifyWorkflows(outbox);
  return outbox.length > 0;
}
