import { foldName } from '../../domain/fold.ts';
import { isScreenable } from '../../domain/sanctions-screening/subject.ts';
import { roleInTransfer } from '../../domain/transactions/deciding/screened-subjects.ts';
import type { TransactionScreening } from '../../domain/transactions/deciding/screening.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isHeldUncompared, isPassedSince, unscreenedPass } from '../../domain/transactions/screening-due.ts';
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
 * lists nor a reviewer have seen that one. The name that a message gives may identify its VASP only since then, without a change of that
 * one: then all its names count. A transfer that is held since no list could be searched is not meant: its reviewer decides without lists.
 */
export async function hasNewName(
  db: { pool: Queryable },
  open: OpenTransaction,
  entityId: string | null,
): Promise<boolean> {
  if (entityId === null || !mayBeBehind(open.record)) return false;
  const vasp = await namesOfVasp(db.pool, open.record, entityId);
  if (!vasp || (!vasp.isChanged && open.record.counterpartyEntityId !== null)) return false;
  const screening = await comparedWith(db, open);
  if (!screening || (!vasp.isChanged && screening.counterparty?.entityId === vasp.masterId)) return false;
  const compared = new Set(comparedVaspNames(screening));
  return vasp.names.some((name) => isScreenable({ name }) && !compared.has(foldName(name)));
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
  return isPassedSince(unscreenedPass(open.record), screening) ? null : screening;
}

interface NamedVasp {
  /** The entity that screenings name for it. */
  masterId: string;
  names: string[];
  /** Whether the directory has changed something of it, or of a duplicate, since the latest screening of the transfer. */
  isChanged: boolean;
}

/** A VASP in the directory. An import notes when it began, so a change of the hour before the screening counts too. */
async function namesOfVasp(
  db: Queryable,
  { tenantId, id }: TransactionRecord,
  entityId: string,
): Promise<NamedVasp | undefined> {
  const { rows } = await db.query<NamedVasp>({
    name: 'vasp-with-names',
    text: `select m.id as "masterId", ${counterpartyNamesSql('m.id')} as names, exists (
        select from entities e where (e.id = m.id or e.master_entity_id = m.id) and e.updated_at > (
          select max(created_at) - interval '1 hour' from transaction_screenings where tenant_id = $1 and transaction_id = $2)
      ) as "isChanged"
      from (select coalesce(master_entity_id, id) as id from entities where id = $3) m`,
    values: [tenantId, id, entityId],
  });
  return rows[0];
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
