import { DomainError } from '../../domain/errors.ts';
import {
  classOf,
  refusedType,
  tooLargeEvidence,
  type EvidenceClass,
} from '../../domain/verifications/evidence-class.ts';
import { HEAD_BYTES, StructureCheck } from '../../domain/verifications/evidence-structure.ts';
import type { FileKind } from '../../domain/verifications/files.ts';
import type { ScanFile, VirusScanner } from '../../storage/clamd.ts';
import { detectType } from '../uploads/detect-type.ts';
import type { IncomingFile } from '../uploads/read-multipart.ts';

/** A file whose type is known, and whose bytes are checked while they are read. */
interface InspectedFile {
  /** Media type under which the file is stored and served. */
  type: string;
  chunks: AsyncIterable<Buffer>;
}

/**
 * Finds the type of a file by its first bytes. The chunks are then all its bytes, checked for size, structure and viruses
 * while they are read; structure and viruses are decided after the last byte. Both throw file_type_not_allowed,
 * file_too_large, temporarily_unavailable.
 */
export async function inspectFile(
  incoming: IncomingFile,
  kind: FileKind | 'BRANDING',
  scanner: VirusScanner | undefined,
): Promise<InspectedFile> {
  const source = incoming.content[Symbol.asyncIterator]();
  const head = await readHead(source);
  if (head.length === 0) throw refusedType('The file is empty.', incoming.name);
  const found = classOf(await detectType(head.subarray(0, HEAD_BYTES)), incoming, kind);
  const expected = { ...found, part: incoming.name };
  return { type: found.type, chunks: checked(continued(head, source), expected, scanner) };
}

async function readHead(source: AsyncIterator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const next = await source.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

async function* continued(head: Buffer, source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* { [Symbol.asyncIterator]: () => source };
}

/** The class of a file, and the part of the form that faults point to. */
type ExpectedFile = EvidenceClass & { part: string };

async function* checked(
  content: AsyncIterable<Buffer>,
  expected: ExpectedFile,
  scanner: VirusScanner | undefined,
): AsyncGenerator<Buffer> {
  const scan = scanner?.();
  try {
    const check = new StructureCheck(expected);
    yield* watched(content, expected, check, scan);
    check.requireWhole(expected.part);
    if (scan) await requireClean(scan, expected.part);
  } finally {
    scan?.abort();
  }
}

async function* watched(
  content: AsyncIterable<Buffer>,
  expected: ExpectedFile,
  check: StructureCheck,
  scan: ScanFile | undefined,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > expected.maxBytes) throw tooLargeEvidence(expected, expected.part);
    check.push(chunk);
    await scan?.write(chunk);
    yield chunk;
  }
}

async function requireClean(scan: ScanFile, part: string): Promise<void> {
  const verdict = await scan.end();
  if (verdict === 'CLEAN') return;
  if (verdict === 'UNAVAILABLE') {
    throw new DomainError('temporarily_unavailable', 'Files cannot be scanned at the moment.', {
      retryAfterSeconds: 30,
    });
  }
  const message = 'The virus scanner refuses this file.';
  throw new DomainError('file_type_not_allowed', 'This file is not accepted.', {
    errors: [{ pointer: `/${part}`, code: 'infected', message }],
  });
}
