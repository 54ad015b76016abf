import { Worker } from 'node:worker_threads';
import type { FileTypeResult } from 'file-type';
import { DomainError } from '../../domain/errors.ts';

/** Time limit for one file. The parser runs in its own thread because a malformed file could make it loop for ever. */
const LIMIT_MS = 10_000;
const START_LIMIT_MS = 10_000;

const THREAD = new URL('./detect-type-thread.mjs', import.meta.url);

let thread: Promise<Worker> | undefined;
let turn: Promise<unknown> = Promise.resolve();

/** The parser did not end: the file, or a machine that has other work. */
class DetectionTimeout extends Error {}

/**
 * Detects the media type of a file from its first bytes, one file at a time. Undefined if unknown. Throws
 * temporarily_unavailable after 10 seconds: a good file must not be refused because the machine is busy.
 */
export async function detectType(
  head: Uint8Array,
  limitMs = LIMIT_MS,
): Promise<FileTypeResult['mime'] | undefined> {
  const mine = turn.then(async () => await detect(head, limitMs));
  turn = mine.catch(() => undefined);
  return await mine;
}

async function detect(head: Uint8Array, limitMs: number): Promise<string | undefined> {
  thread ??= start();
  try {
    const worker = await thread;
    const found = nextMessage(worker, limitMs);
    worker.postMessage(Uint8Array.from(head));
    return ((await found) as FileTypeResult | null)?.mime;
  } catch (error) {
    const broken = thread;
    thread = undefined;
    await (await broken.catch(() => undefined))?.terminate();
    if (error instanceof DetectionTimeout) throw tooSlow();
    return undefined;
  }
}

function tooSlow(): DomainError {
  return new DomainError('temporarily_unavailable', 'Files cannot be examined at the moment.', {
    retryAfterSeconds: 30,
  });
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
    const failed = () => end(() => reject(new Error('the thread has ended')));
    const timer = setTimeout(() => end(() => reject(new DetectionTimeout())), limitMs);
    worker.on('message', received).on('error', failed).on('exit', failed);
  });
}
