import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  endLeftovers,
  endProcess,
  processStart,
  recordProcess,
  runningProcess,
} from '../../standalone/processes.ts';

let folder: string;
let children: ChildProcess[];
let said: string[];
const log = (line: string): void => void said.push(line);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'processes-'));
  children = [];
  said = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** A process that says when it runs; a stubborn one ignores every polite signal. */
async function start({ stubborn = false } = {}): Promise<ChildProcess & { pid: number }> {
  const ignore = "for (const s of ['SIGINT', 'SIGTERM']) process.on(s, () => {});";
  const script = `${stubborn ? ignore : ''} setInterval(() => {}, 1000); console.log('up')`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child as unknown as ChildProcess & { pid: number };
}

test('what a killed parent left behind is ended at the next start, and its PID file goes', async () => {
  // A parent of its own that starts a child, tells its number, and is then killed.
  const script = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'],
      { detached: true, stdio: 'ignore' });
    console.log(child.pid); setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(parent);
  const [output] = (await once(parent.stdout, 'data')) as [Buffer];
  const orphan = Number(output.toString());
  recordProcess(folder, 'server', orphan, 'node');
  const parentGone = once(parent, 'exit');
  parent.kill('SIGKILL');
  await parentGone;
  expect(processStart(orphan)).toBeDefined();

  await endLeftovers(folder, log);

  expect(processStart(orphan)).toBeUndefined();
  expect(existsSync(join(folder, 'server.json'))).toBe(false);
  expect(said).toEqual([expect.stringContaining(`process ${orphan}`)]);
});

test('a process that has only the number of the recorded one is left alone', async () => {
  const stranger = await start();
  recordProcess(folder, 'server', stranger.pid, 'node');
  const file = join(folder, 'server.json');
  const record = JSON.parse(readFileSync(file, 'utf8')) as { startedAt: string };
  writeFileSync(file, JSON.stringify({ ...record, startedAt: `${record.startedAt}0` }));

  await endLeftovers(folder, log);

  expect(processStart(stranger.pid)).toBeDefined();
  expect(existsSync(file)).toBe(false);
  expect(said).toEqual([]);
});

test.each([
  ['an empty file', ''],
  ['a number that stands for a whole group of processes', '{"pid":0,"startedAt":"x"}'],
  ['a negative number', '{"pid":-1,"startedAt":"x"}'],
])('a damaged PID file (%s) ends nothing and goes away', async (_, content) => {
  writeFileSync(join(folder, 'server.json'), content);
  await endLeftovers(folder, log);
  expect(existsSync(join(folder, 'server.json'))).toBe(false);
  expect(said).toEqual([]);
});

test('the records that are excepted stay', async () => {
  recordProcess(folder, 'standalone', process.pid, 'jest');
  await endLeftovers(folder, log, ['standalone']);
  expect(runningProcess(folder, 'standalone')?.pid).toBe(process.pid);
});

test('a process that does not stop when asked is killed after the limit', async () => {
  const child = await start({ stubborn: true });
  const exited = once(child, 'exit');
  await endProcess(child.pid, 'SIGTERM', 100);
  await expect(exited).resolves.toEqual([null, 'SIGKILL']);
});

test('a process that has ended is not running any more, even before its parent has taken note', async () => {
  const child = await start();
  recordProcess(folder, 'server', child.pid, 'node');
  expect(runningProcess(folder, 'server')).toMatchObject({ pid: child.pid, command: 'node' });
  await endProcess(child.pid, 'SIGTERM', 2000);
  expect(runningProcess(folder, 'server')).toBeUndefined();
});
