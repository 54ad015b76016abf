import type { ListFormat } from '../../domain/sanctions-lists/list-format.ts';
import type { UpdateOutcome, UpdateSource, Validator } from '../../domain/sanctions-lists/update.ts';
import type { Queryable } from '../postgres.ts';

/** Files that have arrived whole and are to become a version. */
export interface ArrivedUpload {
  id: string;
  code: string;
  source: UpdateSource;
  format: ListFormat;
  /** Their names, in the order of the pieces. */
  files: readonly string[];
  sha256: Buffer;
  validators: readonly Validator[];
  publishedAt: Date | null;
  acceptShrink: boolean;
}

/** What became of them; `version` is the one that was made, or that has the same bytes already. */
export interface UploadResult {
  outcome: UpdateOutcome;
  /** Why it could not be read: a code of ListFault. */
  fault: string | null;
  version: number | null;
}

/** Makes the list known; nothing happens when it is. */
export async function ensureList(db: Queryable, code: string): Promise<void> {
  await db.query('insert into sanctions_lists (code) values ($1) on conflict do nothing', [code]);
}

/** Before the first piece, so that pieces of what never arrived whole are found and removed. */
export async function beginUpload(
  db: Queryable,
  upload: Pick<ArrivedUpload, 'id' | 'code' | 'source'>,
): Promise<void> {
  await db.query(
    `insert into sanctions_uploads (id, code, source, state, format) values ($1, $2, $3, 'ARRIVING', '')`,
    [upload.id, upload.code, upload.source],
  );
}

/** The files are whole: from here on they are imported, by whoever gets to it. */
export async function completeUpload(db: Queryable, upload: ArrivedUpload): Promise<void> {
  await db.query(
    `update sanctions_uploads set state = 'RUNNING', format = $2, files = $3, sha256 = $4, validators = $5,
       published_at = $6, accept_shrink = $7
     where id = $1 and state = 'ARRIVING'`,
    [
      upload.id,
      upload.format,
      JSON.stringify(upload.files),
      upload.sha256,
      JSON.stringify(upload.validators),
      upload.publishedAt,
      upload.acceptShrink,
    ],
  );
}

/** The upload that is to be imported; undefined when it has ended or is not there (any more). */
export async function findRunningUpload(db: Queryable, id: string): Promise<ArrivedUpload | undefined> {
  const { rows } = await db.query<ArrivedUpload>(
    `select id, code, source, format, files, sha256, validators, published_at as "publishedAt",
       accept_shrink as "acceptShrink"
     from sanctions_uploads where id = $1 and state = 'RUNNING'`,
    [id],
  );
  return rows[0];
}

/** Null while it is not known. */
export async function findUploadResult(db: Queryable, id: string): Promise<UploadResult | null> {
  const { rows } = await db.query<UploadResult>(
    `select outcome, fault, version from sanctions_uploads where id = $1 and state = 'ENDED'`,
    [id],
  );
  return rows[0] ?? null;
}

/** False when it had ended before: whoever comes second changes nothing. */
export async function endUpload(db: Queryable, id: string, result: UploadResult): Promise<boolean> {
  const { rowCount } = await db.query(
    `update sanctions_uploads set state = 'ENDED', outcome = $2, fault = $3, version = $4
     where id = $1 and state = 'RUNNING'`,
    [id, result.outcome, result.fault, result.version],
  );
  return rowCount === 1;
}

/** What an upload leaves behind beside its result. */
export async function clearUpload(db: Queryable, id: string): Promise<void> {
  await db.query('delete from sanctions_staging where upload_id = $1', [id]);
  await db.query('delete from sanctions_chunks where upload_id = $1', [id]);
}

/** As if it had never been: for what did not arrive whole, or was not needed. */
export async function removeUpload(db: Queryable, id: string): Promise<void> {
  await clearUpload(db, id);
  await db.query('delete from sanctions_uploads where id = $1', [id]);
}

/** Imports end within hours; what is older was left behind by a process that is gone. */
const STALE = `interval '1 day'`;

/** Removes what dead runs left behind: uploads of more than a day ago, and pieces and rows of none. */
export async function removeStaleUploads(db: Queryable): Promise<void> {
  await db.query(`delete from sanctions_uploads where created_at < now() - ${STALE}`);
  for (const table of ['sanctions_staging', 'sanctions_chunks']) {
    await db.query(
      `delete from ${table} t where not exists (select 1 from sanctions_uploads u where u.id = t.upload_id)`,
    );
  }
}
