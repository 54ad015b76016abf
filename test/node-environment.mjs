import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { ModuleMocker } from 'jest-mock';
import { endAsyncContexts } from './async-contexts.mjs';
import { cpuSeconds } from './cpu-seconds.mjs';
import { changesSince, listeners, processState } from './process-state.mjs';

/** Enough to find the line of a test; jest's hundred frames are taken of every error that the product throws, too. */
const STACK_FRAMES = 25;

const IS_WORKER = process.argv[1].includes('jest-worker');
if (IS_WORKER) endWithJest();

/** Of this process, before the current file. */
let secondsBefore = 0;
/** A file has changed something: this process runs no other one. */
let isEnding = false;

/**
 * The environment of a test file: the process itself, with the modules that earlier files have loaded. It runs the next file
 * only if this one has changed nothing that the next could find; see process-state.mjs.
 */
export default class NodeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern = null;
  /** What fails the file whatever its tests say: uncaught errors outside of them, and calls of process.exit. */
  faults = [];
  #path;
  #listeners;
  #before;
  /** Names of what the file has changed; a file that did not come to its end may have changed anything. */
  changes = ['its end'];
  #spied = [];

  constructor(_config, { testPath }) {
    this.#path = testPath;
    // During tests jest takes such errors itself; between them its worker would end, and run the file again.
    for (const event of ['uncaughtException', 'unhandledRejection']) {
      process.removeAllListeners(event);
      process.on(event, (error) => this.faults.push(error));
    }
    const { moduleMocker } = this;
    globalThis.jest = {
      fn: moduleMocker.fn.bind(moduleMocker),
      spyOn: (object, key, ...rest) => {
        this.#spied.push({ object, key, before: Object.getOwnPropertyDescriptor(object, key) });
        return moduleMocker.spyOn(object, key, ...rest);
      },
    };
  }

  /** Undoes what jest has changed for sandboxes just before. */
  async setup() {
    if (isEnding) await theEnd();
    // Node maps lines to their sources by itself.
    Error.prepareStackTrace = undefined;
    Error.stackTraceLimit = STACK_FRAMES;
    process.exit = (code) => {
      const fault = new Error(`A test file called process.exit(${code ?? ''})`);
      this.faults.push(fault);
      throw fault;
    };
    this.#listeners = listeners();
  }

  /** To be called when jest is ready, right before the file is loaded. */
  fileBegins() {
    this.#before = processState(this.#listeners);
  }

  /** To be called when jest has taken its listeners away again; what comes up until then would be lost among its tests. */
  async fileEnded() {
    this.changes = [...(await changesSince(this.#before)), ...this.#leftSpies()];
  }

  #leftSpies() {
    return this.#spied
      .filter(
        ({ object, key, before }) => Object.getOwnPropertyDescriptor(object, key)?.value !== before?.value,
      )
      .map(({ key }) => `spy on ${String(key)}`);
  }

  /** Appends the CPU time of the file, loading included, to the file that the cost reporter reads. */
  async teardown() {
    endAsyncContexts();
    if (this.faults.length > 0) this.changes.push('faults');
    const seconds = cpuSeconds();
    const cost = {
      path: this.#path,
      pid: process.pid,
      seconds: seconds - secondsBefore,
      changes: this.changes,
    };
    secondsBefore = seconds;
    const file = process.env.WAYBILL_TEST_COSTS;
    if (file) appendFileSync(file, `${JSON.stringify(cost)}\n`);
    if (this.changes.length > 0) endProcess();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

/** Without the jest that started it nobody waits for its results, and the servers of the run are gone. */
function endWithJest() {
  const exit = () => process.reallyExit(1);
  process.on('disconnect', exit);
  // At its end jest stops listening, and waits until nothing keeps the process: this listener would, like any of the channel.
  process.on('removeListener', (event) => {
    if (event === 'message' && process.listenerCount('message') === 0) process.off('disconnect', exit);
  });
}

/** Makes jest end this process: after each file it asks for the heap in use, and ends whoever has more than the limit. */
function endProcess() {
  isEnding = true;
  process.memoryUsage = () => ({ heapUsed: Number.MAX_VALUE });
  // What the product does at this signal would keep the process from ending at once.
  process.removeAllListeners('SIGTERM');
}

/** jest sends the next file before it knows, and once more to the process that takes the place of this one. */
async function theEnd() {
  if (!IS_WORKER) throw new Error('jest must run test files in processes of their own.');
  await new Promise(() => undefined);
}
