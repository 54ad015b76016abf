import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../../standalone/project-root.ts';

/** Runs `npm run trp-self-test` with these arguments and settings alone. */
export async function runTrpSelfTest(args: readonly string[], settings: Record<string, string>) {
  const program = join(projectRoot, 'dist/commands/trp-self-test.js');
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return { code: child.exitCode, output, wrong: stepsOf(output, 'WRONG'), left: stepsOf(output, 'left') };
}

/** The steps of one mark, with what was found. */
function stepsOf(output: string, mark: string): string[] {
  const lines = output.split('\n').filter((line) => line.startsWith(`${mark} `));
  return lines.map((line) => line.slice(mark.length).trim());
}
