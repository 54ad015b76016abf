import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { cpuSeconds } from './cpu-seconds.mjs';

const SHOWN = 20;

/** Prints which test files took longest and which used most CPU, and what the whole run used. */
export default class CostReporter {
  #rootDir;
  #folder = mkdtempSync(join(tmpdir(), 'waybill-costs-'));

  constructor({ rootDir }) {
    this.#rootDir = rootDir;
    // The processes that run the tests inherit it; see node-environment.mjs.
    process.env.WAYBILL_TEST_COSTS = join(this.#folder, 'cpu.jsonl');
    process.on('exit', () => rmSync(this.#folder, { recursive: true, force: true }));
  }

  onRunComplete(_contexts, { testResults }) {
    const runs = this.#runs();
    const cpu = new Map(runs.map(({ path, seconds }) => [path, seconds]));
    const processes = new Set(runs.map(({ pid }) => pid)).size;
    const costs = testResults.map(({ testFilePath: path, perfStats }) => ({
      name: relative(this.#rootDir, path),
      wall: (perfStats.end - perfStats.start) / 1_000,
      cpu: cpu.get(path) ?? 0,
    }));
    const tables = ['wall', 'cpu'].map((by) => tableOf(costs, by));
    const inFiles = costs.reduce((sum, cost) => sum + cost.cpu, 0);
    // The servers of the run are counted once they have ended, which is after the last report.
    process.on('exit', () => {
      const whole = cpuSeconds();
      const sum = `CPU: ${seconds(whole)} s in all, ${seconds(inFiles)} s of it in the test files.`;
      // A run of one file is in this process, whose console jest has replaced by one that it closes.
      const ran = `${runs.length} test files in ${processes} processes; the last file of one and why:`;
      const lines = [...tables, sum, ran, ...this.#lastOfProcesses(runs)];
      process.stdout.write(`${lines.join('\n')}\n`);
    });
  }

  /** The files that have changed something that the next file could find, and what it was; see node-environment.mjs. */
  #lastOfProcesses(runs) {
    return runs
      .filter(({ changes }) => changes.length > 0)
      .map(({ path, changes }) => `  ${relative(this.#rootDir, path)}: ${changes.join(', ')}`);
  }

  #runs() {
    const file = process.env.WAYBILL_TEST_COSTS;
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  }
}

function tableOf(costs, by) {
  const top = costs.toSorted((a, b) => b[by] - a[by]).slice(0, SHOWN);
  const rows = top.map(({ name, wall, cpu }) => `${seconds(wall)} ${seconds(cpu)}  ${name}`);
  const title = by === 'wall' ? 'longest' : 'with most CPU time, processes that it started included';
  return [`The test files ${title}:`, ' wall s   cpu s', ...rows].join('\n');
}

function seconds(value) {
  return value.toFixed(1).padStart(7);
}
