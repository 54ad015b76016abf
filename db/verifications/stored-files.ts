import { randomUUID } from 'node:crypto';
import { notFound } from '../../domain/errors.ts';
import type { FileDetails, FileKind, VerificationFile } from '../../domain/verifications/files.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { OpenVerification } from './row.ts';
import type { Queryable } from '../postgres.ts';

/** The ids of a file, its verification and its tenant. */
export interface FileRef {
  tenantId: string;
  verificationId: string;
  id: string;
}

/** A file that is arriving, and the storage key of its content. */
export interface ArrivingFile extends FileRef {
  objectKey: string;
}

/** Records that a file is about to be stored, so that housekeeping can remove it if the process dies. */
export async function beginFile(
  db: Queryable,
  { record: { id: verificationId, tenantId } }: OpenVerification,
  { kind, place, now }: { kind: FileKind; place: number; now: Date },
): Promise<ArrivingFile> {
  const file = {
    tenantId,
    verificationId,
    id: newId(now),
    objectKey: `${tenantId}/${verificationId}/${randomUUID()}`,
  };
  await db.query(
    `insert into verification_files (id, tenant_id, verification_id, kind, state, object_key, place, created_at)
     values ($1, $2, $3, $4, 'ARRIVING', $5, $6, $7)`,
    [file.id, tenantId, verificationId, kind, file.objectKey, place, now],
  );
  return file;
}

/** Attaches arrived files to their verification, in the transaction that accepts them. */
export async function keepFiles(
  { vault }: Pick<Database, 'vault'>,
  tx: Queryable,
  { key }: OpenVerification,
  files: readonly { file: ArrivingFile; details: FileDetails }[],
): Promise<void> {
  const { rowCount } = await tx.query(
    `update verification_files f set state = 'STORED', details = r.details, content_code = r.content_code
     from unnest($1::uuid[], $2::bytea[], $3::bytea[]) r (id, details, content_code)
     where f.id = r.id and f.tenant_id = $4 and f.state = 'ARRIVING'`,
    [
      files.map(({ file }) => file.id),
      files.map(({ file, details }) => key.seal(sealingContext.verificationFile.details(file), details)),
      files.map(({ details }) => vault.deploymentHash('file-content', details.sha256)),
      files[0]?.file.tenantId ?? null,
    ],
  );
  if (rowCount !== files.length) throw new Error('an arriving file was removed before it was kept');
}

interface FileRow {
  id: string;
  kind: FileKind;
  details: Buffer;
  created_at: Date;
  seen_before: boolean;
}

const SEEN_BEFORE = `exists (
  select from verification_files e
  where e.content_code = f.content_code and e.verification_id <> f.verification_id and e.state = 'STORED'
    and (e.created_at, e.id) < (f.created_at, f.id))`;

/** The files of a verification in order of arrival. */
export async function listFiles(db: Queryable, open: OpenVerification): Promise<VerificationFile[]> {
  const { id: verificationId, tenantId } = open.record;
  const { rows } = await db.query<FileRow>(
    `select f.id, f.kind, f.details, f.created_at, ${SEEN_BEFORE} as seen_before from verification_files f
     where f.tenant_id = $1 and f.verification_id = $2 and f.state = 'STORED' order by f.created_at, f.place, f.id`,
    [tenantId, verificationId],
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    ...open.key.open<FileDetails>(
      sealingContext.verificationFile.details({ tenantId, verificationId, id: row.id }),
      row.details,
    ),
    seenBefore: row.seen_before,
    createdAt: row.created_at.toISOString(),
  }));
}

/** Throws not_found unless the file belongs to this verification and, if given, is of this kind. */
export async function requireFile(
  db: Queryable,
  { tenantId, verificationId, id }: FileRef,
  kind?: FileKind,
): Promise<void> {
  const { rowCount } = await db.query(
    `select from verification_files
     where id = $1 and verification_id = $2 and tenant_id = $3 and state = 'STORED' and kind = coalesce($4, kind)`,
    [id, verificationId, tenantId, kind ?? null],
  );
  if (rowCount !== 1) throw notFound('file');
}

/** The ids and the storage key of a file; for links, which contain only the file id. Throws not_found. */
export async function findFileRef(db: Queryable, id: string): Promise<ArrivingFile> {
  const { rows } = await db.query<{ tenant_id: string; verification_id: string; object_key: string }>(
    `select tenant_id, verification_id, object_key from verification_files where id = $1 and state = 'STORED'`,
    [id],
  );
  const row = rows[0];
  if (!row) throw notFound('file');
  return { id, tenantId: row.tenant_id, verificationId: row.verification_id, objectKey: row.object_key };
}

/** The details of a stored file. Throws not_found. */
export async function readDetails(
  db: Queryable,
  { key }: OpenVerification,
  ref: FileRef,
): Promise<FileDetails> {
  const { rows } = await db.query<{ details: Buffer }>(
    `select details from verification_files where id = $1 and tenant_id = $2 and state = 'STORED'`,
    [ref.id, ref.tenantId],
  );
  const sealed = rows[0]?.details;
  if (!sealed) throw notFound('file');
  return key.open<FileDetails>(sealingContext.verificationFile.details(ref), sealed);
}
