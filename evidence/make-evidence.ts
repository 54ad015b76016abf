import { Readable } from 'node:stream';
import type { Database } from '../db/database.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import { archiveFiles } from './archive-files.ts';
import { writeArchive, type ArchiveFile } from './archive.ts';
import { planArchive, type EvidenceRequest } from './plan-archive.ts';
import { signedFiles } from './sign-archive.ts';

/** A signed archive, which is made while it is read. */
export interface EvidenceArchive {
  content: Readable;
  /** Outbox entries to deliver. */
  outbox: OutboxEntry[];
}

/**
 * Makes the evidence of a transaction. Reads its records in batches, so the memory does not depend on their number. Throws
 * not_found for a transaction that is deleted or another tenant's.
 */
export async function makeEvidence(db: Database, request: EvidenceRequest): Promise<EvidenceArchive> {
  const plan = await planArchive(db, request);
  const sign = (text: string) => db.vault.seals.signEvidence(text);
  return {
    content: Readable.from(archive(db, plan, sign), { objectMode: false }),
    outbox: plan.outbox,
  };
}

async function* archive(
  db: Database,
  plan: Awaited<ReturnType<typeof planArchive>>,
  sign: (text: string) => string,
): AsyncGenerator<Buffer> {
  const files = archiveFiles(db, plan).map((file) => readInTurns(file, plan.request));
  yield* writeArchive(signedFiles(files, plan.subject, sign)) as AsyncIterable<Buffer>;
}

/** The file, whose chunks are read in a turn each: between two of them, whoever downloads slowly keeps nobody waiting. */
function readInTurns({ path, content }: ArchiveFile, request: EvidenceRequest): ArchiveFile {
  return { path, content: inTurns(content, request) };
}

async function* inTurns(
  content: AsyncIterable<Buffer>,
  { caller: { tenantId }, readInTurn }: EvidenceRequest,
): AsyncGenerator<Buffer> {
  const chunks = content[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await readInTurn(tenantId, async () => await chunks.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}
