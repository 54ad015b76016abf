import { walletKeys } from '../../domain/sanctions/wallet-key.ts';
import type { AmlSubject } from '../../domain/aml/finding.ts';
import type { OwnKnowledge } from '../../domain/aml/builtin-score.ts';
import type { Queryable } from '../postgres.ts';
import { findLabels } from '../labels/find-labels.ts';

interface KnowledgeRow {
  has_lists: boolean;
  is_own_wallet: boolean;
  sanctions: { list: string; sourceId: string; name: string | null }[];
}

const MAX_LIST_ENTRIES = 20;

/** What the sanctions lists, the address labels and the tenant's own wallets say about an address on a blockchain. */
export async function findOwnKnowledge(
  db: Queryable,
  tenantId: string,
  { blockchain }: Pick<AmlSubject, 'blockchain'>,
  address: string,
): Promise<OwnKnowledge> {
  const [{ rows }, labels] = await Promise.all([
    db.query<KnowledgeRow>({
      name: 'find-own-aml-knowledge',
      text: `
        select exists (select from sanctions_versions where state = 'ACTIVE') as has_lists,
          exists (
            select from wallets
            where tenant_id = $1 and address_normal = $3 and blockchain_key = $4 and status = 'CONFIRMED'
              and source <> 'DETECTED'
          ) as is_own_wallet,
          coalesce((
            select jsonb_agg(to_jsonb(s)) from (
              select distinct on (e.id) e.code as list, e.source_id as "sourceId", e.entry #>> '{names,0,text}' as name
              from sanctions_wallets w join sanctions_entries e on e.id = w.entry_id
              where w.address_key = any($2::text[]) and e.version_removed is null limit ${MAX_LIST_ENTRIES}
            ) s), '[]') as sanctions`,
      values: [tenantId, walletKeys(address), address, blockchain],
    }),
    findLabels(db, [address]),
  ]);
  const row = rows[0];
  return {
    sanctions: row?.has_lists ? row.sanctions : null,
    isOwnWallet: row?.is_own_wallet ?? false,
    labels: labels.get(address) ?? [],
  };
}
