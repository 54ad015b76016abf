import type { Knex } from 'knex';
import { notFound } from '../../domain/errors.ts';
import { isKnownList } from '../../domain/sanctions-lists/list-code.ts';
import type { ListVersionsRequest, ListVersionRecord } from '../../domain/sanctions-lists/schema.ts';
import { PARSER_VERSION } from '../../domain/sanctions-lists/update.ts';
import { readPage, type ListPage } from '../page.ts';
import type { Queryable } from '../postgres.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import type { ArrivedUpload } from './uploads.ts';

/** SQL: the columns of sanctions_versions, named as the properties of ListVersionRecord. */
export const VERSION_COLUMNS = `code, version, state, reject_reason as "rejectReason", source,
  restored_version as "restoredVersion", accepted_shrink as "acceptedShrink", format, sha256,
  published_at as "publishedAt", received_at as "receivedAt", activated_at as "activatedAt", entries, names, wallets,
  added, changed, removed, faults, parser_version as "parserVersion"`;

const SORT_COLUMNS: Record<ListVersionsRequest['sort'], string> = {
  version: 'version',
  receivedAt: 'received_at',
};

/** One page of a list's versions; `q` finds the beginning of their SHA-256. Throws not_found. */
export async function listVersions(
  db: Queryable,
  code: string,
  list: ListVersionsRequest,
): Promise<ListPage<ListVersionRecord>> {
  await requireList(db, code);
  const page = {
    matching: statementOf(matchingVersions(code, list)),
    orderBy: `${SORT_COLUMNS[list.sort]} ${list.order}, version ${list.order}`,
    rows: `select ${VERSION_COLUMNS} from page join sanctions_versions using (code, version)`,
    range: list,
  };
  return await readPage(db, page, (rows: ListVersionRecord[]) => rows);
}

function matchingVersions(code: string, { filters, q }: ListVersionsRequest): Knex.QueryBuilder {
  const matching = sql('sanctions_versions').select('code', 'version').where('code', code);
  whereGiven(matching, {
    'state = any(?::text[])': filters.state,
    "starts_with(encode(sha256, 'hex'), ?)": q?.trim().toLowerCase(),
  });
  return matching;
}

/** A known list is there before anything has come for it; one of the operator's own is made by its first file. */
async function requireList(db: Queryable, code: string): Promise<void> {
  if (isKnownList(code)) return;
  const { rows } = await db.query('select 1 from sanctions_lists where code = $1', [code]);
  if (rows.length === 0) throw notFound('list');
}

/** Throws not_found. */
export async function getVersion(db: Queryable, code: string, version: number): Promise<ListVersionRecord> {
  const { rows } = await db.query<ListVersionRecord>(
    `select ${VERSION_COLUMNS} from sanctions_versions where code = $1 and version = $2`,
    [code, version],
  );
  if (!rows[0]) throw notFound('version of this list');
  return rows[0];
}

/** The number of the active version if it was read from the same bytes in the same way. */
export async function findSameVersion(
  db: Queryable,
  { code, sha256, format }: ArrivedUpload,
): Promise<number | undefined> {
  const { rows } = await db.query<{ version: number }>(
    `select version from sanctions_versions
     where code = $1 and state = 'ACTIVE' and sha256 = $2 and format = $3 and parser_version = $4`,
    [code, sha256, format, PARSER_VERSION],
  );
  return rows[0]?.version;
}

/** Those of these lists that never had a version. */
export async function findListsWithoutVersion(db: Queryable, codes: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ code: string }>(
    `select c.code from unnest($1::text[]) c(code)
     where not exists (select 1 from sanctions_versions v where v.code = c.code)`,
    [codes],
  );
  return rows.map(({ code }) => code);
}
