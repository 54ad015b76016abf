import { Context } from '@temporalio/activity';

/**
 * Sends heartbeats of the current activity every `everyMs` while `work` runs, so that Temporal notices a worker that died,
 * and not one that waits for a slow peer or a slow statement. `work` gets the signal that cancels the activity.
 */
export async function whileHeartbeating<T>(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
