import { randomUUID } from 'node:crypto';
import { notFound } from '../../domain/errors.ts';
import type { FileDetails, FileKind, VerificationFile } from '../../domain/verifications/files.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { OpenVerification } from './row.ts';
import type { Queryable } from '../postgres.ts';

/** Where a file belongs. */
export interface FilePlace {
  tenantId: string;
  verificationId: string;
  id: string;
}

/** A file that is arriving, and where its content goes. */
export interface ArrivingFile extends FilePlace {
  objectKey: string;
}

/** Notes that a content is going to be stored: should its process die, housekeeping knows what to remove. */
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

/** Makes arrived files part of the record, in the transaction that accepts them. */
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

/** The files of a verification in the order in which they came. */
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

/** Throws not_found unless the file belongs to this verification and, where it is given, was sent for that. */
export async function requireFile(
  db: Queryable,
  { tenantId, verificationId, id }: FilePlace,
  kind?: FileKind,
): Promise<void> {
  const { rowCount } = await db.query(
    `select from verification_files
     where id = $1 and verification_id = $2 and tenant_id = $3 and state = 'STORED' and kind = coalesce($4, kind)`,
    [id, verificationId, tenantId, kind ?? null],
  );
  if (rowCount !== 1) throw notFound('file');
}

/** Whose a file is: for links, which name nothing else. Throws not_found. */
export async function findFilePlace(db: Queryable, id: string): Promise<ArrivingFile> {
  const { rows } = await db.query<{ tenant_id: string; verification_id: string; object_key: string }>(
    `select tenant_id, verification_id, object_key from verification_files where id = $1 and state = 'STORED'`,
    [id],
  );
  const row = rows[0];
  if (!row) throw notFound('file');
  return { id, tenantId: row.tenant_id, verificationId: row.verification_id, objectKey: row.object_key };
}

/** What is known of a stored file. Throws not_found. */
export async function readDetails(
  db: Queryable,
  { key }: OpenVerification,
  place: FilePlace,
): Promise<FileDetails> {
  const { rows } = await db.query<{ details: Buffer }>(
    `select details from verification_files where id = $1 and tenant_id = $2 and state = 'STORED'`,
    [place.id, place.tenantId],
  );
  const sealed = rows[0]?.details;
  if (!sealed) throw notFound('file');
  return key.open<FileDetails>(sealingContext.verificationFile.details(place), sealed);
}
