import { Context } from '@temporalio/activity';
import type { OutboxEntry } from '../../db/outbox.ts';
import { queueDueReports } from '../../db/reports/queue-reports.ts';
import { removeOldReports } from '../../db/reports/remove-old-reports.ts';
import { findUnmadeReport, giveReportUp } from '../../db/reports/store-report.ts';
import { whileHeartbeating } from '../heartbeat.ts';
import { makeReportFile, type ReportDeps as FileDeps } from './make-report.ts';

export interface ReportDeps extends FileDeps {
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
}

/** The result of an attempt at a report; NOTHING_WAITS: it was made before, or was given up. */
type ReportStep =
  { status: 'STORED'; month: string; rows: number } | { status: 'NOTHING_WAITS'; month: null; rows: 0 };

const HEARTBEAT_MS = 2_000;

/** The activities of `monthlyReport` and `reportGeneration`. */
export function reportActivities(deps: ReportDeps) {
  const { db, storage, now } = deps;
  return {
    /** Makes the file of a queued report. Repeats are safe: each attempt writes a file of its own. */
    async makeReport({ id }: { id: string }): Promise<ReportStep> {
      const unmade = await findUnmadeReport(db.pool, id);
      if (!unmade) return { status: 'NOTHING_WAITS', month: null, rows: 0 };
      const make = async (signal: AbortSignal) => await makeReportFile(deps, unmade, signal);
      const { rows } = await whileHeartbeating(HEARTBEAT_MS, make);
      return { status: 'STORED', month: unmade.month, rows };
    },
    /** Gives up a report that cannot be made. */
    async giveReportUp({ id }: { id: string }): Promise<void> {
      await giveReportUp(db.pool, id);
    },
    /** Queues the missing reports of the next tenants after `after`; null stands for the first, and for none that is left. */
    async queueDueReports({
      after,
    }: {
      after: string | null;
    }): Promise<{ queued: number; after: string | null }> {
      const { outbox, ...page } = await queueDueReports(db, after, now());
      deps.notifyWorkflows(outbox);
      return page;
    },
    /** Removes reports that are no longer listed, were replaced or given up, with their files. */
    async removeOldReports(): Promise<{ removed: number }> {
      const deleteObject = async (key: string) => {
        Context.current().heartbeat();
        await storage.delete(key);
      };
      return { removed: await removeOldReports(db.pool, deleteObject, now()) };
    },
  };
}
