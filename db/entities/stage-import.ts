import type { ImportedEntity } from '../../domain/entities/import-row.ts';
import { namesOf } from '../../domain/entities/names.ts';
import { foldName } from '../../domain/fold.ts';
import { copyRows, type CopyValue } from '../copy-rows.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { PROFILE_COLUMNS } from './profile-columns.ts';
import type { Queryable } from '../postgres.ts';

export interface EntityImport {
  id: string;
  begunAt: Date;
}

const ROW_COLUMNS = [
  'import_id',
  'row',
  'entity_id',
  'given_id',
  'source',
  'source_id',
  ...PROFILE_COLUMNS,
  'risk_score',
  'risk_severity',
  'risk_assessed_at',
  'given_master_id',
  'master_source_id',
  'begun_at',
];
const NAME_COLUMNS = ['import_id', 'row', 'kind', 'folded', 'words', 'begun_at'];

/** Puts checked rows of a file aside, some thousand at a time: nothing of the directory changes. */
export async function stageRows(
  { pool }: Database,
  place: EntityImport,
  entities: readonly ImportedEntity[],
): Promise<void> {
  const client = await pool.connect();
  try {
    await copyRows(client, 'entity_import_rows', ROW_COLUMNS, rowsOf(place, entities));
    await copyRows(client, 'entity_import_names', NAME_COLUMNS, namesOfRows(place, entities));
  } finally {
    client.release();
  }
}

function* rowsOf({ id, begunAt }: EntityImport, entities: readonly ImportedEntity[]): Generator<CopyValue[]> {
  for (const entity of entities) {
    yield [
      id,
      entity.row,
      entity.givenId ?? newId(begunAt),
      entity.givenId,
      entity.source,
      entity.sourceId,
      entity.name,
      foldName(entity.name),
      entity.legalName,
      arrayText(entity.aliases),
      entity.type,
      arrayText(entity.countries),
      entity.webpage,
      entity.email,
      entity.lei,
      entity.registrationNumber,
      entity.travelAddress,
      arrayText(entity.networks),
      entity.riskScore,
      entity.riskSeverity,
      entity.riskAssessedAt,
      entity.givenMasterId,
      entity.masterSourceId,
      begunAt,
    ];
  }
}

function* namesOfRows(
  { id, begunAt }: EntityImport,
  entities: readonly ImportedEntity[],
): Generator<CopyValue[]> {
  for (const entity of entities) {
    for (const { kind, folded, words } of namesOf(entity)) {
      yield [id, entity.row, kind, folded, words.join(' '), begunAt];
    }
  }
}

/** An array as PostgreSQL writes one. */
function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, (special) => `\\${special}`)}"`).join(',')}}`;
}

/** Forgets what was put aside for an import, and what others left behind a day ago. */
export async function removeStaged(db: Queryable, { id, begunAt }: EntityImport): Promise<void> {
  const yesterday = new Date(begunAt.getTime() - 86_400_000);
  for (const table of ['entity_import_rows', 'entity_import_names']) {
    await db.query(`delete from ${table} where import_id = $1 or begun_at < $2`, [id, yesterday]);
  }
}
