import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { msOf, percentile } from './statistics.ts';

const SYNCS = 200;
/** A page of PostgreSQL. */
const BYTES = 8_192;

/**
 * How long the disk takes to keep a page, as a text for figures: whoever writes with every request waits so long, whatever its
 * program does.
 */
export async function diskSync(folder: string): Promise<string> {
  const path = join(folder, 'disk-sync');
  const file = await open(path, 'w');
  const times: number[] = [];
  try {
    const page = Buffer.alloc(BYTES, 1);
    for (let n = 0; n < SYNCS; n += 1) {
      await file.write(page, 0, BYTES, n * BYTES);
      times.push(await msOf(async () => await file.datasync()));
    }
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
  const at = (share: number) => percentile(times, share).toFixed(1);
  return `an fdatasync takes p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}
