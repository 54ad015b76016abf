import { CHAIN_CODES_VERSION } from '../../domain/aml/chain-codes.ts';
import type { CheckRecord } from '../../domain/aml/check.ts';
import type { CheckKind, AmlDirection, AmlFinding } from '../../domain/aml/finding.ts';
import type { ProviderCode } from '../../domain/aml/service-key.ts';
import { TYPE_MAPS_VERSION } from '../../domain/aml/type-maps.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

export interface CheckRow {
  id: string;
  tenant_id: string;
  provider: ProviderCode;
  kind: CheckKind;
  blockchain: string;
  value: string;
  direction: AmlDirection | null;
  context_address: string | null;
  state: 'PENDING' | 'DONE' | 'FAILED';
  fault: string | null;
  lease_until: Date | null;
  repeated: boolean;
  recheck_of: string | null;
  provider_ref: string | null;
  status: AmlFinding['status'] | null;
  risk_score: number | null;
  sealed: Buffer | null;
  credits: number;
  created_at: Date;
  created_by: string | null;
  fetched_at: Date | null;
  expires_at: Date | null;
}

export const CHECK_COLUMNS = `id, tenant_id, provider, kind, blockchain, value, direction, context_address, state, fault,
  lease_until, repeated, recheck_of, provider_ref, status, risk_score, sealed, credits, created_at, created_by, fetched_at,
  expires_at`;

/**
 * The encrypted content of a check: the result, the raw provider response, and the versions of the maps that read it.
 */
interface SealedCheck {
  finding: AmlFinding;
  raw: string | null;
  maps: { types: number; chains: number };
}

const MAPS = { types: TYPE_MAPS_VERSION, chains: CHAIN_CODES_VERSION };

export function sealCheck(
  keys: TenantKeys,
  tenantId: string,
  id: string,
  content: Omit<SealedCheck, 'maps'>,
): Buffer {
  const sealed: SealedCheck = { ...content, maps: MAPS };
  return keys.seal(sealingContext.amlCheck.answer(tenantId, id), sealed);
}

/** Reads a completed check row. Throws SealedValueError, and Error for a row without a result. */
export function toCheck(keys: TenantKeys, row: CheckRow): CheckRecord {
  if (!row.sealed || !row.fetched_at || !row.expires_at) throw new Error('this check has no answer yet');
  const { finding } = keys.open<SealedCheck>(
    sealingContext.amlCheck.answer(row.tenant_id, row.id),
    row.sealed,
  );
  return {
    id: row.id,
    provider: row.provider,
    subject: {
      kind: row.kind,
      blockchain: row.blockchain,
      value: row.value,
      direction: row.direction,
      contextAddress: row.context_address,
    },
    finding,
    providerRef: row.provider_ref,
    credits: row.credits,
    repeated: row.repeated,
    recheckOf: row.recheck_of,
    createdAt: row.created_at,
    fetchedAt: row.fetched_at,
    expiresAt: row.expires_at,
  };
}
