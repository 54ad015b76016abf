import { createHash, randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { listActivities, type ListDeps } from '../../activities/sanctions/list-activities.ts';
import { storeFile } from '../../db/sanctions-lists/chunks.ts';
import { entriesAt } from '../../db/sanctions-lists/stream-entries.ts';
import { beginUpload, completeUpload, ensureList } from '../../db/sanctions-lists/uploads.ts';
import type { Database } from '../../db/database.ts';
import type { ListFormat } from '../../domain/sanctions-lists/list-format.ts';
import { hashOfFiles, type UpdateOutcome } from '../../domain/sanctions-lists/update.ts';
import type { Queryable } from '../../db/postgres.ts';

/** The subjects of a small list, by id; the text is whatever else is to be in the row. */
export type Subjects = Record<string, string>;

/** `count` subjects `S001`, `S002`, …, with a name each. */
export function subjects(count: number, first = 1): Subjects {
  const numbers = Array.from({ length: count }, (_, index) => String(index + first).padStart(3, '0'));
  return Object.fromEntries(numbers.map((number) => [`S${number}`, `Subject Number${number}`]));
}

/** A list in the operator's own format. */
export function listCsv(all: Subjects): string {
  const rows = Object.entries(all).map(([id, name]) => `${id},NATURAL,${name}\n`);
  return `id,type,name\n${rows.join('')}`;
}

type Steps = ReturnType<typeof listActivities>;

/** The steps of the update as a worker runs them. */
export function listSteps(db: Database, deps: Partial<ListDeps> = {}): Steps {
  const steps = listActivities({ db, lists: [], now: () => new Date(), ...deps });
  const run = async <I, O>(step: (input: I) => Promise<O>, input: I): Promise<O> =>
    (await new MockActivityEnvironment().run(step, input)) as O;
  return {
    fetchList: async (input) => await run(async (given: typeof input) => await steps.fetchList(given), input),
    importList: async (input) =>
      await run(async (given: typeof input) => await steps.importList(given), input),
    giveListUp: async (input) =>
      await run(async (given: typeof input) => await steps.giveListUp(given), input),
  };
}

interface Files {
  format?: ListFormat;
  acceptShrink?: boolean;
  publishedAt?: Date;
}

/** Files that have arrived whole and wait for their import; the id of the upload. */
export async function uploaded(
  db: Queryable,
  code: string,
  contents: readonly (string | Buffer)[],
  { format = 'CSV', acceptShrink = false, publishedAt }: Files = {},
): Promise<string> {
  const id = randomUUID();
  await ensureList(db, code);
  await beginUpload(db, { id, code, source: 'UPLOAD' });
  const hashes: Buffer[] = [];
  for (const [file, content] of contents.entries()) {
    await storeFile(db, id, file, pieces(Buffer.from(content)));
    hashes.push(createHash('sha256').update(content).digest());
  }
  const files = contents.map(
    (_content, index) => ['sdn.csv', 'alt.csv', 'add.csv', 'sdn_comments.csv'][index] ?? '',
  );
  await completeUpload(db, {
    id,
    code,
    source: 'UPLOAD',
    format,
    files,
    sha256: hashOfFiles(hashes),
    validators: [],
    publishedAt: publishedAt ?? null,
    acceptShrink,
  });
  return id;
}

/** As a socket gives it. */
async function* pieces(content: Buffer): AsyncGenerator<Buffer> {
  await Promise.resolve();
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536);
}

/** Uploads and imports a list in the operator's own format. */
export async function importCsv(
  db: Database,
  code: string,
  all: Subjects,
  files: Files = {},
): Promise<{ outcome: UpdateOutcome; version: number | null }> {
  const uploadId = await uploaded(db.pool, code, [listCsv(all)], files);
  return await listSteps(db).importList({ code, uploadId });
}

/** The ids of a version, with the names as they stood then. */
export async function contentsAt(db: Queryable, code: string, version: number): Promise<Subjects> {
  const found: Subjects = {};
  for await (const { entry } of entriesAt(db, code, version)) {
    found[entry.sourceId] = entry.names[0]?.text ?? '';
  }
  return found;
}
