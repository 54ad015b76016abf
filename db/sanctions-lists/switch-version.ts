import type pg from 'pg';
import { failedCheck, sentinelsOf, type RejectReason } from '../../domain/sanctions-lists/import-checks.ts';
import { PARSER_VERSION } from '../../domain/sanctions-lists/update.ts';
import { columnNames, columnValues, unnestRows, unnestValues, type Column } from '../columns.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { replaceEntries } from './replace-entries.ts';
import { findSameVersion } from './list-versions.ts';
import { lockListVersions } from './version-lock.ts';
import { endUpload, isOutdated, type ArrivedUpload, type UploadResult } from './uploads.ts';

/** The result of reading the files, without the staged rows. */
interface ReadFiles {
  upload: ArrivedUpload;
  /** The run that has staged the rows. */
  runId: string;
  /** Entries that could not be read or taken. */
  faults: number;
  /** The date of publication in the file; null if it has none. */
  publishedAt: Date | null;
  /** The version whose contents are staged again; absent for a file. */
  restoredVersion?: number;
  /** The version of the program whose readers have read the bytes. Default: this program. */
  parserVersion?: string;
  /** When the contents were the newest ones. Default: now. */
  currentAt?: Date | null;
}

/** The largest lists take a minute or two; without a limit of its own the pool's would cut them. */
const LIMIT = '10min';

/**
 * Makes what is staged the active version of its list, or a rejected one when it does not pass the checks, in one
 * transaction: nobody ever sees half a list, and a second run of the same upload changes nothing. Updates of one list
 * wait for each other here, so each is judged beside what the other has left. Undefined when the upload had ended.
 */
export async function switchVersion(pool: pg.Pool, read: ReadFiles): Promise<UploadResult | undefined> {
  return await inTransaction(pool, async (tx) => await switchVersionIn(tx, read));
}

/** Like switchVersion, inside an open transaction. */
export async function switchVersionIn(tx: Queryable, read: ReadFiles): Promise<UploadResult | undefined> {
  await tx.query(`set local statement_timeout = '${LIMIT}'`);
  const { id, code, source } = read.upload;
  const last = await lockList(tx, code);
  // Another process was faster: the snapshot is only for a list that has nothing.
  if (source === 'BUNDLED' && last > 0) return await end(tx, id, { outcome: 'UNCHANGED', version: last });
  const counts = await countStaged(tx, read);
  const reason = await refusalOf(tx, read, counts);
  const version = last + 1;
  const ended = await end(tx, id, { outcome: reason === undefined ? 'ACTIVATED' : 'REJECTED', version });
  if (!ended) return undefined;
  if (reason === undefined) {
    await replaceEntries(tx, { runId: read.runId, code, version });
    await tx.query(
      `update sanctions_versions set state = 'SUPERSEDED' where code = $1 and state = 'ACTIVE'`,
      [code],
    );
  }
  if (reason === undefined) await lockListVersions(tx);
  await insertVersion(tx, { read, made: { version, reason, ...counts } });
  await moveList(tx, read, { version, reason });
  return ended;
}

/**
 * Ends an upload with the bytes of the active version: there is nothing to import, and the list was current when they were
 * sent. False when these are other bytes. Waits for an update of the list that is under way.
 */
export async function endAsSame(pool: pg.Pool, upload: ArrivedUpload): Promise<boolean> {
  return await inTransaction(pool, async (tx) => {
    await tx.query(`set local statement_timeout = '${LIMIT}'`);
    await lockList(tx, upload.code);
    const version = await findSameVersion(tx, upload);
    if (version === undefined) return false;
    if (await end(tx, upload.id, { outcome: 'UNCHANGED', version })) await confirmList(tx, upload);
    return true;
  });
}

async function confirmList(tx: Queryable, { id, code }: ArrivedUpload): Promise<void> {
  await tx.query(
    `update sanctions_lists l set current_at = greatest(l.current_at, u.created_at)
     from sanctions_uploads u where l.code = $1 and u.id = $2`,
    [code, id],
  );
}

/** Why the files become no active version; undefined if they do. A rollback is the operator's decision. */
async function refusalOf(
  tx: Queryable,
  read: ReadFiles,
  counts: StagedCounts,
): Promise<RejectReason | undefined> {
  const { upload } = read;
  if (upload.source === 'ROLLBACK') return undefined;
  if (await isOutdated(tx, upload)) return 'OUTDATED';
  return failedCheck({ ...counts, ...read, ...upload });
}

/** The number of its last version. Makes the list known; whoever else updates it waits until this transaction ends. */
async function lockList(tx: Queryable, code: string): Promise<number> {
  await tx.query('insert into sanctions_lists (code) values ($1) on conflict do nothing', [code]);
  const { rows } = await tx.query<{ last: number }>(
    'select last_version as last from sanctions_lists where code = $1 for update',
    [code],
  );
  return rows[0]?.last ?? 0;
}

async function end(
  tx: Queryable,
  id: string,
  result: Omit<UploadResult, 'fault'>,
): Promise<UploadResult | undefined> {
  const whole = { ...result, fault: null };
  return (await endUpload(tx, id, whole)) ? whole : undefined;
}

interface StagedCounts {
  entries: number;
  names: number;
  wallets: number;
  /** Entries of the active version. */
  active: number;
  activeNames: number;
  activeWallets: number;
  added: number;
  changed: number;
  removed: number;
  sentinels: number;
}

async function countStaged(tx: Queryable, { runId, upload: { code } }: ReadFiles): Promise<StagedCounts> {
  const { rows } = await tx.query<StagedCounts>(
    `select count(s.source_id)::int as entries, count(a.source_id)::int as active,
       coalesce(sum(s.names), 0)::int as names, coalesce(sum(s.wallets), 0)::int as wallets,
       coalesce((select names from sanctions_versions where code = $2 and state = 'ACTIVE'), 0) as "activeNames",
       coalesce((select wallets from sanctions_versions where code = $2 and state = 'ACTIVE'), 0) as "activeWallets",
       count(*) filter (where a.source_id is null)::int as added,
       count(*) filter (where s.row_hash <> a.row_hash)::int as changed,
       count(*) filter (where s.source_id is null)::int as removed,
       count(*) filter (where s.source_id = any($3::text[]))::int as sentinels
     from (
       select source_id, row_hash, jsonb_array_length(entry -> 'names') as names,
         jsonb_array_length(entry -> 'wallets') as wallets
       from sanctions_staging where run_id = $1
     ) s full join (
       select source_id, row_hash from sanctions_entries where code = $2 and version_removed is null
     ) a on a.source_id = s.source_id`,
    [runId, code, sentinelsOf(code)],
  );
  if (!rows[0]) throw new Error('the staged entries could not be counted');
  return rows[0];
}

interface NewVersion extends StagedCounts {
  version: number;
  reason: RejectReason | undefined;
}

interface VersionToInsert {
  read: ReadFiles;
  made: NewVersion;
}

const VERSION_COLUMNS: readonly Column<VersionToInsert>[] = [
  { name: 'code', type: 'text', value: ({ read }) => read.upload.code },
  { name: 'version', type: 'int', value: ({ made }) => made.version },
  {
    name: 'state',
    type: 'text',
    value: ({ made }) => (made.reason === undefined ? 'ACTIVE' : 'REJECTED'),
  },
  { name: 'reject_reason', type: 'text', value: ({ made }) => made.reason ?? null },
  { name: 'source', type: 'text', value: ({ read }) => read.upload.source },
  { name: 'restored_version', type: 'int', value: ({ read }) => read.restoredVersion ?? null },
  { name: 'accepted_shrink', type: 'boolean', value: ({ read }) => read.upload.acceptShrink },
  { name: 'format', type: 'text', value: ({ read }) => read.upload.format },
  { name: 'sha256', type: 'bytea', value: ({ read }) => read.upload.sha256 },
  {
    name: 'published_at',
    type: 'timestamptz',
    value: ({ read }) => read.upload.publishedAt ?? read.publishedAt,
  },
  { name: 'entries', type: 'int', value: ({ made }) => made.entries },
  { name: 'names', type: 'int', value: ({ made }) => made.names },
  { name: 'wallets', type: 'int', value: ({ made }) => made.wallets },
  { name: 'added', type: 'int', value: ({ made }) => made.added },
  { name: 'changed', type: 'int', value: ({ made }) => made.changed },
  { name: 'removed', type: 'int', value: ({ made }) => made.removed },
  { name: 'faults', type: 'int', value: ({ read }) => read.faults },
  { name: 'parser_version', type: 'text', value: ({ read }) => read.parserVersion ?? PARSER_VERSION },
];

const INSERT_VERSION = `
  insert into sanctions_versions (${columnNames(VERSION_COLUMNS)}, received_at, activated_at)
  select ${columnValues(VERSION_COLUMNS)}, u.created_at, case when r.state = 'ACTIVE' then clock_timestamp() end
  from ${unnestRows(VERSION_COLUMNS)}, sanctions_uploads u where u.id = $${VERSION_COLUMNS.length + 1}`;

async function insertVersion(tx: Queryable, version: VersionToInsert): Promise<void> {
  await tx.query(INSERT_VERSION, [...unnestValues(VERSION_COLUMNS, [version]), version.read.upload.id]);
}

async function moveList(
  tx: Queryable,
  { upload, currentAt = null }: ReadFiles,
  { version, reason }: Pick<NewVersion, 'version' | 'reason'>,
): Promise<void> {
  const { code, source, sha256, validators } = upload;
  const isActive = reason === undefined;
  await tx.query(
    `update sanctions_lists set last_version = $2,
       active_version = case when $3 then $2 else active_version end,
       current_at = case when $3 then coalesce($4, now()) else current_at end
     where code = $1`,
    [code, version, isActive, currentAt],
  );
  // What a fetch has found too late is fetched again by the next check.
  if (source !== 'FETCH' || reason === 'OUTDATED') return;
  await tx.query(
    `update sanctions_lists set checked_at = now(), check_outcome = $2, check_detail = $3, fetched_sha256 = $4,
       fetched_parser = $5, validators = $6
     where code = $1`,
    [
      code,
      isActive ? 'ACTIVATED' : 'REJECTED',
      reason ?? null,
      sha256,
      PARSER_VERSION,
      JSON.stringify(validators),
    ],
  );
}
