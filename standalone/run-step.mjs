import { spawn } from 'node:child_process';
import process from 'node:process';

const FIRST_LINE_MS = 2000;
const NEXT_LINES_MS = 10_000;

/** Runs a command to its end and prints a line when it takes over two seconds. Throws its output when it fails. */
export async function runStep(label, command, args, cwd, env = process.env) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  let hasPrinted = false;
  let timer;
  const say = () => {
    console.log(hasPrinted ? `${label}: still running (${seconds()})` : `${label} ...`);
    hasPrinted = true;
    timer = setTimeout(say, NEXT_LINES_MS);
  };
  timer = setTimeout(say, FIRST_LINE_MS);
  try {
    await finished(label, command, args, cwd, env);
  } finally {
    clearTimeout(timer);
  }
  if (hasPrinted) console.log(`${label}: done (${seconds()})`);
}

function finished(label, command, args, cwd, env) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (chunk) => {
    output += chunk;
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const stop = (signal) => {
    child.kill(signal);
    process.exit(130);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${label} failed: ${error.message}`)));
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${output.trim()}\n${label} failed.`));
    });
  }).finally(() => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  });
}
