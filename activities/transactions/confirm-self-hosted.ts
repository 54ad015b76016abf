import { confirmSelfHostedTransfer } from '../../db/lifecycle/confirm-self-hosted.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { changed, type StepDeps, type StepResult } from './transaction-step.ts';

/**
 * Confirms a transfer with a self-hosted wallet, by a proof of ownership or by setting, or lets it wait for a proof.
 */
export async function confirmSelfHosted(deps: StepDeps, open: OpenTransaction): Promise<StepResult> {
  return changed(deps, open, await confirmSelfHostedTransfer(deps.db, open.record, deps.now()));
}
