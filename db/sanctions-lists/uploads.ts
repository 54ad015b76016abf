import { createHash } from 'node:crypto';
import type { ListFormat } from '../../domain/sanctions-lists/list-format.ts';
import { KEPT_SECONDS } from '../../domain/retention.ts';
import type { UpdateOutcome, UpdateSource, HttpValidator } from '../../domain/sanctions-lists/update.ts';
import type { Queryable } from '../postgres.ts';

/** A completely received upload that is to become a version. */
export interface ArrivedUpload {
  id: string;
  code: string;
  source: UpdateSource;
  format: ListFormat;
  /** File names, in the order of the stored chunks. */
  files: readonly string[];
  sha256: Buffer;
  validators: readonly HttpValidator[];
  publishedAt: Date | null;
  acceptShrink: boolean;
}

/** The result of an upload; `version` is the new version, or an older one with the same bytes. */
export interface UploadResult {
  outcome: UpdateOutcome;
  /** Why the upload could not be read: a code of ListFault. */
  fault: string | null;
  version: number | null;
}

/** Creates the list if it does not exist. */
export async function ensureList(db: Queryable, code: string): Promise<void> {
  await db.query('insert into sanctions_lists (code) values ($1) on conflict do nothing', [code]);
}

/** Starts an upload, before its first chunk, so that chunks of an incomplete upload are found and deleted. */
export async function beginUpload(
  db: Queryable,
  upload: Pick<ArrivedUpload, 'id' | 'code' | 'source'>,
): Promise<void> {
  await db.query(
    `insert into sanctions_uploads (id, code, source, state, format) values ($1, $2, $3, 'ARRIVING', '')`,
    [upload.id, upload.code, upload.source],
  );
}

/**
 * Stores when the first request under an Idempotency-Key began to send a file of a list; a repeat changes nothing. Returns
 * the id of a row that is no upload and only holds that time. Called before the file arrives: a first attempt that is cut
 * off leaves no other trace.
 */
export async function noteFirstAttempt(
  db: Queryable,
  { code, key }: { code: string; key: string },
): Promise<string> {
  const id = attemptId(code, key);
  await db.query(
    `insert into sanctions_uploads as u (id, code, source, state, format, outcome)
     values ($1, $2, 'UPLOAD', 'ENDED', '', 'LOST')
     on conflict (id) do update set created_at = excluded.created_at
       where u.created_at < now() - interval '${KEPT_SECONDS.idempotencyKeys} seconds'`,
    [id, code],
  );
  return id;
}

/** A UUIDv8 (RFC 9562) made of the SHA-256 of a list and an Idempotency-Key. */
function attemptId(code: string, key: string): string {
  const hash = createHash('sha256').update(`${code} ${key}`).digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}

/**
 * Marks an upload as completely received: from now on any worker may import it. One that repeats earlier attempts counts
 * from the beginning of the first: it does not replace what has come for the list since.
 */
export async function completeUpload(
  db: Queryable,
  upload: ArrivedUpload,
  attemptIds: readonly string[] = [],
): Promise<void> {
  await db.query(
    `update sanctions_uploads set state = 'RUNNING', format = $2, files = $3, sha256 = $4, validators = $5,
       published_at = $6, accept_shrink = $7,
       created_at = least(created_at, (select min(a.created_at) from sanctions_uploads a where a.id = any($8::uuid[])))
     where id = $1 and state = 'ARRIVING'`,
    [
      upload.id,
      upload.format,
      JSON.stringify(upload.files),
      upload.sha256,
      JSON.stringify(upload.validators),
      upload.publishedAt,
      upload.acceptShrink,
      attemptIds,
    ],
  );
}

/**
 * Takes an upload back of which the worker could not be told. False when it has ended meanwhile: the worker was told all
 * the same. An import that begins or ends afterwards changes nothing. Its row stays, for the time at which it began.
 */
export async function withdrawUpload(db: Queryable, id: string): Promise<boolean> {
  const isWithdrawn = await endUpload(db, id, { outcome: 'LOST', fault: null, version: null });
  if (isWithdrawn) await clearUpload(db, id);
  return isWithdrawn;
}

/**
 * Whether other contents of the list have become, or were found to be, the active ones though they were sent or fetched
 * after this upload had begun. The caller has locked the list.
 */
export async function isOutdated(tx: Queryable, { id, code }: ArrivedUpload): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from sanctions_uploads u join sanctions_uploads later on later.created_at > u.created_at
     where u.id = $1 and later.code = $2 and later.outcome in ('ACTIVATED', 'UNCHANGED')
       and later.source <> 'BUNDLED' limit 1`,
    [id, code],
  );
  return rowCount === 1;
}

/** Reads an upload that is to be imported; undefined when it has ended or does not exist (any more). */
export async function findRunningUpload(db: Queryable, id: string): Promise<ArrivedUpload | undefined> {
  const { rows } = await db.query<ArrivedUpload>(
    `select id, code, source, format, files, sha256, validators, published_at as "publishedAt",
       accept_shrink as "acceptShrink"
     from sanctions_uploads where id = $1 and state = 'RUNNING'`,
    [id],
  );
  return rows[0];
}

/** True if an upload is being imported or has become a version, also a rejected one. */
export async function isUploadBegun(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from sanctions_uploads where id = $1 and (state = 'RUNNING' or version is not null)`,
    [id],
  );
  return rowCount === 1;
}

/** The result of an upload; null while it has none. */
export async function findUploadResult(db: Queryable, id: string): Promise<UploadResult | null> {
  const { rows } = await db.query<UploadResult>(
    `select outcome, fault, version from sanctions_uploads where id = $1 and state = 'ENDED'`,
    [id],
  );
  return rows[0] ?? null;
}

/** Stores the result of an upload. False when it has one already; nothing is changed then. */
export async function endUpload(db: Queryable, id: string, result: UploadResult): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sanctions_uploads set state = 'ENDED', outcome = $2, fault = $3, version = $4
     where id = $1 and state = 'RUNNING'`,
    [id, result.outcome, result.fault, result.version],
  );
  return rowCount === 1;
}

/** Deletes the staged rows and chunks of an upload; its result stays. */
export async function clearUpload(db: Queryable, id: string): Promise<void> {
  await db.query('delete from sanctions_staging where upload_id = $1', [id]);
  await db.query('delete from sanctions_chunks where upload_id = $1', [id]);
}

/**
 * Deletes an upload unless it was completed. Waits for a completion whose commit is under way, so that its import keeps its
 * files.
 */
export async function removeUnlessArrived(db: Queryable, id: string): Promise<void> {
  const { rowCount } = await db.query(`delete from sanctions_uploads where id = $1 and state = 'ARRIVING'`, [
    id,
  ]);
  if (rowCount === 1) await clearUpload(db, id);
}

/** Deletes an upload that did not arrive completely or was not needed. */
export async function removeUpload(db: Queryable, id: string): Promise<void> {
  await clearUpload(db, id);
  await db.query('delete from sanctions_uploads where id = $1', [id]);
}

/**
 * Imports end within hours; an older upload belongs to a process that died. The time of an upload is asked for while the
 * Idempotency-Key is kept that was taken when its file had arrived, so it is kept for longer than that.
 */
const STALE = `interval '${2 * KEPT_SECONDS.idempotencyKeys} seconds'`;

/** Deletes uploads older than two days, and chunks and staged rows without an upload. */
export async function removeStaleUploads(db: Queryable): Promise<void> {
  await db.query(`delete from sanctions_uploads where created_at < now() - ${STALE}`);
  for (const table of ['sanctions_staging', 'sanctions_chunks']) {
    await db.query(
      `delete from ${table} t where not exists (select 1 from sanctions_uploads u where u.id = t.upload_id)`,
    );
  }
}
