import { html, nothing } from 'lit';
import type { OfferedAct } from '../act-bar.ts';
import { openAct, type DialogAct } from '../act-dialog.ts';
import { get, Refusal, send } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { pathTo } from '../place.ts';
import { ApiReading } from '../reading.ts';
import { session } from '../session.ts';
import { badge, deadline, facts, section, shortId, text, timeCell } from '../values.ts';
import { fieldWords, toneOf, words } from '../words.ts';
import { proposerName, type Proposal } from './proposal-list.ts';

/** One proposal, with what it asks for. */
export class ProposalPage extends PagePart {
  recordId = '';
  #proposal = new ApiReading(this, async () => await readProposal(this.recordId));

  override render(): unknown {
    return html`<p class="crumbs"><a href=${pathTo('proposals')}>Proposals</a> / ${shortId(this.recordId)}</p>
      ${this.#proposal.showPage('the proposal', (proposal) => this.#show(proposal))}`;
  }

  #show(proposal: Proposal): unknown {
    const { status, kind, proposedBy, expiresAt } = proposal;
    const again = () => void this.#proposal.again();
    return html`<header class="page-head">
        <div>
          <h1>${words(kind)}</h1>
          <p>
            ${badge(status, toneOf(status))} proposed by ${proposerName(proposedBy)}
            ${status === 'WAITING' ? html`, ends ${deadline(expiresAt)}` : nothing}
          </p>
        </div>
        <div class="page-acts"><wb-act-bar .acts=${proposalActs(proposal, again)}></wb-act-bar></div>
      </header>
      ${section('What is proposed', proposalFacts(proposal))}`;
  }
}

/** The API lists proposals; one of them is found by its id. */
export async function readProposal(id: string): Promise<Proposal> {
  const [proposal] = await get('/proposals', { query: { q: id } });
  if (proposal) return proposal;
  const refusal = new Refusal(null);
  refusal.message = 'There is no such proposal.';
  throw refusal;
}

export function proposalFacts({ request, resource, createdAt, endedAt, endedBy }: Proposal): unknown {
  const page = RESOURCE_PAGES[resource.kind];
  return facts([
    [
      'About',
      html`<a href=${page === 'settings' ? pathTo(page) : pathTo(page, resource.id)}
        >${words(resource.kind)} ${shortId(resource.id)}</a
      >`,
    ],
    ...Object.entries(request ?? {}).map(([name, value]) => [fieldWords(name), requestValue(value)] as const),
    ['Proposed', timeCell(createdAt)],
    [
      'Ended',
      endedAt === null
        ? text(null)
        : html`${timeCell(endedAt)} ${endedBy ? `by ${proposerName(endedBy)}` : ''}`,
    ],
  ]);
}

const RESOURCE_PAGES = {
  TRANSACTION: 'transactions',
  RULE_CONFIGURATION: 'rules',
  SCREENING: 'transactions',
  TENANT: 'settings',
} as const;

function requestValue(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? html`<pre>${JSON.stringify(value, null, 2)}</pre>`
    : text(String(value));
}

/** The proposer withdraws; everybody else agrees or refuses. */
export function proposalActs(proposal: Proposal, again: () => void): OfferedAct[] {
  if (proposal.status !== 'WAITING' || !session.may('DECIDE')) return [];
  if (proposal.proposedBy.id === session.user?.id) {
    return [
      {
        label: 'Withdraw',
        key: 'd',
        tone: 'danger',
        start: () => openAct(answer(proposal, 'withdraw', again)),
      },
    ];
  }
  return [
    { label: 'Agree', key: 'a', tone: 'primary', start: () => openAct(answer(proposal, 'approve', again)) },
    { label: 'Refuse', key: 'd', tone: 'danger', start: () => openAct(answer(proposal, 'refuse', again)) },
  ];
}

const ANSWERS = {
  approve: { title: 'Agree to this proposal', label: 'Agree', told: 'It is carried out.' },
  refuse: { title: 'Refuse this proposal', label: 'Refuse', told: 'It is refused.' },
  withdraw: { title: 'Withdraw your proposal', label: 'Withdraw', told: 'It is withdrawn.' },
} as const;

function answer(proposal: Proposal, how: keyof typeof ANSWERS, again: () => void): DialogAct {
  const { title, label, told } = ANSWERS[how];
  const { id } = proposal;
  return {
    key: `proposal/${how}/${id}`,
    title,
    label,
    explanation: proposalFacts(proposal),
    isDanger: how !== 'approve',
    fields: [],
    onConflict: again,
    run: async () => {
      await send('POST', `/proposals/{id}/${how}`, { path: { id } });
      again();
      return told;
    },
  };
}
