import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { DomainError, invalidField } from '../../domain/errors.ts';
import type { PartRule, PartRules } from './part-rule.ts';

/** A file that is still arriving. `content` throws file_too_large at the first byte over the limit. */
export interface IncomingFile {
  name: string;
  fileName: string;
  contentType: string;
  content: AsyncIterable<Buffer>;
}

/** A part of a form that was read to its end. */
export interface ReadPart {
  name: string;
  /** Null for a text part. */
  fileName: string | null;
  /** Null for a file. */
  text: string | null;
  bytes: number;
  sha256: Buffer;
}

/** Receives a file while it arrives. It may be slow: the sender is slowed down accordingly. */
export type TakeFile = (file: IncomingFile) => Promise<void>;

/** The caller disconnected before the form was complete, so nobody receives an answer. */
class ConnectionCut extends Error {}

/** Bytes allowed for boundaries and part headers, in addition to the contents of the parts. */
const ENVELOPE_BYTES = 64 * 1024;
const NAME_BYTES = 100;

/** The parser's data of a file. `filename` is absent if no file was chosen in a browser. */
interface FileInfo {
  filename?: string;
  mimeType: string;
}

/**
 * Reads a multipart form part by part while it arrives, without holding a whole file in memory. Resolves when all parts are
 * read. Rejects only after every `takeFile` has ended, so that the caller can remove what they stored. Throws
 * unsupported_media_type, validation_failed, file_too_large, and what `takeFile` throws.
 */
export async function readMultipart(
  request: IncomingMessage,
  rules: PartRules,
  takeFile: TakeFile,
): Promise<ReadPart[]> {
  const parser = openParser(request, rules);
  refuseAnnounced(request, rules);
  const parts: ReadPart[] = [];
  const files: Readable[] = [];
  const taking: Promise<void>[] = [];
  const parsed = new Promise<void>((resolve, reject) => {
    const attempt = (step: () => void) => {
      try {
        step();
      } catch (error) {
        reject(error as Error);
      }
    };
    parser.on('file', (name, stream, { filename, mimeType }: FileInfo) => {
      // If the form breaks off, the stream ends with the parser's error, which its reader gets too.
      stream.on('error', () => undefined);
      files.push(stream);
      attempt(() => {
        const rule = admit(rules, parts, name, 'FILE');
        const fileName = filename ?? '';
        const part = { name, fileName, text: null, bytes: 0, sha256: Buffer.alloc(0) };
        parts.push(part);
        const content = counted(stream, rule, part);
        const taken = take({ name, fileName, contentType: mimeType, content }, takeFile);
        taking.push(taken);
        taken.catch(reject);
      });
    });
    parser.on('field', (name, text, { valueTruncated }) =>
      attempt(() => {
        const rule = admit(rules, parts, name, 'TEXT');
        const bytes = Buffer.byteLength(text);
        if (valueTruncated || bytes > rule.maxBytes) throw tooLong(name, rule);
        parts.push({ name, fileName: null, text, bytes, sha256: createHash('sha256').update(text).digest() });
      }),
    );
    parser.on('close', resolve);
    parser.on('error', () => reject(malformed()));
    request.on('error', reject);
    request.on('close', () => request.complete || reject(new ConnectionCut('the connection was cut')));
  });
  request.pipe(parser);
  try {
    await parsed;
    await Promise.all(taking);
    requireAll(rules, parts);
    return parts;
  } catch (error) {
    // Reads and drops the rest: a caller that is still sending would otherwise not receive the error.
    request.unpipe(parser);
    request.resume();
    for (const file of files) file.destroy(new Error('the form was refused'));
    await Promise.allSettled(taking);
    throw error;
  }
}

/** SHA-256 over the part names, the file names and the SHA-256 of each part; equal for a repeat of the form. */
export function formFingerprint(parts: readonly ReadPart[]): Buffer {
  const hash = createHash('sha256');
  for (const { name, fileName, sha256 } of parts) {
    hash.update(`${JSON.stringify([name, fileName, sha256.toString('hex')])}\n`);
  }
  return hash.digest();
}

function openParser(request: IncomingMessage, rules: PartRules): busboy.Busboy {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!/^multipart\/form-data\s*;/i.test(type) || encoding !== 'identity') throw notAForm();
  const maxParts = Object.values(rules).reduce((sum, { maxCount }) => sum + maxCount, 0);
  const maxText = Math.max(
    0,
    ...Object.values(rules).map((rule) => (rule.kind === 'TEXT' ? rule.maxBytes : 0)),
  );
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      // One byte over the limit shows that a text is too long; `counted` checks the size of files. One part more than
      // there may be is refused; those that follow are skipped, since thousands of them fit into one packet.
      limits: { fieldNameSize: NAME_BYTES, fieldSize: maxText + 1, headerPairs: 20, parts: maxParts + 1 },
    });
  } catch {
    throw notAForm();
  }
}

function notAForm(): DomainError {
  const message = 'Send the body as multipart/form-data with a boundary, without content encoding.';
  return new DomainError('unsupported_media_type', message, {
    errors: [{ pointer: '', code: 'unsupported_media_type', message }],
  });
}

/** Throws file_too_large before anything is read, if Content-Length exceeds the limits of all parts together. */
function refuseAnnounced(request: IncomingMessage, rules: PartRules): void {
  const all = Object.entries(rules);
  const limit = all.reduce((sum, [, rule]) => sum + rule.maxBytes * rule.maxCount, ENVELOPE_BYTES);
  if (Number(request.headers['content-length'] ?? 0) <= limit) return;
  const [name, rule] = all.find(([, { kind }]) => kind === 'FILE') ?? ['', { maxBytes: limit }];
  throw tooLarge(name, rule.maxBytes);
}

/** The parser gives a part without a name as undefined, against its types; no form has a part of that name. */
function admit(
  rules: PartRules,
  parts: readonly ReadPart[],
  name: string | undefined,
  kind: PartRule['kind'],
): PartRule {
  const rule = name !== undefined && Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (!rule) throw invalidField(pointerOf(name), 'unknown_field', 'There is no part of this name.');
  if (rule.kind !== kind) {
    const expected = rule.kind === 'FILE' ? 'a file, with a file name' : 'a text, without a file name';
    throw invalidField(pointerOf(name), 'invalid_type', `Send this part as ${expected}.`);
  }
  if (parts.filter((part) => part.name === name).length >= rule.maxCount) {
    throw invalidField(pointerOf(name), 'too_many', `At most ${rule.maxCount} of this part.`);
  }
  return rule;
}

function pointerOf(name: string | undefined): string {
  return `/${(name ?? '').replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

async function take(file: IncomingFile, takeFile: TakeFile): Promise<void> {
  await takeFile(file);
  // Reads what `takeFile` has left, because the form does not end before every file is read.
  for await (const _rest of file.content);
}

/** Passes the bytes of a file on and sets their number and hash in `part`. Throws file_too_large. */
async function* counted(stream: Readable, { maxBytes }: PartRule, part: ReadPart): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    part.bytes += chunk.length;
    if (part.bytes > maxBytes) throw tooLarge(part.name, maxBytes);
    hash.update(chunk);
    yield chunk;
  }
  part.sha256 = hash.digest();
}

function tooLarge(name: string, maxBytes: number): DomainError {
  const message = `A file has at most ${maxBytes} bytes.`;
  return new DomainError('file_too_large', message, {
    errors: [{ pointer: pointerOf(name), code: 'too_large', message }],
  });
}

function tooLong(name: string, { maxBytes }: PartRule): DomainError {
  return invalidField(pointerOf(name), 'too_big', `This part has at most ${maxBytes} bytes.`);
}

function malformed(): DomainError {
  return invalidField('', 'malformed_multipart', 'The body is not a whole multipart form.');
}

function requireAll(rules: PartRules, parts: readonly ReadPart[]): void {
  for (const [name, { required }] of Object.entries(rules)) {
    if (required && !parts.some((part) => part.name === name)) {
      throw invalidField(pointerOf(name), 'required', 'This part is required.');
    }
  }
}
