import type { Database } from '../db/database.ts';
import { readDecidingRules, readDecisions } from '../db/evidence/read-decisions.ts';
import { readExchanges } from '../db/evidence/read-exchanges.ts';
import { readLog } from '../db/evidence/read-log.ts';
import { readMessages } from '../db/evidence/read-messages.ts';
import { readScreenings } from '../db/evidence/read-screenings.ts';
import { readHeadLines } from '../db/evidence/read-seals.ts';
import { readAttempts, readDeliveries } from '../db/evidence/read-webhooks.ts';
import { viewReview } from '../db/transactions/get-screening.ts';
import { showTransaction } from '../db/transactions/show-transaction.ts';
import { findUsers } from '../db/users/find-users.ts';
import { sealingContext } from '../db/vault/contexts.ts';
import { openStream } from '../db/vault/sealed-stream.ts';
import { findFileRef } from '../db/verifications/stored-files.ts';
import type { ClaimRecord } from '../domain/claims/record.ts';
import { viewClaim } from '../domain/claims/view-claim.ts';
import { toEventLine } from '../domain/evidence/lines.ts';
import { extensionOf } from '../domain/verifications/evidence-class.ts';
import type { VerificationFile } from '../domain/verifications/files.ts';
import { viewVerification } from '../domain/verifications/view-verification.ts';
import type { ArchiveFile } from './archive.ts';
import { jsonLines } from './measure.ts';
import {
  claimFolder,
  EVENTS_PATH,
  proofFolder,
  type ArchivePlan,
  type PlannedProof,
} from './plan-archive.ts';

/** The files of an archive, in its order. Each reads its content when it is written, in batches. */
export function archiveFiles(db: Database, plan: ArchivePlan): ArchiveFile[] {
  const { open, request, seals, proofs, claims } = plan;
  const { record } = open;
  const { tenantId } = record;
  /** Ids of the users whom the logs name. */
  const users = new Set<string>();
  const ofLines = (path: string, values: () => AsyncIterable<unknown> | Iterable<unknown>) => ({
    path,
    content: lazily(() => jsonLines(values())),
  });
  return [
    {
      path: 'transaction.json',
      content: lazily(() => jsonFile(showTransaction(db, db.pool, record, request.caller.tenant.entityId))),
    },
    ofLines(EVENTS_PATH, () => eventLines(db, record, users)),
    ofLines('messages.jsonl', () => readMessages(db.pool, open)),
    ofLines('screenings.jsonl', () => readScreenings(db.pool, open)),
    ofLines('decisions.jsonl', () => readDecisions(db, open)),
    ofLines('rules.jsonl', () => readDecidingRules(db, open)),
    ofLines('reviews.jsonl', () => (record.personal.reviews ?? []).map(viewReview)),
    ofLines('webhooks.jsonl', () => readDeliveries(db.pool, record)),
    ofLines('webhook-attempts.jsonl', () => readAttempts(db.pool, record)),
    ofLines('exchanges.jsonl', () => readExchanges(db, record)),
    ...proofs.flatMap((proof) => proofFiles(db, plan, { proof, users })),
    ...claims.flatMap((claim) => claimFiles(db, claim, users)),
    ofLines('users.jsonl', () => userLines(db, tenantId, users)),
    ofLines('seals.jsonl', () =>
      seals.map(({ day, jws, hasHeads }) => ({ day, jws, heads: hasHeads ? headsPath(day) : null })),
    ),
    ...seals
      .filter(({ hasHeads }) => hasHeads)
      .map(({ day }) => ({
        path: headsPath(day),
        content: lazily(() => textChunks(readHeadLines(db, tenantId, day))),
      })),
  ];
}

function headsPath(day: string): string {
  return `seals/${day}.txt`;
}

function proofFiles(
  db: Database,
  { request }: ArchivePlan,
  { proof, users }: { proof: PlannedProof; users: Set<string> },
): ArchiveFile[] {
  const { record } = proof.open;
  const folder = proofFolder(record.id);
  const paths = new Map(
    request.includesFiles
      ? proof.files.map(({ id, type }) => [id, `${folder}/files/${id}.${extensionOf(type)}`] as const)
      : [],
  );
  // Whoever has the token of the hosted page may give the proof.
  const view = viewVerification(record, { token: null, url: null });
  const listed = proof.files.map((file) => ({ ...file, path: paths.get(file.id) ?? null }));
  return [
    { path: `${folder}/verification.json`, content: lazily(() => jsonFile(Promise.resolve(view))) },
    {
      path: `${folder}/${EVENTS_PATH}`,
      content: lazily(() => jsonLines(eventLines(db, record, users))),
    },
    { path: `${folder}/files.jsonl`, content: lazily(() => jsonLines(listed)) },
    ...proof.files.flatMap((file) => {
      const path = paths.get(file.id);
      return path === undefined
        ? []
        : [{ path, content: fileContent(db, request.openObject, { proof, file }) }];
    }),
  ];
}

function claimFiles(db: Database, claim: ClaimRecord, users: Set<string>): ArchiveFile[] {
  const folder = claimFolder(claim.id);
  return [
    { path: `${folder}/claim.json`, content: lazily(() => jsonFile(Promise.resolve(viewClaim(claim)))) },
    { path: `${folder}/${EVENTS_PATH}`, content: lazily(() => jsonLines(eventLines(db, claim, users))) },
  ];
}

async function* fileContent(
  db: Database,
  openObject: ArchivePlan['request']['openObject'],
  { proof: { open }, file }: { proof: PlannedProof; file: VerificationFile },
): AsyncGenerator<Buffer> {
  const ref = await findFileRef(db.pool, file.id);
  const sealed = await openObject(ref.objectKey);
  yield* openStream(open.key, sealingContext.verificationFile.content(ref), sealed);
}

async function* eventLines(
  { pool }: Database,
  log: { tenantId: string; id: string; sequence: number },
  users: Set<string>,
): AsyncGenerator<unknown> {
  for await (const event of readLog(pool, log)) {
    if (event.userId !== null) users.add(event.userId);
    yield toEventLine(event);
  }
}

/** The users as they are called now. */
async function* userLines(db: Database, tenantId: string, ids: ReadonlySet<string>): AsyncGenerator<unknown> {
  const found = await findUsers(db, tenantId, [...ids]);
  for (const { id, name, email } of [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    yield { id, name, email };
}

/** Nothing is read before the file is written. */
async function* lazily(read: () => AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* read();
}

async function* jsonFile(value: Promise<unknown>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${JSON.stringify(await value, null, 2)}\n`);
}

const CHUNK_LENGTH = 64 * 1024;

/** Many short texts in few chunks. */
async function* textChunks(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let chunk = '';
  for await (const text of texts) {
    chunk += text;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield Buffer.from(chunk);
    chunk = '';
  }
  yield Buffer.from(chunk);
}
