import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../standalone/project-root.ts';
import { eventually } from '../eventually.ts';

interface Running {
  apiUrl: string;
  docsUrl: string;
  temporalUiUrl: string;
  operatorKey: string;
  tenants: { name: string; apiKey: string; webhookSecret: string }[];
}

let home: string;
const started: ChildProcess[] = [];

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'waybill-e2e-'));
});
afterAll(() => {
  for (const child of started) if (child.exitCode === null) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

/** A command of the README, run from somewhere else. */
function npm(...args: string[]): {
  child: ChildProcess;
  output: () => string;
  ended: Promise<number | null>;
} {
  const child = spawn('npm', ['--prefix', projectRoot, ...args], {
    cwd: tmpdir(),
    env: { ...process.env, WAYBILL_HOME: home, PORT: '0', NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, output: () => text, ended };
}

const standaloneFile = () => join(home, 'standalone.json');
const running = () => JSON.parse(readFileSync(standaloneFile(), 'utf8')) as Running;

async function start() {
  const waybill = npm('start');
  const isUp = () => waybill.output().includes('Waybill is running') || waybill.child.exitCode !== null;
  for (let round = 0; round < 6 && !isUp(); round += 1)
    await eventually(isUp, Boolean).catch(() => undefined);
  if (!existsSync(standaloneFile())) throw new Error(waybill.output());
  return waybill;
}

async function processesOfHome(): Promise<string[]> {
  const list = spawn('ps', ['-eo', 'pid,args']);
  let text = '';
  for await (const chunk of list.stdout) text += String(chunk);
  return text.split('\n').filter((line) => line.includes(home) && !line.includes('ps -eo'));
}

test('npm start comes up from any folder, the demo plays, SIGTERM stops everything, and the next start goes on', async () => {
  const first = await start();
  const before = running();
  expect(statSync(standaloneFile()).mode & 0o777).toBe(0o600);
  expect((await fetch(`${before.apiUrl}/health/ready`)).status).toBe(200);
  expect((await fetch(before.docsUrl)).status).toBe(200);
  expect((await fetch(before.temporalUiUrl)).status).toBe(200);
  expect(before.tenants.map((tenant) => tenant.name)).toEqual(['Alpine Exchange', 'Harbour Custody']);

  const demo = npm('run', 'demo');
  expect([await demo.ended, demo.output().includes('Done:')]).toEqual([0, true]);

  first.child.kill('SIGTERM');
  const stoppedAt = performance.now();
  await first.ended;
  await eventually(processesOfHome, (left) => left.length === 0);
  expect(performance.now() - stoppedAt).toBeLessThan(30_000);
  expect(existsSync(standaloneFile())).toBe(false);

  const second = await start();
  const after = running();
  expect(after.operatorKey).toBe(before.operatorKey);
  const [alpine] = after.tenants;
  expect(alpine?.apiKey).toBe(before.tenants[0]?.apiKey);
  const kept = await fetch(`${after.apiUrl}/transactions`, {
    headers: { 'X-Api-Key': alpine?.apiKey ?? '' },
  });
  // What it told Harbour Custody, twice, and the three test VASPs, and the payout to a customer's own wallet.
  expect(await kept.json()).toHaveLength(9);

  second.child.kill('SIGINT');
  await second.ended;
  await eventually(processesOfHome, (left) => left.length === 0);
});
