import type { AttestedAddress } from '../../domain/attested-addresses/attested-address.ts';
import type { AttestedAddressList } from '../../domain/attested-addresses/list.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf } from '../query-builder.ts';
import { requireTenant } from '../tenants/require-tenant.ts';
import { ATTESTATION_COLUMNS, toAttestedAddress, type AttestationRow } from './attestation-row.ts';

/**
 * One page of the addresses that operators attested for a tenant; `q` finds them by their beginning. Throws not_found
 * for an unknown tenant.
 */
export async function listAttestedAddresses(
  { pool }: Database,
  tenantId: string,
  list: AttestedAddressList,
): Promise<ListPage<AttestedAddress>> {
  await requireTenant(pool, tenantId);
  const matching = sql('attested_addresses').select('id').where('tenant_id', tenantId);
  if (list.q !== undefined)
    matching.whereRaw('starts_with(lower(address), ?)', [list.q.trim().toLowerCase()]);
  const page = {
    matching: statementOf(matching),
    orderBy: `created_at ${list.order}, id ${list.order}`,
    rows: `select ${ATTESTATION_COLUMNS} from page join attested_addresses using (id)`,
    range: list,
  };
  return await readPage(pool, page, (rows: AttestationRow[]) => rows.map(toAttestedAddress));
}
