// The thread of detect-type.ts. In plain JavaScript: a thread cannot be started from TypeScript.
import { parentPort } from 'node:worker_threads';
import { fileTypeFromBuffer } from 'file-type/core';

parentPort.on('message', (bytes) => void answer(bytes));
parentPort.postMessage('ready');

async function answer(bytes) {
  // A file that the parser fails on is of no known type.
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  parentPort.postMessage(found ?? null);
}
