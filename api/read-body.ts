import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError } from '../domain/errors.ts';
import { malformedJson, readJson, wholeBody } from '../domain/json/read-json.ts';

/** The largest JSON body, in bytes, of an endpoint that does not say more. */
export const BODY_LIMIT = 256 * 1024;
/** For bodies that may be larger: a draft has at most 200 rules with 500 conditions. */
const PARTS_OF_LARGE_BODY = 20_000;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/** Reads the raw bytes of a body. Throws payload_too_large above `maxBytes`, whatever Content-Length says. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  if (announced === 0 && request.headers['transfer-encoding'] === undefined) {
    return Promise.resolve(Buffer.alloc(0));
  }
  return collect(request, maxBytes);
}

function collect(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      // Reads and drops the rest: a caller that is still sending would otherwise not receive the error.
      if (length > maxBytes) reject(tooLarge(maxBytes));
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
  });
}

function tooLarge(maxBytes: number): DomainError {
  const message = `A body has at most ${maxBytes} bytes.`;
  return new DomainError('payload_too_large', message, { errors: [wholeBody('too_large', message)] });
}

/** Throws unsupported_media_type unless the headers declare JSON in UTF-8 without content encoding. */
export function requireJsonType(headers: IncomingMessage['headers']): void {
  const type = headers['content-type'] ?? '';
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? 'utf-8';
  const encoding = headers['content-encoding'] ?? 'identity';
  if (JSON_TYPE.test(type) && charset === 'utf-8' && encoding === 'identity') return;
  const message = 'Send the body as application/json in UTF-8, without content encoding.';
  throw new DomainError('unsupported_media_type', message, {
    errors: [wholeBody('unsupported_media_type', message)],
  });
}

/**
 * Parses JSON in UTF-8, of an endpoint that takes `maxBytes`. Throws malformed_json and validation_failed like `readJson`.
 */
export function parseJson(bytes: Buffer, maxBytes = BODY_LIMIT): unknown {
  if (!isUtf8(bytes)) throw malformedJson('The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  return maxBytes > BODY_LIMIT ? readJson(text, PARTS_OF_LARGE_BODY) : readJson(text);
}
