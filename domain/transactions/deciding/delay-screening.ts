import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { changed, held } from './apply-verdict.ts';
import { needsScreening } from '../screening-due.ts';
import type { TransactionRecord } from '../record.ts';
import { MINUTE_MS, addMs } from '../../durations.ts';

const SHORTEST_RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 5 * MINUTE_MS;

interface ScreeningDelay {
  /** What could not be asked, in a word. */
  what: string;
  maxWaitMinutes: number;
}

/**
 * Screening that cannot be done now is tried again, and after the tenant's limit a person has to look. What is held
 * already, has gone out or was confirmed is tried for as long as it takes: nothing moves by that.
 */
export function delayScreening(
  own: TransactionRecord,
  { what, maxWaitMinutes }: ScreeningDelay,
  now: Date,
): PairChange {
  if (!needsScreening(own) || own.hold !== null) return NO_CHANGE;
  const event: EventDraft = {
    type: 'SCREENING_DELAYED',
    message: 'Screening is not possible now; it is tried again.',
    actor: SYSTEM,
    data: { what },
  };
  if (waitedMs(own, now) >= maxWaitMinutes * MINUTE_MS) return held(own, 'UNSCREENED', event, now);
  if (!isFirstTry(own)) return NO_CHANGE;
  const subStatus = own.sealed || own.status === 'CONFIRMED' ? own.subStatus : 'SCREENING';
  return changed(own, { subStatus, wakeAt: nextScreening(own, now), updatedAt: now }, [event]);
}

/** After half as long again as it has already waited. */
export function nextScreening(own: TransactionRecord, now: Date): Date {
  return addMs(now, Math.min(LONGEST_RETRY_MS, Math.max(SHORTEST_RETRY_MS, waitedMs(own, now) / 2)));
}

function waitedMs({ screeningDueSince, createdAt }: TransactionRecord, now: Date): number {
  return now.getTime() - (screeningDueSince ?? createdAt).getTime();
}

/** It became due and was to be looked at in one moment; every later try was put off. */
function isFirstTry({ subStatus, screeningDueSince, wakeAt }: TransactionRecord): boolean {
  return (
    subStatus !== 'SCREENING' &&
    (wakeAt === null || screeningDueSince === null || wakeAt <= screeningDueSince)
  );
}
