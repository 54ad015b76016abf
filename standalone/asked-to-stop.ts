const SAME_KEYSTROKE_MS = 500;

/**
 * Aborted at SIGINT, SIGTERM, the end of the process that started this one, or a closed terminal. `force` is called
 * when somebody asks again; one Ctrl-C arrives twice, from the terminal and from the parent, and counts once.
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
  // Without a terminal, SIGHUP is left as it is: nohup has switched it off.
  if (process.stdout.isTTY) process.on('SIGHUP', ask);
  return asked.signal;
}
