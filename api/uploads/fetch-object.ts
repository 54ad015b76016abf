import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { DomainError } from '../../domain/errors.ts';
import type { Storage } from '../../storage/storage.ts';

/** The content of a stored object. Throws temporarily_unavailable, also for an object that is missing. */
export async function fetchObject(storage: Storage, objectKey: string, log: Logger): Promise<Readable> {
  try {
    return await storage.get(objectKey);
  } catch (err) {
    log.error({ err }, 'a stored file could not be read');
    throw new DomainError('temporarily_unavailable', 'Files cannot be read at the moment.', {
      retryAfterSeconds: 30,
    });
  }
}

/** Content that is made or opened while it is sent; notes a fault in the log, since whoever is sent the content learns of its end alone. */
export async function* noteUnreadable(
  content: AsyncIterable<Buffer>,
  log: Logger,
  fault = 'a stored file does not open',
): AsyncGenerator<Buffer> {
  try {
    yield* content;
  } catch (err) {
    log.error({ err }, fault);
    throw err;
  }
}
