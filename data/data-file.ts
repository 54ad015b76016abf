import { existsSync } from 'node:fs';

/** The folder of shipped data: this one in the sources; `data` beside `dist` when this file was compiled. */
const folder = existsSync(new URL('./labels/', import.meta.url))
  ? new URL('./', import.meta.url)
  : new URL('../../data/', import.meta.url);

/** Where a file of the data that comes with the product lies, by its path below `data/`. */
export function dataFile(path: string): URL {
  return new URL(path, folder);
}
