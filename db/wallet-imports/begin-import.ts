import type { Queryable } from '../postgres.ts';
import type { UploadRef } from './chunks.ts';

interface FinishedUpload extends UploadRef {
  sha256: Buffer;
  chunks: number;
  /** Start of the upload, by the database clock. */
  begunAt: Date;
}

/** Seconds for which a result that nobody has received can be joined; later the registry may have changed. */
const UNRECEIVED_SECONDS = 600;
const MAX_TRIES = 5;

/**
 * Makes an upload the import of its file, or joins an import of the same file that is running, ended during this
 * upload, or whose result nobody received (the response was late or lost). Returns the id of the import, which
 * differs from the upload's id when it joined.
 */
export async function beginImport(db: Queryable, upload: FinishedUpload): Promise<string> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const id = (await findToJoin(db, upload)) ?? (await insertImport(db, upload));
    if (id !== undefined) return id;
  }
  throw new Error('imports of this file begin and end too quickly');
}

async function findToJoin(db: Queryable, upload: FinishedUpload): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `select id from wallet_imports
     where tenant_id = $1 and sha256 = $2 and (state = 'RUNNING' or state <> 'FAILED' and (
       finished_at >= $3 or told_at is null and finished_at > now() - make_interval(secs => ${UNRECEIVED_SECONDS})))
     order by (state = 'RUNNING') desc, created_at desc limit 1`,
    [upload.tenantId, upload.sha256, upload.begunAt],
  );
  return rows[0]?.id;
}

/** Stores the import. Undefined when another upload of the same file was faster. */
async function insertImport(
  db: Queryable,
  { tenantId, id, sha256, chunks }: FinishedUpload,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    `insert into wallet_imports (id, tenant_id, sha256, state, chunks, created_at)
     values ($1, $2, $3, 'RUNNING', $4, now())
     on conflict (tenant_id, sha256) where state = 'RUNNING' do nothing returning id`,
    [id, tenantId, sha256, chunks],
  );
  return rows[0]?.id;
}

export interface RunningImport extends UploadRef {
  chunks: number;
  /** Its wallets are registered and the file is deleted; they may not be announced yet. */
  isWritten: boolean;
}

/** The running import of a file; undefined when there is none (any more). */
export async function findRunningImport(
  db: Queryable,
  tenantId: string,
  sha256: Buffer,
): Promise<RunningImport | undefined> {
  const { rows } = await db.query<{ id: string; chunks: number; is_written: boolean }>(
    `select id, chunks, written_at is not null as is_written from wallet_imports
     where tenant_id = $1 and sha256 = $2 and state = 'RUNNING'`,
    [tenantId, sha256],
  );
  const row = rows[0];
  return row && { tenantId, id: row.id, chunks: row.chunks, isWritten: row.is_written };
}
