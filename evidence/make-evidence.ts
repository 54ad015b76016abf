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

/** About so much of a file is read in one turn. */
const BYTES_OF_TURN = 65_536;
/** A download that has begun cannot be refused any more: it waits for so many turns in vain before it is cut off. */
const MAX_TURNS_IN_VAIN = 30;

/** The file, which is read in turns: between two of them, whoever downloads slowly keeps nobody waiting. */
function readInTurns({ path, content }: ArchiveFile, request: EvidenceRequest): ArchiveFile {
  return { path, content: inTurns(content, request) };
}

async function* inTurns(
  content: AsyncIterable<Buffer>,
  { caller: { tenantId }, readInTurn }: EvidenceRequest,
): AsyncGenerator<Buffer> {
  const chunks = content[Symbol.asyncIterator]();
  let hasBegun = false;
  const read = async () => {
    hasBegun = true;
    return await readTurn(chunks);
  };
  try {
    for (let inVain = 0; ;) {
      hasBegun = false;
      const turn = await readInTurn(tenantId, read).catch((error: unknown) => {
        inVain += 1;
        // What was read in part is lost; where there was no turn nothing was.
        if (hasBegun || inVain > MAX_TURNS_IN_VAIN) throw error;
        return null;
      });
      if (turn) yield* turn.read;
      if (turn?.isEnd) return;
    }
  } finally {
    await chunks.return?.();
  }
}

/** Reads what is read in one turn, line by line as it was written. */
async function readTurn(chunks: AsyncIterator<Buffer>): Promise<{ read: Buffer[]; isEnd: boolean }> {
  const read: Buffer[] = [];
  for (let size = 0; size < BYTES_OF_TURN;) {
    const next = await chunks.next();
    if (next.done) return { read, isEnd: true };
    read.push(next.value);
    size += next.value.length;
  }
  return { read, isEnd: false };
}
