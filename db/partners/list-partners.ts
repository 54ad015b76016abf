import type { Knex } from 'knex';
import { queryTerms } from '../../domain/fold.ts';
import type { PartnerRecord } from '../../domain/partners/partner.ts';
import type { PartnerList } from '../../domain/partners/schema.ts';
import { readPage, type ListPage } from '../page.ts';
import type { Database } from '../database.ts';
import { sql, statementOf } from '../query-builder.ts';
import { PARTNER_COLUMNS, toPartner, type PartnerRow } from './partner-row.ts';

const SORT_COLUMNS: Record<PartnerList['sort'], string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  name: 'name_folded',
};

/** One page of the partners; `q` finds names that hold all of its words. */
export async function listPartners({ pool }: Database, list: PartnerList): Promise<ListPage<PartnerRecord>> {
  const page = {
    matching: statementOf(matchingPartners(list)),
    orderBy: `${SORT_COLUMNS[list.sort]} ${list.order}, id ${list.order}`,
    rows: `select ${PARTNER_COLUMNS} from page join partners using (id)`,
    range: list,
  };
  return await readPage(pool, page, (rows: PartnerRow[]) => rows.map(toPartner));
}

function matchingPartners({ q }: PartnerList): Knex.QueryBuilder {
  const matching = sql('partners').select('id');
  if (q === undefined) return matching;
  const words = queryTerms(q);
  // Nothing but punctuation finds nothing, rather than everything.
  if (words.length === 0) return matching.whereRaw('false');
  for (const word of words) matching.whereRaw('name_folded like ?', [`%${word}%`]);
  return matching;
}
