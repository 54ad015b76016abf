import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ScanStep } from '../activities/blockchain/scan-activities.ts';
import { ROW_CHANGED, attributes, type RecordSubject } from './contract.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

// Retried without limit: when a node is down for an hour, nothing is lost, and the scan continues where it was.
const { scanChain } = proxyActivities<Pick<Activities, 'scanChain'>>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Reads the blocks of one blockchain for all verifications that wait for a transfer on it. The cursor is in the
 * database: the next run continues where a lost one stopped. Ends when nothing waits; the worker starts it again when
 * something does.
 */
export async function blockchainScan({ id }: RecordSubject): Promise<string> {
  let queued = false;
  setHandler(rowChangedSignal, () => {
    queued = true;
  });
  let shown = '';
  for (;;) {
    queued = false;
    const step = await scanChain({ id });
    if (step.outcome !== 'SCANNED') {
      if (queued) continue;
      return end(step.outcome);
    }
    const details = detailsOf(step);
    if (details !== shown) setCurrentDetails(details);
    shown = details;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof blockchainScan>({ id });
    if (step.pauseMs > 0) await condition(() => queued, step.pauseMs, { summary: 'next read of the chain' });
  }
}

type ScanResult = Extract<ScanStep, { outcome: 'SCANNED' }>;

function detailsOf({ height, tipHeight, waiting }: ScanResult): string {
  const behind = tipHeight - height;
  return [
    `**SCANNING**: block ${height}${behind > 0 ? `, ${behind} behind the newest` : ''}.`,
    waiting === 1
      ? '1 verification waits for a transfer.'
      : `${waiting >= 1_000 ? 'At least ' : ''}${waiting} verifications wait for a transfer.`,
    'Signal `rowChanged` reads the chain now.',
  ].join('\n\n');
}

function end(outcome: 'IDLE' | 'NOT_CONFIGURED'): string {
  const reason =
    outcome === 'IDLE'
      ? 'no verification waits for a transfer'
      : 'this deployment has no node of the chain any more';
  setCurrentDetails(`**${outcome}**: ${reason}.`);
  upsertSearchAttributes([
    { key: attributes.status, value: outcome },
    { key: attributes.waitingFor, value: 'NOTHING' },
  ]);
  return outcome;
}
