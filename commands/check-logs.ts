import type { Database } from '../db/database.ts';
import { checkAuditLogs } from '../db/audit/check-audit-logs.ts';
import type { EventFault } from '../db/events/event-report.ts';
import { verifyEvents } from '../db/events/verify-events.ts';
import { checkSeals } from '../db/seals/check-seals.ts';

const PROGRESS_EVERY = 10_000;

/**
 * Checks the event logs, and unless `only` names one record the daily seals and audit logs too. Prints progress, each fault
 * as soon as it is found, and what was checked. In a backup, days after its latest seals are not sealed yet. Returns the number of
 * faults.
 */
export async function checkLogs(
  db: Pick<Database, 'pool' | 'vault'>,
  only: string | undefined,
  { isBackup = false }: { isBackup?: boolean } = {},
): Promise<number> {
  const { checked, erased, decisions, ...logs } = await verifyEvents(db, only, (done) => {
    if (done % PROGRESS_EVERY === 0) console.log(`${done} event logs checked …`);
  });
  // Printed before the seals are looked at: whatever is wrong with these hides nothing of that.
  printFaults(logs.faults);
  const seals = only === undefined ? await checkSeals(db, new Date(), { isBackup }) : null;
  printFaults(seals?.faults ?? []);
  const audit = only === undefined ? await checkAuditLogs(db) : null;
  printFaults(audit?.faults ?? []);
  const faults = logs.faults.length + (seals?.faults.length ?? 0) + (audit?.faults.length ?? 0);
  if (isBackup)
    console.log(
      `The latest seals are of ${seals?.latest ?? 'no day'}: the worker makes those of later days.`,
    );
  for (const id of erased) console.log(`${id}: ERASED, its payloads cannot be compared with their hashes`);
  const others = seals ? `, ${seals.checked} daily seals, ${audit?.checked ?? 0} audit entries` : '';
  console.log(`${checked} event logs checked${others}: ${faults} faults, ${erased.length} erased.`);
  console.log(
    `${decisions.covered} rule decisions compared with their events, ${decisions.notCovered} not covered: ` +
      'decided before events held their hash, or erased.',
  );
  return faults;
}

/** Prints a line for each fault. A status that somebody wrote into the table may contain anything, other lines included. */
export function printFaults(faults: readonly EventFault[]): void {
  for (const { id, fault } of faults) console.log(`${id}: ${fault.replace(/[^ -~]/g, '?')}`);
}
