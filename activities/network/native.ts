import { deliverNative, type JudgeArrival } from '../../db/lifecycle/deliver-native.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import type { ScreeningDeps } from '../../transaction-screening/gather-findings.ts';
import { keepMatches } from '../../transaction-screening/compare-with-lists.ts';
import { judgeTransaction, type JudgementOutcome } from '../../transaction-screening/judge-transaction.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { ReportFailure } from '../failures.ts';
import type { MessageNetwork } from './network.ts';

/** Longer than any verdict without a provider takes. */
const JUDGE_LIMIT_MS = 2_000;

/**
 * Delivers between tenants of this deployment: with the receiver's verdict, in one database transaction. What the
 * receiver's lists have matched is kept once the message has arrived, since it may never arrive.
 */
export function nativeNetwork(screening: ScreeningDeps, report: ReportFailure): MessageNetwork {
  return {
    deliver: async (record, counterparty, now) => {
      let judged: JudgementOutcome | null = null;
      const judge: JudgeArrival = async (arriving) => {
        judged = await judgeInTime(screening, report, arriving);
        return judged?.kind === 'JUDGED' ? judged.settlement : null;
      };
      const delivery = {
        tenantId: record.tenantId,
        id: record.id,
        receiverTenantId: counterparty.tenantId,
        now,
      };
      const delivered = await deliverNative(screening.db, delivery, judge);
      if (delivered) await keepMatchesOf(screening, judged, delivered.incoming);
      return delivered;
    },
  };
}

/**
 * Null where the verdict fails or takes too long: nothing of the receiver may keep the sender's message. It arrives
 * unscreened then, and the receiver's own workflow screens it.
 */
async function judgeInTime(
  screening: ScreeningDeps,
  report: ReportFailure,
  arriving: OpenTransaction,
): Promise<JudgementOutcome | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), JUDGE_LIMIT_MS);
  });
  try {
    return await Promise.race([judgeTransaction(screening, arriving, undefined), late]);
  } catch (error) {
    report('judgeArrival', error);
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/** A record that arrived unscreened after all is screened again, which keeps its own matches. */
async function keepMatchesOf(
  { sanctions }: ScreeningDeps,
  judged: JudgementOutcome | null,
  { id, isScreeningDelayed }: TransactionRecord,
): Promise<void> {
  if (judged?.kind !== 'JUDGED' || judged.settlement.open.record.id !== id || isScreeningDelayed) return;
  await keepMatches(sanctions, judged.compared, judged.settlement.open.record);
}
