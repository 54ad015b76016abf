import { DomainError } from '../../domain/errors.ts';
import {
  refusedType,
  requireDetected,
  tooLargeEvidence,
  type EvidenceClass,
} from '../../domain/verifications/evidence-class.ts';
import { HEAD_BYTES, StructureCheck } from '../../domain/verifications/evidence-structure.ts';
import type { ScanFile, VirusScanner } from '../../storage/clamd.ts';
import { detectType } from '../uploads/detect-type.ts';

/**
 * Passes the bytes of a file on while it checks type, size, structure and viruses. It holds the first bytes back until
 * their type is known to be the expected one. Structure and virus scan are decided after the last byte. Throws
 * file_type_not_allowed, file_too_large, temporarily_unavailable.
 */
export async function* inspectFile(
  content: AsyncIterable<Buffer>,
  expected: EvidenceClass,
  scanner: VirusScanner | undefined,
): AsyncGenerator<Buffer> {
  const scan = scanner?.();
  try {
    const check = new StructureCheck(expected);
    yield* detected(watched(content, expected, check, scan), expected);
    check.requireWhole();
    if (scan) await requireClean(scan);
  } finally {
    scan?.abort();
  }
}

async function* watched(
  content: AsyncIterable<Buffer>,
  expected: EvidenceClass,
  check: StructureCheck,
  scan: ScanFile | undefined,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > expected.maxBytes) throw tooLargeEvidence(expected);
    check.push(chunk);
    await scan?.write(chunk);
    yield chunk;
  }
  if (bytes === 0) throw refusedType('The file is empty.');
}

/** Holds the first bytes back until their type is known. */
async function* detected(content: AsyncIterable<Buffer>, expected: EvidenceClass): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of content) {
    if (!head) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < HEAD_BYTES) continue;
    requireDetected(expected, await detectType(head.subarray(0, HEAD_BYTES)));
    yield head;
    head = undefined;
  }
  if (!head) return;
  requireDetected(expected, await detectType(head));
  yield head;
}

async function requireClean(scan: ScanFile): Promise<void> {
  const verdict = await scan.end();
  if (verdict === 'CLEAN') return;
  if (verdict === 'UNAVAILABLE') {
    throw new DomainError('temporarily_unavailable', 'Files cannot be scanned at the moment.', {
      retryAfterSeconds: 30,
    });
  }
  const message = 'The virus scanner refuses this file.';
  throw new DomainError('file_type_not_allowed', 'This file is not accepted.', {
    errors: [{ pointer: '/files', code: 'infected', message }],
  });
}
