import { z } from 'zod';
import { listQuery, oneOrMore } from '../list-query.ts';
import {
  PROPOSAL_DAYS,
  PROPOSAL_KINDS,
  PROPOSAL_RESOURCES,
  PROPOSAL_STATUSES,
  type ProposalActor as ActorRecord,
  type ProposalRecord,
} from './proposal.ts';

const ProposalActor = z
  .strictObject({
    kind: z.enum(['API_KEY', 'USER']).describe('A key or a user.'),
    id: z.uuid().describe('The id of the key or user.'),
    name: z.string().nullable().describe('The name of the key or user; null without one.'),
  })
  .meta({ id: 'ProposalActor' });

const ProposalResource = z
  .strictObject({
    kind: z.enum([...new Set(Object.values(PROPOSAL_RESOURCES))]).describe('The kind of the record.'),
    id: z.uuid().describe('The id of the record.'),
  })
  .meta({ id: 'ProposalResource' });

/** An act that waits for a second person, in responses. */
export const Proposal = z
  .strictObject({
    id: z.uuid().describe('The id of the proposal.'),
    kind: z.enum(PROPOSAL_KINDS).describe('The kind of the act.'),
    status: z
      .enum(PROPOSAL_STATUSES)
      .describe('OUTDATED: what it is about, or the right of the proposer, has changed since.'),
    resource: ProposalResource.describe('What the act is about.'),
    request: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The body of the proposed request; null where it is not kept.'),
    proposedBy: ProposalActor.describe('The first person, or their key.'),
    createdAt: z.iso.datetime().describe('When it was proposed.'),
    expiresAt: z.iso
      .datetime()
      .describe(`When it ends by itself: ${PROPOSAL_DAYS} days after it was proposed.`),
    endedBy: ProposalActor.nullable().describe(
      'Who agreed, refused or withdrew; null while it waits and where it ended by itself.',
    ),
    endedAt: z.iso.datetime().nullable().describe('When somebody ended it; null for nobody.'),
  })
  .meta({ id: 'Proposal' });
export type Proposal = z.infer<typeof Proposal>;

/** The member that shows a proposal in the answer of the act. */
export const proposalShown = {
  proposal: Proposal.optional().describe(
    'With four eyes. WAITING: nothing was changed, a second person has to agree. CARRIED_OUT: this request was the second.',
  ),
};

/** The query of `GET /proposals`. */
export const ListProposalsQuery = listQuery({
  sortable: ['createdAt'],
  filters: {
    _status: oneOrMore(z.enum(PROPOSAL_STATUSES)).describe('Only with this status; WAITING if absent.'),
    _kind: oneOrMore(z.enum(PROPOSAL_KINDS)),
    _resourceId: z.uuid().toLowerCase().describe('Only proposals about this record.'),
  },
});
export type ProposalList = z.output<typeof ListProposalsQuery>;

export function viewProposal(proposal: ProposalRecord): Proposal {
  const { id, kind, status, subjectId, request, proposedBy, createdAt, expiresAt, endedBy, endedAt } =
    proposal;
  return {
    id,
    kind,
    status,
    resource: { kind: PROPOSAL_RESOURCES[kind], id: subjectId },
    request,
    proposedBy: viewActor(proposedBy),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    endedBy: endedBy && viewActor(endedBy),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

function viewActor({ kind, id, name }: ActorRecord): Proposal['proposedBy'] {
  return { kind, id, name };
}
