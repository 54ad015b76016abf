import { findUnmadeExport, giveExportUp } from '../../db/exports/store-export.ts';
import { whileHeartbeating } from '../heartbeat.ts';
import { makeExportFile, type ExportDeps } from './make-export.ts';

/** The result of an attempt at an export; NOTHING_WAITS: it was made before, or was given up. */
type ExportStep = { status: 'READY' | 'NOTHING_WAITS'; rows: number };

const HEARTBEAT_MS = 2_000;

/** The activities of `dataExport`. */
export function exportActivities(deps: ExportDeps) {
  return {
    /** Makes the file of an export. Repeats are safe: each attempt writes a file of its own. */
    async makeExport({ id }: { id: string }): Promise<ExportStep> {
      const unmade = await findUnmadeExport(deps.db, id);
      if (!unmade) return { status: 'NOTHING_WAITS', rows: 0 };
      const make = async (signal: AbortSignal) => await makeExportFile(deps, unmade, signal);
      const { rows } = await whileHeartbeating(HEARTBEAT_MS, make);
      return { status: 'READY', rows };
    },
    /** Gives up an export that cannot be made. */
    async giveExportUp({ id }: { id: string }): Promise<void> {
      await giveExportUp(deps.db.pool, id, deps.now());
    },
  };
}
