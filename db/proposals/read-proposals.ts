import type { Knex } from 'knex';
import type { ProposalRecord } from '../../domain/proposals/proposal.ts';
import type { ProposalList } from '../../domain/proposals/schema.ts';
import { notFound } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import type { Queryable } from '../postgres.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { PROPOSAL_COLUMNS, PROPOSAL_JOINS, sealedIn, toProposal, type ProposalRow } from './proposal-row.ts';
import { PROPOSAL_STATUS } from './proposal-status.ts';

/** A proposal of the tenant as it is now. Throws not_found. */
export async function getProposal(db: Database, tenantId: string, id: string): Promise<ProposalRecord> {
  const row = await findRow(db.pool, tenantId, id);
  if (!row) throw notFound('proposal');
  return toProposal(await db.vault.tenantKeys(tenantId, sealedIn([row])), row);
}

/** A proposal that was just written, inside its transaction. */
export async function readProposal(
  tx: Queryable,
  { tenantId, id, keys }: { tenantId: string; id: string; keys: TenantKeys },
): Promise<ProposalRecord> {
  const row = await findRow(tx, tenantId, id);
  if (!row) throw notFound('proposal');
  return toProposal(keys, row);
}

async function findRow(db: Queryable, tenantId: string, id: string): Promise<ProposalRow | undefined> {
  const { rows } = await db.query<ProposalRow>(
    `select ${PROPOSAL_COLUMNS} from proposals p ${PROPOSAL_JOINS} where p.tenant_id = $1 and p.id = $2`,
    [tenantId, id],
  );
  return rows[0];
}

/** One page of a tenant's proposals: those that wait, unless the list names other statuses. `q` finds an id by its start. */
export async function listProposals(
  db: Database,
  tenantId: string,
  list: ProposalList,
): Promise<ListPage<ProposalRecord>> {
  const page = {
    matching: statementOf(matchingProposals(tenantId, list)),
    orderBy: `created_at ${list.order}, id ${list.order}`,
    rows: `select ${PROPOSAL_COLUMNS} from page join proposals p using (id) ${PROPOSAL_JOINS}`,
    range: list,
  };
  return await readPage(db.pool, page, async (rows: ProposalRow[]) => {
    const keys = await db.vault.tenantKeys(tenantId, sealedIn(rows));
    return rows.map((row) => toProposal(keys, row));
  });
}

function matchingProposals(tenantId: string, { filters, q }: ProposalList): Knex.QueryBuilder {
  const { status = ['WAITING'], kind, resourceId } = filters;
  const matching = sql('proposals as p').select('p.id', 'p.created_at').where('p.tenant_id', tenantId);
  // Nothing else can be waiting, and few rows are.
  if (status.every((each) => each === 'WAITING')) matching.where('p.status', 'WAITING');
  matching.whereRaw(`(${PROPOSAL_STATUS}) = any(?::text[])`, [status]);
  whereGiven(matching, { 'p.kind = any(?::text[])': kind, 'p.subject_id = ?': resourceId });
  whereGiven(matching, { 'starts_with(p.id::text, ?)': q?.trim().toLowerCase() });
  return matching;
}
