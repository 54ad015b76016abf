const SAME_KEYSTROKE_MS = 500;

/**
 * Returns a signal that aborts at SIGINT, SIGTERM, the end of the parent process, or a closed terminal. A second request calls
 * `force`; one Ctrl-C arrives twice, from the terminal and from the parent, and counts once.
 */
export function askedToStop(force: () => void): AbortSignal {
  const asked = new AbortController();
  let askedAt = 0;
  const ask = (): void => {
    if (!asked.signal.aborted) {
      askedAt = Date.now();
      asked.abort();
    } else if (Date.now() - askedAt > SAME_KEYSTROKE_MS) force();
  };
  process.on('SIGINT', ask);
  process.on('SIGTERM', ask);
  process.on('disconnect', () => asked.abort());
  // Without a terminal SIGHUP stays unhandled, because nohup has switched it off.
  if (process.stdout.isTTY) process.on('SIGHUP', ask);
  return asked.signal;
}
