const SAME_KEYSTROKE_MS = 500;

/**
 * Returns a signal that aborts at SIGINT, SIGTERM, the end of the parent process, or a closed terminal. A second request calls
 * `force`; one Ctrl-C arrives twice, from the terminal and from the parent, and counts once.
 */
export function stopSignal(force: () => void): AbortSignal {
  const stop = new AbortController();
  let abortedAt = 0;
  const request = (): void => {
    if (!stop.signal.aborted) {
      abortedAt = Date.now();
      stop.abort();
    } else if (Date.now() - abortedAt > SAME_KEYSTROKE_MS) force();
  };
  process.on('SIGINT', request);
  process.on('SIGTERM', request);
  process.on('disconnect', () => stop.abort());
  // Without a terminal SIGHUP stays unhandled, because nohup has switched it off.
  if (process.stdout.isTTY) process.on('SIGHUP', request);
  return stop.signal;
}
