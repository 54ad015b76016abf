import type { ImportedEntity } from '../../domain/entities/import-row.ts';
import { namesOf, type EntityName } from '../../domain/entities/names.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Column } from '../columns.ts';
import { copyRows } from '../copy-rows.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { PROFILE_COLUMNS } from './profile-columns.ts';
import { withConnection, type Queryable } from '../postgres.ts';

export interface EntityImport {
  id: string;
  begunAt: Date;
}

/** Puts checked rows of a file aside, some thousand at a time: nothing of the directory changes. */
export async function stageRows(
  { pool }: Database,
  place: EntityImport,
  entities: readonly ImportedEntity[],
): Promise<void> {
  await withConnection(pool, async (client) => {
    await copyRows(client, 'entity_import_rows', rowColumns(place), entities);
    await copyRows(client, 'entity_import_names', nameColumns(place), namesOfRows(entities));
  });
}

function rowColumns({ id, begunAt }: EntityImport): Column<ImportedEntity>[] {
  return [
    { name: 'import_id', type: 'uuid', value: () => id },
    { name: 'row', type: 'int', value: ({ row }) => row },
    { name: 'entity_id', type: 'uuid', value: ({ givenId }) => givenId ?? newId(begunAt) },
    { name: 'given_id', type: 'uuid', value: ({ givenId }) => givenId },
    { name: 'source', type: 'text', value: ({ source }) => source },
    { name: 'source_id', type: 'text', value: ({ sourceId }) => sourceId },
    ...PROFILE_COLUMNS,
    { name: 'risk_score', type: 'int', value: ({ riskScore }) => riskScore },
    { name: 'risk_severity', type: 'text', value: ({ riskSeverity }) => riskSeverity },
    { name: 'risk_assessed_at', type: 'timestamptz', value: ({ riskAssessedAt }) => riskAssessedAt },
    { name: 'given_master_id', type: 'uuid', value: ({ givenMasterId }) => givenMasterId },
    { name: 'master_source_id', type: 'text', value: ({ masterSourceId }) => masterSourceId },
    { name: 'begun_at', type: 'timestamptz', value: () => begunAt },
  ];
}

interface StagedName extends EntityName {
  row: number;
}

function nameColumns({ id, begunAt }: EntityImport): Column<StagedName>[] {
  return [
    { name: 'import_id', type: 'uuid', value: () => id },
    { name: 'row', type: 'int', value: ({ row }) => row },
    { name: 'kind', type: 'text', value: ({ kind }) => kind },
    { name: 'folded', type: 'text', value: ({ folded }) => folded },
    { name: 'words', type: 'text', value: ({ words }) => words.join(' ') },
    { name: 'begun_at', type: 'timestamptz', value: () => begunAt },
  ];
}

function* namesOfRows(entities: readonly ImportedEntity[]): Generator<StagedName> {
  for (const entity of entities) {
    for (const name of namesOf(entity)) yield { ...name, row: entity.row };
  }
}

/**
 * PostgreSQL empties the tables of what was put aside when it recovers from a crash, and no connection need have been lost by it.
 * Throws temporarily_unavailable where rows are missing.
 */
export async function requireStaged(db: Queryable, { id }: EntityImport, total: number): Promise<void> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from entity_import_rows where import_id = $1',
    [id],
  );
  if (rows[0]?.count === total) return;
  const text =
    'The database was restarted while the file was read: nothing was imported. Send the file again.';
  throw new DomainError('temporarily_unavailable', text, { retryAfterSeconds: 2 });
}

/** Forgets what was put aside for an import, and what others left behind a day ago. */
export async function removeStaged(db: Queryable, { id, begunAt }: EntityImport): Promise<void> {
  const yesterday = new Date(begunAt.getTime() - 86_400_000);
  for (const table of ['entity_import_rows', 'entity_import_names']) {
    await db.query(`delete from ${table} where import_id = $1 or begun_at < $2`, [id, yesterday]);
  }
}
