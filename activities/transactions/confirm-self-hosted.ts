import { confirmSelfHostedTransfer } from '../../db/lifecycle/confirm-self-hosted.ts';
import { MessagePaused, pauseMessage } from '../../db/lifecycle/pause-message.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { changed, type StepDeps, type StepResult } from './transaction-step.ts';

/**
 * Confirms a transfer with a self-hosted wallet, by a proof of ownership or by setting, or lets it wait for a proof. A
 * payout of a tenant that sends nothing now waits for the end of the brake.
 */
export async function confirmSelfHosted(deps: StepDeps, open: OpenTransaction): Promise<StepResult> {
  const now = deps.now();
  try {
    return changed(deps, open, await confirmSelfHostedTransfer(deps.db, open.record, now));
  } catch (error) {
    if (!(error instanceof MessagePaused)) throw error;
    return changed(deps, open, await pauseMessage(deps.db, open.record, error.brakeId, now));
  }
}
