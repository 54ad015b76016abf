import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { ModuleMocker } from 'jest-mock';
import { cpuSeconds } from './cpu-seconds.mjs';

/** Enough to find the line of a test; jest's hundred frames are taken of every error that the product throws, too. */
const STACK_FRAMES = 25;

let isUsed = false;

/**
 * The environment of a test file: the process itself, which runs no other file. `workerIdleMemoryLimit` 0 in package.json
 * makes jest end each process after its file, and with it all that the file has left open or changed.
 */
export default class NodeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  /** What fails the file whatever its tests say: uncaught errors outside of them, and calls of process.exit. */
  faults = [];
  #path;

  constructor(_config, { testPath }) {
    if (isUsed) throw new Error('Each test file needs a process of its own: leave out --runInBand.');
    isUsed = true;
    this.#path = testPath;
    // During tests jest takes such errors itself; between them its worker would end, and run the file again.
    for (const event of ['uncaughtException', 'unhandledRejection']) {
      process.removeAllListeners(event);
      process.on(event, (error) => this.faults.push(error));
    }
    const { moduleMocker } = this;
    globalThis.jest = {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: moduleMocker.spyOn.bind(moduleMocker),
    };
  }

  /** Undoes what jest has changed for sandboxes just before. */
  async setup() {
    // Node maps lines to their sources by itself.
    Error.prepareStackTrace = undefined;
    Error.stackTraceLimit = STACK_FRAMES;
    process.exit = (code) => {
      const fault = new Error(`A test file called process.exit(${code ?? ''})`);
      this.faults.push(fault);
      throw fault;
    };
  }

  /** Appends the CPU time of the file, loading included, to the file that the cost reporter reads. */
  async teardown() {
    const file = process.env.WAYBILL_TEST_COSTS;
    if (file) appendFileSync(file, `${JSON.stringify({ path: this.#path, seconds: cpuSeconds() })}\n`);
    // What the product does at this signal would keep the process from ending at once.
    process.removeAllListeners('SIGTERM');
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}
