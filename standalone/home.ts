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

/** A relative WAYBILL_HOME is resolved from the current folder; without one, the home is .waybill in the project's folder. */
export function homeFolder(given: string | undefined): string {
  return given ? resolve(given) : join(projectRoot, '.waybill');
}

/** Files that this user must be able to write; after a start as root they belong to root. */
const OWN_FILES = ['logs', 'ports.json', 'run', 'secrets.json', 'storage', 'temporal.db'];

/** Creates the folder for this user alone. Throws an error for the user when it cannot be used. */
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
      `This user cannot use the folder ${home} or its files${code}. Set WAYBILL_HOME to a folder of your own.`,
      {
        cause: error,
      },
    );
  }
}

/** Replaces Node's recursive mkdir, which gives its mode to the parent folders too and never ends below /proc. */
function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode });
}

/** Writes JSON that only this user can read, in one step: readers never see a partial file. */
export function writePrivate(file: string, value: unknown): void {
  const partial = `${file}.new`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(partial, file);
}

/** Reads a file of `writePrivate`; undefined when it does not exist. Throws an error for the user when it is damaged. */
export function readPrivate<T>(file: string, schema: z.ZodType<T>): T | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new Error(
      `${file} is damaged: restore it from a backup, or set WAYBILL_HOME to start with a new folder`,
    );
  }
}

/** Creates an empty log file; the previous one is kept as <name>.1.log. */
export function freshLog(home: string, name: string): string {
  const folder = join(home, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${name}.log`);
  if (existsSync(file)) renameSync(file, join(folder, `${name}.1.log`));
  writeFileSync(file, '', { mode: 0o600 });
  return file;
}
