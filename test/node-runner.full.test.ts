import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { lastingPort } from './lasting-port.ts';
import { processStart } from '../standalone/processes.ts';
import { projectRoot } from '../standalone/project-root.ts';
import { eventually } from './eventually.ts';

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { name: string; status: string; message: string }[];
}

let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'waybill-runner-'));
  for (const folder of ['test', 'dist/test']) mkdirSync(join(project, folder), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(project, 'node_modules'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  const { jest } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { jest: object };
  const { globalSetup: _, globalTeardown: __, ...config } = jest as Record<string, unknown>;
  const ofThisProject = JSON.stringify({ ...config, roots: [join(project, 'test')] });
  writeFileSync(join(project, 'jest.json'), ofThisProject.replaceAll('<rootDir>', projectRoot));
});

afterEach(() => rmSync(project, { recursive: true }));

/** Starts test files of these names and contents with our configuration of jest, in one worker. */
function start(files: Record<string, string>): ChildProcess {
  for (const [name, code] of Object.entries(files)) {
    writeFileSync(join(project, 'test', `${name}.test.ts`), code);
    writeFileSync(join(project, 'dist', 'test', `${name}.test.js`), code);
  }
  const jest = join(projectRoot, 'node_modules', 'jest', 'bin', 'jest.js');
  const options = ['--config', 'jest.json', '--rootDir', project, '--maxWorkers=1'];
  const complaints = openSync(join(project, 'complaints'), 'a');
  try {
    return spawn(process.execPath, [jest, ...options, '--json', '--outputFile=report.json'], {
      cwd: project,
      env: { ...process.env, WAYBILL_TEST_COSTS: '' },
      stdio: ['ignore', 'ignore', complaints],
    });
  } finally {
    closeSync(complaints);
  }
}

async function run(files: Record<string, string>): Promise<{ code: number; report: Report }> {
  const [code] = (await once(start(files), 'exit')) as [number];
  return { code, report: JSON.parse(readFileSync(join(project, 'report.json'), 'utf8')) as Report };
}

/** The failed files by name, with what was said of each. */
function failures({ testResults }: Report): Record<string, string> {
  const failed = testResults.filter(({ status }) => status === 'failed');
  return Object.fromEntries(failed.map(({ name, message }) => [basename(name, '.test.ts'), message]));
}

test('whatever goes wrong in a file fails that file, and the run', async () => {
  const passes = `test('passes', () => expect(1).toBe(1));`;
  const { code, report } = await run({
    passes,
    expects: `test('fails', () => expect(1).toBe(2));`,
    imports: `import 'no-such-package'; ${passes}`,
    throws: `${passes} throw new Error('at import');`,
    empty: `export {};`,
    rejects: `test('leaves a rejection', () => void Promise.reject(new Error('nobody waits')));`,
    raises: `afterAll(() => void setImmediate(() => { throw new Error('after the last test'); })); ${passes}`,
    exits: `test('exits', () => process.exit(0));`,
    ends: `test('ends', () => process.reallyExit(0));`,
    dies: `test('dies', () => process.kill(process.pid, 'SIGKILL'));`,
  });
  expect(code).toBe(1);
  expect(failures(report)).toEqual({
    expects: expect.stringContaining('Expected: 2'),
    imports: expect.stringContaining('no-such-package'),
    throws: expect.stringContaining('at import'),
    empty: expect.stringContaining('must contain at least one test'),
    rejects: expect.stringContaining('nobody waits'),
    raises: expect.stringContaining('after the last test'),
    exits: expect.stringContaining('process.exit(0)'),
    ends: expect.stringContaining('crashed'),
    dies: expect.stringContaining('SIGKILL'),
  });
});

test('no file finds what another has changed or left open', async () => {
  const changes = `
    import { createServer } from 'node:http';
    import { Worker } from 'node:worker_threads';
    test('changes what it finds untouched', async () => {
      expect([process.env.CHANGED, globalThis.changed, String(fetch)]).toEqual([undefined, undefined, expect.not.stringContaining('mocked')]);
      process.env.CHANGED = 'yes';
      globalThis.changed = true;
      jest.spyOn(globalThis, 'fetch').mockImplementation(() => 'mocked');
      process.on('SIGTERM', () => undefined);
      setInterval(() => undefined, 1000);
      new Worker('setInterval(() => undefined, 1000)', { eval: true });
      await new Promise((resolve) => createServer().listen(__PORT__, '127.0.0.1', resolve));
    });`.replace('__PORT__', String(await lastingPort()));
  const { code, report } = await run({ first: changes, second: changes });
  expect(failures(report)).toEqual({});
  expect(code).toBe(0);
});

/** A test file that passes and tells in which process it has run. */
const tellsProcess = (folder: string, name: string, change = '') => `
  import { appendFileSync, mkdtempSync } from 'node:fs';
  import { createServer } from 'node:http';
  import { Worker } from 'node:worker_threads';
  import { registerBlockchains } from '${projectRoot}/dist/domain/blockchains.js';
  test('passes', async () => {
    appendFileSync('${folder}/processes', '${name} ' + process.pid + '\\n');
    ${change};
  });`;

/** The files that each process has run. */
function processes(): string[][] {
  const byPid = new Map<string, string[]>();
  for (const line of readFileSync(join(project, 'processes'), 'utf8').trim().split('\n')) {
    const [name = '', pid = ''] = line.split(' ');
    byPid.set(pid, [...(byPid.get(pid) ?? []), name]);
  }
  return [...byPid.values()];
}

test('files that change nothing share a process', async () => {
  const undone = `process.env.CHANGED = 'yes'; delete process.env.CHANGED; jest.spyOn(Math, 'random').mockRestore();
    const server = createServer(); await new Promise((done) => server.listen(0, done)); server.close()`;
  const names = ['first', 'second', 'third'];
  await run(Object.fromEntries(names.map((name) => [name, tellsProcess(project, name, undone)])));
  expect(processes().map((files) => files.toSorted())).toEqual([names]);
  // The process has ended by itself when jest had no more files for it.
  expect(readFileSync(join(project, 'complaints'), 'utf8')).not.toContain('exit gracefully');
});

test('what one file has kept in an asynchronous storage is not copied in the next', async () => {
  const uses = `
    const { AsyncLocalStorage } = await import('node:async_hooks');
    const timer = setTimeout(() => undefined, 1);
    expect(Object.getOwnPropertySymbols(timer).map(String)).toEqual(expect.not.arrayContaining(['Symbol(kResourceStore)']));
    const storage = new AsyncLocalStorage();
    await storage.run('kept', async () => {
      await Promise.resolve();
      expect(storage.getStore()).toBe('kept');
    })`;
  const { code, report } = await run({
    first: tellsProcess(project, 'first', uses),
    second: tellsProcess(project, 'second', uses),
  });
  expect(failures(report)).toEqual({});
  expect(code).toBe(0);
  expect(processes()).toHaveLength(1);
});

test('a file that changes something is the last of its process', async () => {
  const changes = {
    environment: `process.env.CHANGED = 'yes'`,
    global: `globalThis.changed = true`,
    builtIn: `Date.now = () => 0`,
    spy: `jest.spyOn(Math, 'random')`,
    prototype: `Array.prototype.last = () => 1`,
    listener: `process.on('SIGUSR2', () => undefined)`,
    port: `await new Promise((done) => createServer().listen(0, done))`,
    timer: `setInterval(() => undefined, 1000)`,
    thread: `new Worker('setInterval(() => undefined, 1000)', { eval: true }).unref()`,
    folder: `process.chdir(mkdtempSync('${tmpdir()}/waybill-runner-'))`,
    chains: `registerBlockchains([])`,
    matcher: `expect.extend({ toBeOdd: () => ({ pass: true }) })`,
  };
  const files: Record<string, string> = {};
  for (const [name, change] of Object.entries(changes)) files[name] = tellsProcess(project, name, change);
  const { code, report } = await run(files);
  expect(failures(report)).toEqual({});
  expect(code).toBe(0);
  const names = Object.keys(changes).map((name) => [name]);
  expect(processes().toSorted()).toEqual(names.toSorted());
});

test('what is skipped is counted as such', async () => {
  const { code, report } = await run({
    skips: `test('a', () => undefined); test.skip('b', () => undefined);`,
    only: `test('c', () => undefined); test.only('d', () => undefined);`,
  });
  expect([code, report.numPassedTests, report.numPendingTests]).toEqual([0, 2, 2]);
});

test('a process ends with the jest that has started it, whatever its test waits for', async () => {
  const waits = tellsProcess(project, 'waits', 'await new Promise(() => setInterval(() => undefined, 1000))');
  const jest = start({ waits });
  const file = join(project, 'processes');
  // The file is there a moment before its line is.
  const told = await eventually(
    () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
    (text) => text.endsWith('\n'),
  );
  const [, pid = ''] = told.trim().split(' ');
  expect(processStart(Number(pid))).toEqual(expect.any(String));
  jest.kill('SIGKILL');
  await eventually(
    () => processStart(Number(pid)),
    (startedAt) => startedAt === undefined,
  );
});
