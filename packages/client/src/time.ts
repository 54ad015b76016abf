/** The longest time of a timer of Node: with more it would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits. Rejects with the reason of the signal as soon as it is aborted. `onStart` gets a function that ends the pause
 * early.
 */
export async function pause(
  ms: number,
  signal: AbortSignal | undefined,
  onStart?: (end: () => void) => void,
): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const settle = (finish: () => void) => () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      finish();
    };
    const onAbort = settle(() => reject(signal?.reason as Error));
    const end = settle(resolve);
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
    onStart?.(end);
  });
}

/** A signal that aborts after a time, or with the caller's. */
export interface TimeLimit {
  signal: AbortSignal;
  /** Ends its timer, and its listener at the caller's signal. */
  clear(): void;
}

/** Begins a time limit of at most 24 days. */
export function startTimeLimit(ms: number, callerSignal: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const onAbort = () => controller.abort(callerSignal?.reason);
  const onLate = () => controller.abort(new DOMException(`Not done within ${ms} ms.`, 'TimeoutError'));
  const timer = setTimeout(onLate, Math.min(ms, LONGEST_TIMER_MS));
  if (callerSignal?.aborted) onAbort();
  callerSignal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', onAbort);
    },
  };
}
