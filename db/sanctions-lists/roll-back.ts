import type pg from 'pg';
import type { ListFormat } from '../../domain/sanctions-lists/list-format.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';
import { newId } from '../new-id.ts';
import { stageVersion } from './stage-entries.ts';
import { switchVersionIn } from './switch-version.ts';
import { beginUpload, clearUpload, completeUpload, type ArrivedUpload } from './uploads.ts';

/**
 * Makes the contents of an earlier version active again, as a new version; returns its number. Throws not_found, and
 * conflict when that version was never active or is active now.
 */
export async function rollBack(
  tx: pg.PoolClient,
  { code, version, now }: { code: string; version: number; now: Date },
): Promise<number> {
  // Prevents updates of the list between reading the version and switching to it.
  await tx.query('select 1 from sanctions_lists where code = $1 for update', [code]);
  const old = await findVersion(tx, code, version);
  const upload = uploadOf(old, code, newId(now));
  await tx.query(`set local statement_timeout = '2min'`);
  await beginUpload(tx, upload);
  await completeUpload(tx, upload);
  const run = { runId: upload.id, uploadId: upload.id };
  await stageVersion(tx, run, { code, version });
  const made = await switchVersionIn(tx, {
    upload,
    runId: run.runId,
    faults: old.faults,
    publishedAt: old.publishedAt,
    restoredVersion: version,
    parserVersion: old.parserVersion,
    currentAt: old.currentAt,
  });
  await clearUpload(tx, upload.id);
  if (made?.version == null) throw new Error('the rollback made no version');
  return made.version;
}

interface OldVersion {
  state: string;
  format: ListFormat;
  sha256: Buffer;
  publishedAt: Date | null;
  faults: number;
  parserVersion: string;
  /** The age that the contents had: the receipt, or for the bundled snapshot the day of its publication. */
  currentAt: Date | null;
}

async function findVersion(tx: Queryable, code: string, version: number): Promise<OldVersion> {
  const { rows } = await tx.query<OldVersion>(
    `select state, format, sha256, published_at as "publishedAt", faults, parser_version as "parserVersion", (
       select case when o.source = 'BUNDLED' then o.published_at else o.received_at end
       from sanctions_versions o
       where o.code = v.code and o.sha256 = v.sha256 and o.source <> 'ROLLBACK' order by o.version limit 1
     ) as "currentAt"
     from sanctions_versions v where code = $1 and version = $2`,
    [code, version],
  );
  const found = rows[0];
  if (!found) throw notFound('version of this list');
  if (found.state === 'ACTIVE') throw new DomainError('conflict', 'This version is the active one.');
  if (found.state === 'REJECTED') {
    throw new DomainError('conflict', 'This version was rejected: its contents were never stored.');
  }
  return found;
}

function uploadOf(old: OldVersion, code: string, id: string): ArrivedUpload {
  const { format, sha256, publishedAt } = old;
  return {
    id,
    code,
    source: 'ROLLBACK',
    format,
    files: [],
    sha256,
    validators: [],
    publishedAt,
    acceptShrink: false,
  };
}
