import type {
  ProposalActor,
  ProposalKind,
  ProposalRecord,
  ProposalStatus,
} from '../../domain/proposals/proposal.ts';
import { nameOfUser } from '../users/user-row.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { PROPOSAL_STATUS } from './proposal-status.ts';

export interface ProposalRow {
  id: string;
  tenant_id: string;
  kind: ProposalKind;
  status: ProposalStatus;
  subject_id: string;
  request: Buffer | null;
  record_key: Buffer | null;
  proposed_by_kind: ProposalActor['kind'];
  proposed_by: string;
  proposer: Buffer | null;
  proposing_key: string | null;
  person_id: string | null;
  created_at: Date;
  expires_at: Date;
  ended_by_kind: ProposalActor['kind'] | null;
  ended_by: string | null;
  ender: Buffer | null;
  ending_key: string | null;
  ended_at: Date | null;
}

export const PROPOSAL_COLUMNS = `p.id, p.tenant_id, p.kind, ${PROPOSAL_STATUS} as status, p.subject_id, p.request,
  o.record_key, p.proposed_by_kind, p.proposed_by, pu.personal as proposer, pk.name as proposing_key, p.person_id,
  p.created_at, p.expires_at, p.ended_by_kind, p.ended_by, eu.personal as ender, ek.name as ending_key, p.ended_at`;

/** SQL: what the columns are read from beside `proposals p`. */
export const PROPOSAL_JOINS = `
  left join transactions o on p.kind = 'REVIEW' and o.tenant_id = p.tenant_id and o.id = p.subject_id
    and o.deleted_at is null
  left join users pu on p.proposed_by_kind = 'USER' and pu.tenant_id = p.tenant_id and pu.id = p.proposed_by
  left join api_keys pk on p.proposed_by_kind = 'API_KEY' and pk.tenant_id = p.tenant_id and pk.id = p.proposed_by
  left join users eu on p.ended_by_kind = 'USER' and eu.tenant_id = p.tenant_id and eu.id = p.ended_by
  left join api_keys ek on p.ended_by_kind = 'API_KEY' and ek.tenant_id = p.tenant_id and ek.id = p.ended_by`;

/** The columns of the rows that the tenant's keys decrypt. */
export function sealedIn(rows: readonly ProposalRow[]): Buffer[] {
  return rows
    .flatMap((row) => [row.kind === 'REVIEW' ? row.record_key : row.request, row.proposer, row.ender])
    .filter((sealed) => sealed !== null);
}

export function toProposal(keys: TenantKeys, row: ProposalRow): ProposalRecord {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    kind: row.kind,
    status: row.status,
    subjectId: row.subject_id,
    request: requestOf(keys, row),
    proposedBy: {
      kind: row.proposed_by_kind,
      id: row.proposed_by,
      name: row.proposing_key ?? nameOf(keys, row, { id: row.proposed_by, sealed: row.proposer }),
    },
    personId: row.person_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    endedBy: enderOf(keys, row),
    endedAt: row.ended_at,
  };
}

function requestOf(keys: TenantKeys, row: ProposalRow): ProposalRecord['request'] {
  const { id, tenant_id: tenantId, kind, subject_id: subjectId, request, record_key: wrapped } = row;
  if (request === null) return null;
  const context = sealingContext.proposal.request(tenantId, id);
  if (kind !== 'REVIEW') return keys.open(context, request);
  const ref = { tenantId, id: subjectId };
  return wrapped && keys.openRecordKey(wrapped, sealingContext.transaction.key(ref)).open(context, request);
}

function enderOf(keys: TenantKeys, row: ProposalRow): ProposalActor | null {
  const { ended_by_kind: kind, ended_by: id } = row;
  if (kind === null || id === null) return null;
  return { kind, id, name: row.ending_key ?? nameOf(keys, row, { id, sealed: row.ender }) };
}

function nameOf(
  keys: TenantKeys,
  { tenant_id: tenantId }: ProposalRow,
  { id, sealed }: { id: string; sealed: Buffer | null },
): string | null {
  return sealed && nameOfUser(keys, { tenantId, id, sealed });
}
