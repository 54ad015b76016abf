import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../standalone/project-root.ts';
import { eventually } from '../eventually.ts';

export interface ExampleProcess {
  output: () => string;
  /** Waits until it has printed this. */
  prints: (text: string) => Promise<void>;
  /** Resolves with the exit code, null when a signal has ended it. */
  ended: Promise<number | null>;
  stop: () => Promise<void>;
}

/** Runs a compiled file of the project with Node, with nothing in its environment but `env`. */
export function runExample(file: string, env: Record<string, string>): ExampleProcess {
  const child = spawn(process.execPath, [join(projectRoot, 'dist', file)], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return {
    output: () => output,
    prints: async (text) =>
      void (await eventually(
        () => {
          if (child.exitCode !== null && !output.includes(text)) throw new Error(`it has ended: ${output}`);
          return output;
        },
        (printed) => printed.includes(text),
      )),
    ended,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
