import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { serverProcess, type ServerProcess } from '../../standalone/server-process.ts';
import { keepRunning } from '../../standalone/supervise.ts';

let children: ChildProcess[];
let said: EventEmitter;
let stopping: AbortController;

beforeEach(() => {
  children = [];
  said = new EventEmitter();
  stopping = new AbortController();
});

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

const run = () => ({ log: (line: string): void => void said.emit('line', line), stopping: stopping.signal });

async function start(): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return serverProcess(child, 'SIGTERM', 2000);
}

async function nextLine(): Promise<string> {
  const [line] = (await once(said, 'line')) as [string];
  return line;
}

test('a program that is killed is started again, and that is said', async () => {
  const kept = await keepRunning('api', start, run());
  const line = nextLine();
  children[0]?.kill('SIGKILL');
  await expect(line).resolves.toBe('api ended unexpectedly (SIGKILL); restarting it in 0.2 s');
  await expect(nextLine()).resolves.toBe('api is running again');
  const [, second] = children as [ChildProcess, ChildProcess];
  expect(kept.current().pid).toBe(second.pid);
  // The stop ends once the process has, which this process may hear of a moment later.
  await Promise.all([kept.stop(), once(second, 'exit')]);
  expect(children.map((child) => child.exitCode ?? child.signalCode)).toEqual(['SIGKILL', 'SIGTERM']);
});

test('the pause before the next start grows', async () => {
  const kept = await keepRunning('api', start, run());
  for (const pause of ['0.2', '0.4', '0.8']) {
    const line = nextLine();
    children.at(-1)?.kill('SIGKILL');
    await expect(line).resolves.toContain(`restarting it in ${pause} s`);
    await nextLine();
  }
  await kept.stop();
});

test('a stop is no crash: nothing is said and nothing started', async () => {
  const lines: string[] = [];
  said.on('line', (line: string) => lines.push(line));
  const kept = await keepRunning('api', start, run());
  await kept.stop();
  expect(lines).toEqual([]);
  expect(children).toHaveLength(1);
});

test('a first start that fails is reported instead of repeated', async () => {
  const failing = keepRunning('api', async () => Promise.reject(new Error('no such setting')), run());
  await expect(failing).rejects.toThrow('no such setting');
});

test('nothing is started any more once the end was asked for', async () => {
  await keepRunning('api', start, run());
  stopping.abort();
  const [child] = children;
  child?.kill('SIGKILL');
  if (child) await once(child, 'exit');
  await expect(keepRunning('worker', start, run())).rejects.toThrow('aborted');
  expect(children).toHaveLength(1);
});
