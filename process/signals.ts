/**
 * Runs `stop` once, at SIGINT, SIGTERM or the end of the process that started this one, then exits: 0 when `stop` is
 * done, 1 when it fails or takes longer than limitMs.
 */
export function onStop(stop: () => Promise<void>, limitMs: number): void {
  let stopping = false;
  const stopOnce = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), limitMs).unref();
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', stopOnce);
  process.on('SIGTERM', stopOnce);
  process.on('disconnect', stopOnce);
}

/** Tells the process that started this one that the work has begun; nothing when there is none. */
export function reportReady(): void {
  process.send?.('ready');
}
