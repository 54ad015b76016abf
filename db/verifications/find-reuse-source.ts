import { walletKeys } from '../../domain/sanctions/wallet-key.ts';
import { MATCH_LEVELS, type VerificationRecord } from '../../domain/verifications/record.ts';
import {
  oldestProof,
  rankOf,
  SOURCE_FLOWS,
  UNFIT_WARNINGS,
  type ReuseMatch,
} from '../../domain/verifications/reuse.ts';
import type { Queryable } from '../postgres.ts';

/** The verification that is reused. Only its match level and day are ever shown. */
export interface ReuseSource extends ReuseMatch {
  id: string;
  tenantId: string;
  flow: string;
}

interface SourceRow {
  id: string;
  tenant_id: string;
  flow: string;
  verified_at: Date;
  rank: number;
  is_unbound: boolean;
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');

/**
 * SQL over the verification `v`: the condition of isReuseSource. The index of reuse sources has a part of it.
 */
const IS_SOURCE = `v.status = 'VERIFIED' and v.deleted_at is null and v.reuse_code is not null
  and v.reuse_result is null and v.flow in (${quoted(SOURCE_FLOWS)})
  and not (v.flow = 'SATOSHI_TEST' and v.is_satoshi_chosen)
  and not v.warnings ?| array[${quoted(UNFIT_WARNINGS)}]`;

const FIND = `
  select v.id, v.tenant_id, v.flow, v.verified_at, m.rank, v.warnings ? 'UNBOUND_MESSAGE' as is_unbound
  from verifications v cross join lateral (
    select case when v.reuse_code = any($3::bytea[])
      then case when v.reuse_request ->> 'subjectType' = $4 then 3 else 2 end
      else case when v.reuse_request ->> 'subjectType' = $4 then 1 else 0 end end as rank
  ) m
  where v.address_normal = $1 and v.blockchain_key = $2 and ${IS_SOURCE}
    and m.rank >= $5 and v.verified_at >= coalesce($6::timestamptz, '-infinity')
    and not ($7::boolean and v.warnings ? 'UNBOUND_MESSAGE')
    and not exists (select 1 from sanctions_wallets w join sanctions_entries e on e.id = w.entry_id
      where w.address_key = any($8::text[]) and e.version_removed is null)
  order by m.rank desc, v.verified_at desc, v.id limit 1
  for share of v`;

/**
 * Finds the best earlier proof, of any tenant, that satisfies the reuse request of a new verification; of equal ones
 * the newest; none of an address that is on a sanctions list. Locks it until the end of the transaction, so that it cannot be withdrawn unnoticed. Always one
 * statement, so that the time does not reveal what exists.
 */
export async function findReuseSource(
  tx: Queryable,
  record: VerificationRecord,
  codes: readonly Buffer[],
  now: Date,
): Promise<ReuseSource | undefined> {
  const { reuseRequest, addressNormal, blockchainKey } = record;
  if (!reuseRequest) return undefined;
  const { rows } = await tx.query<SourceRow>({
    name: 'find-reuse-source',
    text: FIND,
    values: [
      addressNormal,
      blockchainKey,
      codes,
      reuseRequest.subjectType,
      rankOf(reuseRequest.policy.minimumMatchLevel),
      oldestProof(record, now),
      reuseRequest.policy.requireBound ?? false,
      walletKeys(addressNormal),
    ],
  });
  const row = rows[0];
  const level = row && MATCH_LEVELS[row.rank - 1];
  if (!row || !level) return undefined;
  return {
    id: row.id,
    tenantId: row.tenant_id,
    flow: row.flow,
    provenAt: row.verified_at,
    isUnbound: row.is_unbound,
    level,
  };
}
