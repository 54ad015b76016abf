import { isAdded } from '../../domain/sanctions/added-entry.ts';
import type { ScreeningSettings } from '../../domain/sanctions-screening/settings.ts';
import { settingsOf, type StoredSettings } from '../../domain/tenants/settings.ts';
import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isSelfHosted, selfHostedWallet } from '../../domain/transactions/self-hosted-wallet.ts';
import type { KnownVasp } from '../../domain/transactions/deciding/vasp-names.ts';
import type { Database } from '../database.ts';
import { openRow } from '../transactions/find-transaction.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS } from '../transactions/row.ts';
import type { Queryable } from '../postgres.ts';
import type { StoredEntry } from '../sanctions-lists/stream-entries.ts';
import { notComparedSql } from '../transactions/compared-lists.ts';
import { findDeclaredOwners } from '../verifications/find-declared-owners.ts';
import { counterpartyOf } from './resolve-counterparty.ts';
import { counterpartyNamesSql } from '../transactions/compared-names.ts';

/** A version of a list that open transfers have not been compared with yet. */
export interface NewVersion {
  code: string;
  version: number;
}

/** The list versions that open transfers have not been compared with yet. */
export async function findUnscreenedVersions(db: Queryable): Promise<NewVersion[]> {
  const { rows } = await db.query<NewVersion>(
    `select code, version from sanctions_versions where state in ('ACTIVE', 'SUPERSEDED') and rescreened_at is null
     order by code, version`,
  );
  return rows;
}

/** Records that open transfers were compared with a list version. */
export async function markRescreened(db: Queryable, { code, version }: NewVersion, now: Date): Promise<void> {
  await db.query('update sanctions_versions set rescreened_at = $3 where code = $1 and version = $2', [
    code,
    version,
    now,
  ]);
}

/**
 * The entries with a name, an identifier or a wallet that a version added: not those that it only changed, unless the change ends a
 * false positive. Entries that
 * a later version has removed or changed are among them, because that one is compared with this one only. Null when
 * there are more than `limit`.
 */
export async function readAddedEntries(
  db: Queryable,
  version: NewVersion,
  limit: number,
): Promise<StoredEntry[] | null> {
  const added: StoredEntry[] = [];
  let afterId = '';
  for (;;) {
    const page = await readWrittenEntries(db, version, afterId);
    for (const { entry, rowHash, previous, wasSuppressed } of page) {
      if (wasSuppressed || isAdded(entry, previous ?? undefined)) added.push({ entry, rowHash });
    }
    if (added.length > limit) return null;
    const last = page.at(-1);
    if (!last || page.length < ENTRIES_AT_ONCE) return added;
    afterId = last.entry.sourceId;
  }
}

const ENTRIES_AT_ONCE = 1_000;

interface WrittenEntry extends StoredEntry {
  /** The entry in the version before; null where it was not listed. */
  previous: ListEntry | null;
  /** Whether somebody has marked a match of the entry before as a false positive, which ends with the change. */
  wasSuppressed: boolean;
}

async function readWrittenEntries(
  db: Queryable,
  { code, version }: NewVersion,
  afterId: string,
): Promise<WrittenEntry[]> {
  const { rows } = await db.query<WrittenEntry>(
    `select e.entry, e.row_hash as "rowHash", p.entry as previous,
       exists (select from screening_suppressions s
         where s.list_code = $1 and s.source_id = e.source_id and s.row_hash = p.row_hash) as "wasSuppressed"
     from sanctions_entries e
     left join sanctions_entries p on p.code = $1 and p.source_id = e.source_id and p.version_removed = $2
     where e.code = $1 and e.version_added = $2 and e.source_id > $3
     order by e.source_id limit ${ENTRIES_AT_ONCE}`,
    [code, version, afterId],
  );
  return rows;
}

/** The tenants to whose transfers an entry means something, by the id of the entry; entries that are not there mean it to all. */
export type EndedSuppressions = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Those of these entries that are among the added ones of a version only because they ended false positives, with the tenants whose
 * they were; with none where those have been taken back since. What one tenant has marked, and that it has, is no matter of another.
 */
export async function readEndedSuppressions(
  db: Queryable,
  { code, version }: NewVersion,
  sourceIds: readonly string[],
): Promise<EndedSuppressions> {
  if (sourceIds.length === 0) return new Map();
  const { rows } = await db.query<{ entry: ListEntry; previous: ListEntry; tenant_ids: string[] }>(
    `select e.entry, p.entry as previous, array(
       select distinct s.tenant_id::text from screening_suppressions s
       where s.list_code = $1 and s.source_id = e.source_id and s.row_hash = p.row_hash) as tenant_ids
     from sanctions_entries e
     join sanctions_entries p on p.code = $1 and p.source_id = e.source_id and p.version_removed = $2
     where e.code = $1 and e.version_added = $2 and e.source_id = any($3)`,
    [code, version, sourceIds],
  );
  const ended = rows.filter(({ entry, previous }) => !isAdded(entry, previous));
  return new Map(ended.map(({ entry, tenant_ids: tenantIds }) => [entry.sourceId, new Set(tenantIds)]));
}

/** An open transfer and what the directory knows of the other VASP; null where that is unknown. */
export interface OpenTransfer {
  record: TransactionRecord;
  vasp: KnownVasp | null;
  /** The names under which its self-hosted wallet was declared. */
  owners: readonly string[];
  /** The tenant's settings. */
  screening: ScreeningSettings;
}

/**
 * Transfers of all tenants with a higher id, ordered by id: the open ones, those that are confirmed and held, which a
 * reviewer may still release, and those that the other VASP has confirmed since the version is active and before they
 * were compared with it. A sealed one is screened when it is released.
 */
export async function readOpenTransfers(
  db: Database,
  { code, version }: NewVersion,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<OpenTransfer[]> {
  const { rows: versions } = await db.pool.query<{ activated_at: Date | null }>(
    'select activated_at from sanctions_versions where code = $1 and version = $2',
    [code, version],
  );
  const { rows } = await db.pool.query<OpenTransferRow>(
    `with next as (
       (${OPEN} order by id limit $2) union (${CONFIRMED_HELD} order by id limit $2)
       union (${CONFIRMED_SINCE} order by t.id limit $2)
     )
     select ${READ_COLUMNS},
       ${vaspNameSql('counterparty_entity_id')} as vasp_name,
       ${counterpartyNamesSql('counterparty_entity_id')} as vasp_names,
       (select t.settings from tenants t where t.id = tenant_id) as settings
     from transactions where id in (select id from next) order by id limit $2`,
    [afterId, limit, versions[0]?.activated_at ?? null],
  );
  const transfers: OpenTransfer[] = [];
  for (const row of rows) {
    const { record } = await openRow(db, row);
    // An unsent message may name another VASP by now than the one that it was marked with when it was routed last.
    const isUnsent = record.direction === 'OUTGOING' && record.status === 'PENDING';
    const stored = isUnsent ? null : storedVasp(row);
    const vasp = stored ?? (await expectedVasp(db, record));
    const owners = isSelfHosted(record)
      ? await findDeclaredOwners(db, db.pool, record.tenantId, selfHostedWallet(record))
      : [];
    transfers.push({ record, vasp, owners, screening: settingsOf(row.settings).screening });
  }
  return transfers;
}

/** SQL: the name of an entity's master. */
const vaspNameSql = (entityId: string) => `(
  select m.name from entities e join entities m on m.id = coalesce(e.master_entity_id, e.id) where e.id = ${entityId})`;

function storedVasp({ vasp_name: name, vasp_names: allNames }: VaspRow): OpenTransfer['vasp'] {
  return name === null ? null : { name, allNames };
}

/** The VASP that a record is judged with before it is stored with it: a message gets its receiver when it is delivered. */
async function expectedVasp(db: Database, record: TransactionRecord): Promise<OpenTransfer['vasp']> {
  const { entityId } = await counterpartyOf(db.pool, record, db);
  if (entityId === null) return null;
  const { rows } = await db.pool.query<VaspRow>({
    name: 'names-of-vasp',
    text: `select ${vaspNameSql('$1')} as vasp_name, ${counterpartyNamesSql('$1')} as vasp_names`,
    values: [entityId],
  });
  return rows[0] ? storedVasp(rows[0]) : null;
}

const OPEN = `
  select id from transactions
  where status in ('PENDING', 'DELIVERED') and not sealed and deleted_at is null and ($1::uuid is null or id > $1)`;

const CONFIRMED_HELD = `
  select id from transactions
  where status = 'CONFIRMED' and hold is not null and not sealed and deleted_at is null
    and ($1::uuid is null or id > $1)`;

// The clock of the application may be behind that of the database by a minute. By tenant, as the index of updates is; the
// time is a value, since PostgreSQL would expect a third of all transactions after a time that it has to look up.
const CONFIRMED_SINCE = `
  select t.id from tenants n
  join transactions t on t.tenant_id = n.id and t.updated_at >= $3::timestamptz - interval '1 minute'
  join message_pairs p on p.outgoing_id = t.id and p.decided_at >= $3::timestamptz - interval '1 minute'
  where t.status = 'CONFIRMED' and not t.sealed and t.deleted_at is null
    and ($1::uuid is null or t.id > $1) and ${notComparedSql('t.id', '$3::timestamptz')}`;

interface VaspRow {
  vasp_name: string | null;
  vasp_names: string[];
}

interface OpenTransferRow extends RecordRow, VaspRow {
  settings: StoredSettings;
}
