import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { processStart, type ProcessRecord } from '../../standalone/processes.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import { eventually } from '../eventually.ts';

/** What the product writes about itself when it is up. */
interface RunningProduct {
  apiUrl: string;
  consoleUrl: string;
  docsUrl: string;
  temporalUiUrl: string;
  databaseUrl: string;
  operatorKey: string;
  tenants: { name: string; apiKey: string }[];
  partner: { name: string; apiKey: string };
}

interface Command {
  child: ChildProcess;
  output: () => string;
  /** Resolves with the exit code, null when a signal has ended it. */
  ended: Promise<number | null>;
}

const START_LIMIT_MS = 400_000;

/** A state folder of its own, and the commands of the README over it, run from another folder. */
export class Installation {
  readonly home = mkdtempSync(join(tmpdir(), 'waybill-e2e-'));
  readonly file = join(this.home, 'standalone.json');
  readonly #started: ChildProcess[] = [];

  npm(...args: string[]): Command {
    const child = spawn('npm', ['--prefix', projectRoot, ...args], {
      cwd: tmpdir(),
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#started.push(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (text += String(chunk)));
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    return { child, output: () => text, ended };
  }

  #environment(): NodeJS.ProcessEnv {
    return { ...process.env, WAYBILL_HOME: this.home, PORT: '0', RECEIVER_PORT: '0', NODE_OPTIONS: '' };
  }

  /** `npm start`, until everything is up. Throws what it has printed when it ends before. */
  async start(): Promise<Command> {
    const waybill = this.npm('start');
    const isUp = () => waybill.output().includes('Waybill is running');
    await eventually(() => isUp() || waybill.child.exitCode !== null, Boolean, START_LIMIT_MS);
    if (!isUp()) throw new Error(waybill.output());
    return waybill;
  }

  /** Gives lines to a shell in the project's folder. What it prints as complaints includes those of commands that fail. */
  async paste(lines: string): Promise<{ output: string; complaints: string }> {
    const shell = spawn('bash', ['--norc'], {
      cwd: projectRoot,
      // npm may say on stderr what it thinks of the user's settings and of its own age.
      env: { ...this.#environment(), npm_config_loglevel: 'silent' },
    });
    this.#started.push(shell);
    const [output, complaints] = [shell.stdout, shell.stderr].map(textOf);
    shell.stdin.end(lines);
    return { output: await output!, complaints: await complaints! };
  }

  /** Addresses and keys of the last start. */
  running(): RunningProduct {
    return JSON.parse(readFileSync(this.file, 'utf8')) as RunningProduct;
  }

  recorded(part: string): ProcessRecord {
    return JSON.parse(readFileSync(join(this.home, 'run', `${part}.json`), 'utf8')) as ProcessRecord;
  }

  kill(part: string, signal: NodeJS.Signals = 'SIGKILL'): void {
    process.kill(this.recorded(part).pid, signal);
  }

  /** The lines of `ps` of all processes that belong to it. */
  async processes(): Promise<string[]> {
    const list = spawn('ps', ['-eo', 'pid,args']);
    let text = '';
    for await (const chunk of list.stdout) text += String(chunk);
    return text.split('\n').filter((line) => line.includes(this.home) && !line.includes('ps -eo'));
  }

  /** Ends whatever a failed test has left running. */
  async remove(): Promise<void> {
    for (const child of this.#started) if (child.exitCode === null) child.kill('SIGTERM');
    await eventually(
      async () => await this.processes(),
      (left) => left.length === 0,
    );
    rmSync(this.home, { recursive: true, force: true });
  }
}

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

export function isAlive({ pid, startedAt }: ProcessRecord): boolean {
  return processStart(pid) === startedAt;
}
