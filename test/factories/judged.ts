import { settleScreening } from '../../db/lifecycle/settle-screening.ts';
import { findTransactionOfWorkflow } from '../../db/transactions/find-transaction.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { SCREENING_DEFAULTS } from '../../domain/sanctions-screening/settings.ts';
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

/** Screens a transaction and lets the published rules decide it, as its workflow does. */
export async function settleJudged(api: TestApi, id: string): Promise<void> {
  const { settlement } = await untilJudged(api, await findTransactionOfWorkflow(api.db, id));
  if ((await settleScreening(api.db, settlement)) === 'STALE') throw new Error('something has just changed');
}

/** Resolves once the lists are in memory, from where names of transfers are judged. */
export async function untilListsLoaded(api: TestApi, tenantId: string): Promise<void> {
  const request = {
    tenantId,
    settings: SCREENING_DEFAULTS,
    hasSuppressions: false,
    askedBy: { kind: 'SYSTEM', id: null } as const,
    subject: { kind: 'NAME', body: { name: 'Nobody Whom a List Names' } } as const,
  };
  await eventually(
    async () => await api.deps.subjects.prepare(request),
    ({ screening }) => screening.answeredBy === 'INDEX',
  );
}

/** Marks all lists as compared with what is open, as the worker does a while after a new version, and waits until they are in memory. */
export async function untilListsCompared(api: TestApi, tenantId: string): Promise<void> {
  await markListsCompared(api);
  await untilListsLoaded(api, tenantId);
}

/** Marks all lists as compared with what is open. */
export async function markListsCompared({ db }: TestApi): Promise<void> {
  await db.pool.query(
    'update sanctions_versions set rescreened_at = clock_timestamp() where rescreened_at is null',
  );
}
