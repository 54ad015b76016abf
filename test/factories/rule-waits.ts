import { settleScreening } from '../../db/lifecycle/settle-screening.ts';
import { findOpenTransaction } from '../../db/transactions/find-transaction.ts';
import { planOf } from '../../domain/transactions/lifecycle/next-step.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { judgeTransaction } from '../../transaction-screening/judge-transaction.ts';
import type { TransactionJudgement } from '../../db/lifecycle/settle-screening.ts';
import type { Json, TestApi } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { releaseDeps } from './release-deps.ts';
import { configurations, draft, rule } from './rules.ts';
import type { TestTenant } from './tenant.ts';
import { createTransaction, readTransaction } from './transaction.ts';

type TransactionBody = Parameters<typeof createTransaction>[1];

/** Transfers that a rule lets wait, without workflows: a test does what they would do. */
export interface RuleWaits {
  /** Publishes a rule that lets transfers wait for ten hours; what it does not apply to proceeds. */
  publish: (of: TestTenant, direction: 'OUTGOING' | 'INCOMING', conditions: Json) => Promise<void>;
  /** Judges a transfer, without storing the verdict. */
  judge: (of: TestTenant, id: string) => Promise<TransactionJudgement>;
  /** Judges a transfer, and stores the verdict. */
  screen: (of: TestTenant, id: string) => Promise<void>;
  /** An OUTGOING transfer that waits under a rule with these conditions. */
  waiting: (of: TestTenant, conditions: Json, body?: TransactionBody) => Promise<Transaction>;
  /** What the workflow does next: the new subStatus of a transfer that was woken and decided again, or 'not woken'. */
  decidedAgain: (of: TestTenant, transfer: { id: string }) => Promise<string | null>;
}

export function ruleWaits(api: TestApi): RuleWaits {
  const judge: RuleWaits['judge'] = async (of, id) => {
    const outcome = await eventually(
      async () => {
        const open = await findOpenTransaction(api.db, of.id, id);
        if (!open) throw new Error('no such transaction');
        return await judgeTransaction(releaseDeps(api), open, undefined);
      },
      ({ kind }) => kind === 'JUDGED',
    );
    if (outcome.kind !== 'JUDGED') throw new Error(outcome.kind);
    return outcome.settlement;
  };
  const screen: RuleWaits['screen'] = async (of, id) => {
    await eventually(
      async () => await settleScreening(api.db, await judge(of, id)),
      (settled) => settled !== 'STALE',
    );
  };
  const publish: RuleWaits['publish'] = async (of, direction, conditions) => {
    const { id } = (await configurations(of))[direction];
    const rules = [rule({ conditions, decision: 'WAIT', waitMinutes: 600 })];
    expect((await draft(of, id, rules, { defaultDecision: 'PROCEED' })).status).toBe(200);
    expect((await of.post(`/rule-engine/${id}/publish`, { comment: 'for a test' })).status).toBe(201);
  };
  return {
    publish,
    judge,
    screen,
    async waiting(of, conditions, body = {}) {
      await publish(of, 'OUTGOING', conditions);
      const parties = { originator: { name: 'Anna' }, beneficiary: { name: 'Jonas' } };
      const sent = await createTransaction(of, { ...parties, ...body });
      await screen(of, sent.id);
      expect((await readTransaction(of, sent.id)).subStatus).toBe('WAITING');
      return sent;
    },
    async decidedAgain(of, { id }) {
      const open = await findOpenTransaction(api.db, of.id, id);
      if (!open || planOf(open.record, new Date()).step !== 'SCREEN') return 'not woken';
      expect(api.outbox.some(({ subjectId }) => subjectId === id)).toBe(true);
      await screen(of, id);
      return (await readTransaction(of, id)).subStatus;
    },
  };
}
