import type { OpenTransaction } from '../../db/transactions/row.ts';
import { judgeTransaction, type JudgementOutcome } from '../../transaction-screening/judge-transaction.ts';
import type { TestApi } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { releaseDeps } from './release-deps.ts';

/** The judgement on a transaction as its workflow makes it: once the lists, which may just have become active, are loaded. */
export async function untilJudged(
  api: TestApi,
  open: OpenTransaction | undefined,
): Promise<Extract<JudgementOutcome, { kind: 'JUDGED' }>> {
  if (!open) throw new Error('no such transaction');
  const outcome = await eventually(
    async () => await judgeTransaction(releaseDeps(api), open, undefined),
    ({ kind }) => kind !== 'LISTS_LOADING',
  );
  if (outcome.kind !== 'JUDGED') throw new Error(outcome.kind);
  return outcome;
}
