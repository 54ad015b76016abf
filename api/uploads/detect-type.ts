import { Worker } from 'node:worker_threads';
import type { FileTypeResult } from 'file-type';

/** Time limit for one file. The parser runs in its own thread because a malformed file could make it loop for ever. */
const LIMIT_MS = 2_000;
const START_LIMIT_MS = 10_000;

const THREAD = new URL('./detect-type-thread.mjs', import.meta.url);

let thread: Promise<Worker> | undefined;
let turn: Promise<unknown> = Promise.resolve();

/** Detects the media type of a file from its first bytes, one file at a time. Undefined if unknown, or after 2 seconds. */
export async function detectType(head: Uint8Array): Promise<FileTypeResult['mime'] | undefined> {
  const mine = turn.then(async () => await detect(head));
  turn = mine.catch(() => undefined);
  return await mine;
}

async function detect(head: Uint8Array): Promise<string | undefined> {
  thread ??= start();
  try {
    const worker = await thread;
    const found = nextMessage(worker, LIMIT_MS);
    worker.postMessage(Uint8Array.from(head));
    return ((await found) as FileTypeResult | null)?.mime;
  } catch {
    const broken = thread;
    thread = undefined;
    await (await broken.catch(() => undefined))?.terminate();
    return undefined;
  }
}

async function start(): Promise<Worker> {
  const worker = new Worker(THREAD, { resourceLimits: { maxOldGenerationSizeMb: 64 } });
  worker.on('error', () => undefined);
  await nextMessage(worker, START_LIMIT_MS);
  // An idle thread must not keep the process alive.
  worker.unref();
  return worker;
}

function nextMessage(worker: Worker, limitMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      worker.off('message', received).off('error', failed).off('exit', failed);
      settle();
    };
    const received = (message: unknown) => end(() => resolve(message));
    const failed = () => end(() => reject(new Error('the detection did not end')));
    const timer = setTimeout(failed, limitMs);
    worker.on('message', received).on('error', failed).on('exit', failed);
  });
}
