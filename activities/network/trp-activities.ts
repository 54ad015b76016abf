import { ApplicationFailure } from '@temporalio/common';
import { beginNotice, endNotice, endTold, type NoticeTurn } from '../../db/trp/pending-notice.ts';
import { retryWrite } from '../../db/retry-write.ts';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { checkWebhookUrl } from '../../domain/webhooks/endpoint-url.ts';
import type { TransactionRecord, WithdrawalStage } from '../../domain/transactions/record.ts';
import { dueNotice } from '../../domain/trp/due-notice.ts';
import { isWithdrawnUnknown, withdrawalKnown } from '../../domain/trp/withdrawn-inquiry.ts';
import { sendInquiry, type TrpDeps } from './send-inquiry.ts';

/** For how long another VASP is told of a change, as messages are tried for 72 hours. */
const GIVE_UP_MS = 72 * 3_600_000;

export type TrpNoticeResult = 'TOLD' | 'NOTHING_WAITS' | 'GAVE_UP';

/** The activities that call other VASPs by the Travel Rule Protocol. */
export function trpActivities(deps: TrpDeps) {
  return {
    sendInquiry: async (input: Parameters<typeof sendInquiry>[1]) => await sendInquiry(deps, input),

    /**
     * Tells another VASP what has changed of its record, which the gateway keeps; `id` is that of the TRP transfer. Fails, to be
     * tried again, while it does not take it, for 72 hours from the change.
     */
    async sendTrpNotice({ id }: { id: string }): Promise<TrpNoticeResult> {
      const { db, trp } = deps;
      const pending = await beginNotice(db, id);
      if (!pending) return 'NOTHING_WAITS';
      const { turn, transfer, record } = pending;
      const { direction, told, requestIdentifier, secrets, replacedFor } = transfer;
      const isReplaced = replacedFor !== null;
      const facts = { direction, told, peerCallback: secrets.peerCallback, isReplaced };
      const notice = dueNotice(facts, record, `${trp.url}/trp/confirmations/${secrets.token}`);
      if (!notice) {
        if (!isReplaced) await logWithdrawal(deps, record, 'UNTOLD');
        await endNotice(db.pool, turn);
        return 'NOTHING_WAITS';
      }
      const checked = checkWebhookUrl(notice.callback, trp.rules);
      if (!checked.ok) return await giveUp(deps, turn);
      const { url } = checked;
      const sent = await trp.places(
        { what: 'NOTICE', tenantId: transfer.tenantId, host: url.host },
        async () => await trp.client.notify(url, requestIdentifier, notice.body),
      );
      if (sent.ok) {
        const now = deps.now();
        await retryWrite(async () => await endTold(db.pool, { turn, told: notice.told, now }));
        if (!isReplaced) await logWithdrawal(deps, record, 'TOLD');
        return 'TOLD';
      }
      const { fault, statusCode } = sent;
      deps.reportTrpFault({ host: url.host, fault, statusCode });
      // With 409 it says that the first word counts, and it has another one: no repeat changes that.
      const isOver = deps.now().getTime() > record.updatedAt.getTime() + GIVE_UP_MS;
      if (isOver || statusCode === 409) return await giveUp(deps, turn);
      throw ApplicationFailure.retryable(
        `The other VASP did not take the notice (${fault}, ${statusCode ?? 'no answer'}); it is tried again.`,
        'NOTICE_NOT_TAKEN',
      );
    },
  };
}

/** Logs what is known of a message that was withdrawn before its delivery; every other one has a record at the gateway that says it. */
async function logWithdrawal(
  { db, now }: TrpDeps,
  record: TransactionRecord,
  stage: WithdrawalStage,
): Promise<void> {
  if (!isWithdrawnUnknown(record)) return;
  const { tenantId, id } = record;
  const at = now();
  const decide = (own: TransactionRecord) => withdrawalKnown(own, stage, at);
  await changeTransaction(db, { tenantId, id, now: at, decide });
}

async function giveUp({ db }: TrpDeps, turn: NoticeTurn): Promise<TrpNoticeResult> {
  await endNotice(db.pool, turn);
  return 'GAVE_UP';
}
