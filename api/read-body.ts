import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { DomainError, invalidRequest, type FieldError } from '../domain/errors.ts';
import { countMembers, outlineOf } from './json-outline.ts';

/** The largest JSON body, in bytes, of an endpoint that does not say more. */
export const BODY_LIMIT = 256 * 1024;
const DEPTH_LIMIT = 32;
/** A text of more levels is not parsed to name the place: that would cost more than any other body. */
const PARSED_LEVELS = 1_000;
/** Fields, objects and lists together: many small ones cost more than the same bytes in few. */
const PARTS_LIMIT = 2_000;
/** For bodies that may be larger: a draft has at most 200 rules with 500 conditions. */
const PARTS_OF_LARGE_BODY = 20_000;
/** Twice what the longest list of any request may have. */
const LIST_LIMIT = 2_000;
const ERRORS_LIMIT = 100;
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

function wholeBody(code: string, message: string): FieldError {
  return { pointer: '', code, message };
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
 * Parses JSON in UTF-8, of an endpoint that takes `maxBytes`. Throws malformed_json, also for a name that an object has
 * twice, of which parsers keep either one, and validation_failed for too many parts, for a list of more than 2,000 items and for nesting far beyond 32 levels;
 * `unusableValues` finds the other levels that are too deep.
 */
export function parseJson(bytes: Buffer, maxBytes = BODY_LIMIT): unknown {
  if (!isUtf8(bytes)) throw malformedJson('The body is not valid UTF-8.');
  const text = bytes.toString('utf8');
  const { members, containers, deepest, mostCommas, isClosed } = outlineOf(text);
  const maxParts = maxBytes > BODY_LIMIT ? PARTS_OF_LARGE_BODY : PARTS_LIMIT;
  if (isClosed && deepest > PARSED_LEVELS)
    throw unreadable('too_deep', `Nesting ends at ${DEPTH_LIMIT} levels.`);
  if (isClosed && members + containers > maxParts)
    throw unreadable('too_many', `A body has at most ${maxParts} fields, objects and lists together.`);
  if (isClosed && mostCommas >= LIST_LIMIT)
    throw unreadable('too_many', `A list has at most ${LIST_LIMIT} items.`);
  const value = isClosed ? parseText(text) : undefined;
  if (value === undefined) throw malformedJson('The body is not a JSON text.');
  if (countMembers(value) !== members) throw malformedJson('An object has the same name twice.');
  return value;
}

/** The parsed text; undefined if it is not JSON. The parser's message is dropped, because it quotes the text. */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unreadable(code: string, message: string): DomainError {
  return invalidRequest([wholeBody(code, message)]);
}

function malformedJson(message: string): DomainError {
  return new DomainError('malformed_json', message, { errors: [wholeBody('malformed_json', message)] });
}

/**
 * Finds faults that schemas do not check, anywhere in a parsed value: nesting beyond 32 levels, `__proto__`, numbers that
 * overflow, empty strings, and NUL and lone surrogates, which cannot be stored. Reports at most 100.
 */
export function unusableValues(value: unknown): FieldError[] {
  const errors: FieldError[] = [];
  visit(value, [], errors);
  return errors;
}

function visit(value: unknown, path: (string | number)[], errors: FieldError[]): void {
  if (errors.length >= ERRORS_LIMIT) return;
  if (typeof value === 'object' && value !== null) {
    if (path.length >= DEPTH_LIMIT)
      errors.push(fault(path, 'too_deep', `Nesting ends at ${DEPTH_LIMIT} levels.`));
    else visitMembers(value, path, errors);
  } else if (typeof value === 'string') {
    if (value === '') errors.push(fault(path, 'empty_string', 'Leave the field out, or give it a value.'));
    else if (!isUsable(value))
      errors.push(fault(path, 'invalid_characters', 'NUL and lone surrogates are refused.'));
  } else if (typeof value === 'number' && !Number.isFinite(value)) {
    errors.push(fault(path, 'invalid_number', 'The number is out of range.'));
  }
}

function visitMembers(parent: object, path: (string | number)[], errors: FieldError[]): void {
  const isArray = Array.isArray(parent);
  for (const [key, child] of Object.entries(parent)) {
    path.push(isArray ? Number(key) : key);
    if (!isArray && (key === '__proto__' || !isUsable(key))) {
      errors.push(fault(path, 'unknown_field', 'There is no such field.'));
    } else {
      visit(child, path, errors);
    }
    path.pop();
  }
}

function fault(path: readonly PropertyKey[], code: string, message: string): FieldError {
  return { pointer: toPointer(path), code, message };
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function isUsable(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}

/** Writes a path as a JSON Pointer (RFC 6901). */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
