import { DomainError, notFound } from '../../domain/errors.ts';
import type { ProposalKind, ProposalRecord, ProposalStatus } from '../../domain/proposals/proposal.ts';
import type { TenantCaller } from '../../domain/tenants/caller.ts';
import type { Queryable } from '../postgres.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { IS_UNCHANGED, PROPOSAL_STATUS } from './proposal-status.ts';
import { readProposal } from './read-proposals.ts';

interface ProposalEnd {
  id: string;
  status: 'REFUSED' | 'WITHDRAWN';
  caller: Pick<TenantCaller, 'tenantId' | 'actor'>;
  keys: TenantKeys;
  now: Date;
}

interface LockedRow {
  status: ProposalStatus;
  proposed_by: string;
  person_id: string | null;
}

/**
 * Ends a proposal that waits, without its act. Its proposer, or who made the proposing key, withdraws it; anybody else refuses it.
 * Throws not_found, conflict if it does not wait, forbidden for the wrong one of both.
 */
export async function endProposal(tx: Queryable, end: ProposalEnd): Promise<ProposalRecord> {
  const { id, status, caller, keys, now } = end;
  const { tenantId, actor } = caller;
  const { rows } = await tx.query<LockedRow>(
    `select ${PROPOSAL_STATUS} as status, p.proposed_by, p.person_id from proposals p
     where p.tenant_id = $1 and p.id = $2 for update of p`,
    [tenantId, id],
  );
  const row = rows[0];
  if (!row) throw notFound('proposal');
  const isOwn = [row.proposed_by, row.person_id].includes(actor.id);
  if (isOwn !== (status === 'WITHDRAWN')) throw wrongPerson({ isOwn });
  if (row.status !== 'WAITING') {
    throw new DomainError('conflict', `This proposal does not wait any more: it is ${row.status}.`);
  }
  await tx.query(
    `update proposals set status = $3, ended_by_kind = $4, ended_by = $5, ended_at = $6 where tenant_id = $1 and id = $2`,
    [tenantId, id, status, actor.kind, actor.id, now],
  );
  return await readProposal(tx, { tenantId, id, keys });
}

function wrongPerson({ isOwn }: { isOwn: boolean }): DomainError {
  return new DomainError(
    'forbidden',
    isOwn
      ? 'You, or a key that you made, proposed this: withdraw it.'
      : 'Only who proposed this withdraws it: refuse it.',
  );
}

/** Ends what a user, or a key that they made, has proposed: their rights have changed. */
export async function endProposalsOfUser(
  tx: Queryable,
  { tenantId, userId, now }: { tenantId: string; userId: string; now: Date },
): Promise<void> {
  await tx.query(
    `update proposals set status = 'OUTDATED', ended_at = $3
     where tenant_id = $1 and status = 'WAITING' and (person_id = $2 or proposed_by = $2)`,
    [tenantId, userId, now],
  );
}

/**
 * Ends the proposals about a tenant or its settings that a change has overtaken, in the transaction of the change: changing it back
 * brings none of them back. Those about rules and transactions go by numbers that never return.
 */
export async function endOvertakenProposals(tx: Queryable, tenantId: string, now: Date): Promise<void> {
  await tx.query(
    `update proposals p set status = 'OUTDATED', ended_at = $2
     where p.tenant_id = $1 and p.status = 'WAITING' and p.kind in ('WEBHOOK_URL', 'ADDRESS_QUESTION_URL', 'FOUR_EYES')
       and not (${IS_UNCHANGED})`,
    [tenantId, now],
  );
}

/** Ends all proposals of acts that need one person only from now on. */
export async function endProposalsOfKinds(
  tx: Queryable,
  { tenantId, kinds, now }: { tenantId: string; kinds: readonly ProposalKind[]; now: Date },
): Promise<void> {
  await tx.query(
    `update proposals set status = 'OUTDATED', ended_at = $3
     where tenant_id = $1 and status = 'WAITING' and kind = any($2::text[])`,
    [tenantId, kinds, now],
  );
}
