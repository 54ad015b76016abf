import { setMaxListeners } from 'node:events';
import { HttpFault } from './http-fault.ts';

export interface Deadline {
  /** Aborted with HttpFault TIMEOUT at the deadline, or with ABORTED when the caller's signal is. */
  signal: AbortSignal;
  /** Rejects with the signal's HttpFault. */
  passed: Promise<never>;
  /** Releases timer and signal; to be called when the exchange is over, whatever its end. */
  end: () => void;
}

/** A deadline that begins now. `AbortSignal.any` is not used: a timeout that only it refers to may be collected unfired. */
export function startDeadline(deadlineMs: number, callers: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = () => controller.abort(new HttpFault('ABORTED'));
  const timer = setTimeout(() => controller.abort(new HttpFault('TIMEOUT')), deadlineMs);
  const passed = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as HttpFault), { once: true });
  });
  if (callers) {
    // One signal may end many requests at once, and `end` takes each listener away again.
    setMaxListeners(0, callers);
    if (callers.aborted) stop();
    else callers.addEventListener('abort', stop, { once: true });
  }
  const end = () => {
    clearTimeout(timer);
    callers?.removeEventListener('abort', stop);
  };
  return { signal, passed, end };
}
