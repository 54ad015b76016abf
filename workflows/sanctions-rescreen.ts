import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { RescreenSubject } from './contract.ts';

const { rescreenOpen } = proxyActivities<Pick<Activities, 'rescreenOpen'>>({
  startToCloseTimeout: '5 minutes',
  retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Compares every open transfer with the new entries of a list version; a match is screened by its own workflow. */
export async function sanctionsRescreen({
  code,
  version,
  afterId,
  looked,
  found,
}: RescreenSubject): Promise<string> {
  const sum = { looked, found };
  let next = afterId;
  for (;;) {
    const page = await rescreenOpen({ code, version, afterId: next });
    sum.looked += page.looked;
    sum.found += page.found;
    const status = page.nextId === null ? 'DONE' : 'RUNNING';
    setCurrentDetails(
      `**${status}**: ${code} ${version}: ${sum.looked} open transfers compared, ${sum.found} to be screened again.`,
    );
    if (page.nextId === null) return `${sum.found} of ${sum.looked} open transfers to be screened again`;
    next = page.nextId;
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof sanctionsRescreen>({ code, version, afterId: next, ...sum });
  }
}
