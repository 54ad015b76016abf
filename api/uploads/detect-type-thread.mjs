// The worker thread of detect-type.ts. It is plain JavaScript because Node cannot start a thread from TypeScript.
import { parentPort } from 'node:worker_threads';
import { fileTypeFromBuffer } from 'file-type/core';

parentPort.on('message', (bytes) => void answer(bytes));
parentPort.postMessage('ready');

async function answer(bytes) {
  // If the parser fails, the type is unknown.
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  parentPort.postMessage(found ?? null);
}
