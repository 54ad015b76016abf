/**
 * Yields rows batch by batch, each read by a statement of its own, so that a slow reader holds neither a connection nor
 * more than one batch. `read` gets the last row before the batch, undefined for the first.
 */
export async function* inBatches<R>(
  size: number,
  read: (last: R | undefined, size: number) => Promise<R[]>,
): AsyncGenerator<R> {
  let last: R | undefined;
  for (;;) {
    const rows = await read(last, size);
    yield* rows;
    last = rows.at(-1);
    if (rows.length < size) return;
  }
}
