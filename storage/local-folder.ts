import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ObjectMissing, requireKey, type Storage } from './storage.ts';

/** Stores objects as files below a folder, readable by this user only. */
export function localFolder(folder: string): Storage {
  const root = resolve(folder);
  const pathOf = (key: string) => join(root, requireKey(key));
  return {
    async put(key, content) {
      const path = pathOf(key);
      const folder = dirname(path);
      const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 });
      // The file gets its own name only when all of it is on the disk; then the folders are synced, so that the name is, too.
      const partial = partOf(path);
      try {
        await writeWhole(partial, content);
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
      await syncFolders(folder, firstMade === undefined ? folder : dirname(firstMade));
    },
    async get(key) {
      const file = await open(pathOf(key), 'r').catch(refuseMissing);
      return file.createReadStream();
    },
    async delete(key) {
      // A process that was killed while writing leaves a partial file.
      for (const path of [pathOf(key), partOf(pathOf(key))]) await rm(path, { force: true });
    },
  };
}

function partOf(path: string): string {
  return `${path}.part`;
}

async function writeWhole(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of content) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs the folders from `inner` outwards to `outer`. */
async function syncFolders(inner: string, outer: string): Promise<void> {
  const handle = await open(inner, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (inner !== outer) await syncFolders(dirname(inner), outer);
}

function refuseMissing(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? new ObjectMissing() : error;
}
