import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { projectRoot } from './project-root.ts';

/** A relative WAYBILL_HOME is meant from where one stands; without one, everything is kept in the project's folder. */
export function homeFolder(given: string | undefined): string {
  return given ? resolve(given) : join(projectRoot, '.waybill');
}

/** What must be ours: a start as root leaves them to root. */
const OWN_FILES = ['logs', 'ports.json', 'run', 'secrets.json', 'storage', 'temporal.db'];

/** Makes the folder, for this user alone. Throws a clear message when it cannot be used. */
export function openHome(home: string): void {
  try {
    makeFolder(home, 0o700);
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const name of OWN_FILES) {
      if (existsSync(join(home, name))) accessSync(join(home, name), constants.R_OK | constants.W_OK);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new Error(
      `The folder ${home}, or what is in it, cannot be used by this user${code}. Set WAYBILL_HOME to a folder of your own.`,
      {
        cause: error,
      },
    );
  }
}

/** Node's own recursive mkdir gives its mode to the folders above, too, and never ends below /proc. */
function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode });
}

/** Writes JSON for this user's eyes only, in one step: whoever reads the file never sees a half of it. */
export function writePrivate(file: string, value: unknown): void {
  const partial = `${file}.new`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(partial, file);
}

/** What was written; undefined when there is no such file. Throws a clear message when it is damaged. */
export function readPrivate<T>(file: string, schema: z.ZodType<T>): T | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new Error(
      `${file} is damaged: put it back from a backup, or set WAYBILL_HOME to begin anew elsewhere`,
    );
  }
}

/** An empty log file; the one of the start before is kept as <name>.1.log. */
export function freshLog(home: string, name: string): string {
  const folder = join(home, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${name}.log`);
  if (existsSync(file)) renameSync(file, join(folder, `${name}.1.log`));
  writeFileSync(file, '', { mode: 0o600 });
  return file;
}
