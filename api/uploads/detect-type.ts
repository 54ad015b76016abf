import { Worker } from 'node:worker_threads';
import type { FileTypeResult } from 'file-type';

/** Parsers of foreign formats have looped for ever before: this one does so alone, and only for so long. */
const LIMIT_MS = 2_000;
const START_LIMIT_MS = 10_000;

const THREAD = new URL('./detect-type-thread.mjs', import.meta.url);

let thread: Promise<Worker> | undefined;
let turn: Promise<unknown> = Promise.resolve();

/** The media type that the first bytes of a file have, undefined when they are of none; one file at a time. */
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
  // Whoever wants to end need not wait for a thread that has nothing to do.
  worker.unref();
  return worker;
}

function nextMessage(worker: Worker, limitMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      worker.off('message', told).off('error', failed).off('exit', failed);
      settle();
    };
    const told = (message: unknown) => end(() => resolve(message));
    const failed = () => end(() => reject(new Error('the detection did not end')));
    const timer = setTimeout(failed, limitMs);
    worker.on('message', told).on('error', failed).on('exit', failed);
  });
}
