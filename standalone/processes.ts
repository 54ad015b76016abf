import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProgressLog } from './progress.ts';

const POLL_MS = 20;
const LEFTOVER_LIMIT_MS = 5000;

/** Contents of a PID file. startedAt comes from the operating system, so that a reused process id is noticed. */
export interface ProcessRecord {
  pid: number;
  startedAt: string;
  command: string;
}

/** The start time of a process as the operating system writes it; undefined when no such process runs. */
export function processStart(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxProcessStart(pid);
  return ask('ps', ['-o', 'lstart=', '-p', String(pid)]) || undefined;
}

function linuxProcessStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name, may hold spaces and brackets: count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    const ticks = fields[19];
    if (state === 'Z' || ticks === undefined) return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`;
  } catch {
    return undefined;
  }
}

/** The command line of a running process; '' when it is unknown. */
export function processCommand(pid: number): string {
  if (process.platform !== 'linux') return ask('ps', ['-o', 'command=', '-p', String(pid)]);
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

function ask(program: string, args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}

/** Writes the PID file of a process that this home has started; writes nothing when the process has ended already. */
export function recordProcess(folder: string, name: string, pid: number | undefined, command: string): void {
  const startedAt = pid === undefined ? undefined : processStart(pid);
  if (pid === undefined || startedAt === undefined) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const record: ProcessRecord = { pid, startedAt, command };
  writeFileSync(fileOf(folder, name), JSON.stringify(record), { mode: 0o600 });
}

function fileOf(folder: string, name: string): string {
  return join(folder, `${name}.json`);
}

/** Reads the PID file of that name; undefined unless the recorded process is still running. */
export function runningProcess(folder: string, name: string): ProcessRecord | undefined {
  const record = readRecord(fileOf(folder, name));
  return record && processStart(record.pid) === record.startedAt ? record : undefined;
}

function readRecord(file: string): ProcessRecord | undefined {
  try {
    const { pid, startedAt, command } = JSON.parse(readFileSync(file, 'utf8')) as Partial<ProcessRecord>;
    if (typeof pid !== 'number' || pid <= 1 || typeof startedAt !== 'string') return undefined;
    return { pid, startedAt, command: command ?? '' };
  } catch {
    return undefined;
  }
}

/** Ends every recorded process of a run that was killed, and removes the PID files. */
export async function endLeftovers(
  folder: string,
  log: ProgressLog,
  except: readonly string[] = [],
): Promise<void> {
  const names = recordedNames(folder).filter((name) => !except.includes(name));
  await Promise.all(
    names.map(async (name) => {
      const record = runningProcess(folder, name);
      if (record) {
        log(`Ending ${name} (process ${record.pid}), left behind by a run that was killed`);
        // All our processes stop quickly and in order at SIGINT; at SIGTERM PostgreSQL would wait for its clients.
        await endProcess(record.pid, 'SIGINT', LEFTOVER_LIMIT_MS);
      }
      rmSync(fileOf(folder, name), { force: true });
    }),
  );
}

/** Kills all recorded processes at once. PostgreSQL gets SIGQUIT, which it recovers from. */
export function killRecorded(folder: string, except: readonly string[] = []): void {
  for (const name of recordedNames(folder).filter((other) => !except.includes(other))) {
    const record = runningProcess(folder, name);
    if (record) sendSignal(record.pid, name === 'postgres' ? 'SIGQUIT' : 'SIGKILL');
  }
}

function recordedNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .map((file) => file.slice(0, -'.json'.length));
  } catch {
    return [];
  }
}

/** Sends a process the signal and kills it after limitMs. Never touches a later process with the same id. */
export async function endProcess(pid: number, signal: NodeJS.Signals, limitMs: number): Promise<void> {
  const startedAt = processStart(pid);
  if (startedAt === undefined) return;
  sendSignal(pid, signal);
  if (await endsWithin(pid, startedAt, limitMs)) return;
  sendSignal(pid, 'SIGKILL');
  await endsWithin(pid, startedAt, 2000);
}

async function endsWithin(pid: number, startedAt: string, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (processStart(pid) === startedAt) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in the meantime.
  }
}
