import { foldName } from '../../domain/fold.ts';
import { isScreenable } from '../../domain/sanctions-screening/subject.ts';
import { roleInTransfer } from '../../domain/transactions/deciding/screened-subjects.ts';
import type { TransactionScreening } from '../../domain/transactions/deciding/screening.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isHeldUncompared, isPassedUnscreened } from '../../domain/transactions/screening-due.ts';
import type { Queryable } from '../postgres.ts';
import { findLatestScreening } from './get-screening.ts';
import type { OpenTransaction } from './row.ts';

const VASP_ROLES = new Set(['originatorVasp', 'beneficiaryVasp']);

/** SQL: the names, legal names and aliases of an entity and its duplicates, or of its master and those of it, as JSON, sorted. */
export const counterpartyNamesSql = (entityId: string) => `(
  select coalesce(json_agg(distinct names.name), '[]')
  from entities d
  join entities n on n.id = coalesce(d.master_entity_id, d.id) or n.master_entity_id = coalesce(d.master_entity_id, d.id)
  cross join lateral unnest(n.aliases || array[n.name, n.legal_name]) as names (name)
  where d.id = ${entityId} and names.name is not null)`;

/**
 * Whether the directory has got a name of the other VASP, or of a duplicate of it, since the transfer was screened: neither the
 * lists nor a reviewer have seen that one. A transfer that is held since no list could be searched is not meant: its reviewer decides
 * without lists.
 */
export async function hasNewName(
  db: { pool: Queryable },
  open: OpenTransaction,
  entityId: string | null,
): Promise<boolean> {
  if (entityId === null || !mayBeBehind(open.record)) return false;
  const names = await namesOfChangedVasp(db.pool, open.record, entityId);
  if (names.length === 0) return false;
  const screening = await comparedWith(db, open);
  if (!screening) return false;
  const compared = new Set(comparedVaspNames(screening));
  return names.some((name) => isScreenable({ name }) && !compared.has(foldName(name)));
}

/** Whether the transfer was screened, and nobody lets it pass without. */
export function mayBeBehind(record: TransactionRecord): boolean {
  const { screeningState, sealed } = record;
  const isScreened = screeningState === 'CLEARED' || screeningState === 'REVIEWED';
  return isScreened && !sealed && !isHeldUncompared(record);
}

/**
 * The latest screening that the transfer rests on; null where a reviewer has let it pass without one since, and where it named
 * nobody: such a transfer has no VASP whose names it could lack.
 */
export async function comparedWith(
  db: { pool: Queryable },
  open: OpenTransaction,
): Promise<TransactionScreening | null> {
  const screening = await findLatestScreening(db, open);
  if (!screening || screening.sanctions.subjects.length === 0) return null;
  const passedAt = open.record.personal.reviews?.at(-1)?.recordVersion ?? Infinity;
  return isPassedUnscreened(open.record) && screening.recordVersion <= passedAt ? null : screening;
}

/**
 * The names in the directory of a VASP of which it has changed something since the latest screening; none of any other. An import
 * notes when it began, so a change of the hour before counts too.
 */
async function namesOfChangedVasp(
  db: Queryable,
  { tenantId, id }: TransactionRecord,
  entityId: string,
): Promise<string[]> {
  const { rows } = await db.query<{ names: string[] }>({
    name: 'names-of-changed-vasp',
    text: `select ${counterpartyNamesSql('$3')} as names
      from (select max(created_at) as at from transaction_screenings where tenant_id = $1 and transaction_id = $2) screened
      where exists (
        select from entities d
          join entities e on e.id = coalesce(d.master_entity_id, d.id) or e.master_entity_id = coalesce(d.master_entity_id, d.id)
        where d.id = $3 and e.updated_at > screened.at - interval '1 hour')`,
    values: [tenantId, id, entityId],
  });
  return rows[0]?.names ?? [];
}

/** The folded names of the other VASP that a screening has compared. */
function comparedVaspNames({ sanctions }: TransactionScreening): string[] {
  return sanctions.subjects
    .filter(({ role }) => VASP_ROLES.has(roleInTransfer(role)))
    .flatMap(({ screening }) => {
      const { name, aliases = [] } = (screening?.request ?? {}) as { name?: string; aliases?: string[] };
      return [name ?? '', ...aliases].map(foldName);
    });
}
