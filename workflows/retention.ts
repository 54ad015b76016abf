import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { RetentionCursor } from '../activities/retention/retention-activities.ts';
import { ERASED_KINDS, type ErasedKind } from '../domain/record-retention/kept-record.ts';

const { eraseNext } = proxyActivities<Pick<Activities, 'eraseNext'>>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

interface Counts {
  /** Records that were old enough to be looked at. */
  looked: number;
  erased: number;
  /** Past their retention, but kept. */
  kept: number;
}

type Report = Record<ErasedKind, Counts>;

interface Progress {
  report: Report;
  /** The kinds that are left, and how far the first of them has come. */
  kinds: ErasedKind[];
  after: RetentionCursor | null;
}

/**
 * Erases the records of all tenants that nobody has to keep any longer, oldest first. Returns what it did, for operators. The
 * rows are authoritative: a run that was cut off is made up for by the next one.
 */
export async function retention(progress?: Progress): Promise<Report> {
  const report = progress?.report ?? { transactions: nothing(), claims: nothing(), verifications: nothing() };
  let after = progress?.after ?? null;
  const kinds = progress?.kinds ?? [...ERASED_KINDS];
  for (let [what] = kinds; what; [what] = kinds) {
    const step = await eraseNext({ what, after });
    report[what].looked += step.looked;
    report[what].erased += step.erased;
    report[what].kept += step.kept;
    ({ after } = step);
    if (!after) kinds.shift();
    show(report);
    if (kinds.length > 0 && workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof retention>({ report, kinds, after });
  }
  return report;
}

function nothing(): Counts {
  return { looked: 0, erased: 0, kept: 0 };
}

function show(report: Report): void {
  const lines = ERASED_KINDS.map((what) => {
    const { looked, erased, kept } = report[what];
    return `- ${what}: ${looked} old ones looked at, ${erased} erased, ${kept} kept by a legal hold or for a transfer`;
  });
  setCurrentDetails(lines.join('\n'));
}
