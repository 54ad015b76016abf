import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { claimActs } from '../claims/claim-acts.ts';
import { otherVasp } from '../claims/claim-list.ts';
import { claimFacts } from '../claims/claim-page.ts';
import { get } from '../exchange.ts';
import type { OfferedAct } from '../act-bar.ts';
import { PagePart } from '../part.ts';
import { proposalActs, proposalFacts, readProposal } from '../proposals/proposal-page.ts';
import { proposerName } from '../proposals/proposal-list.ts';
import { ApiReading } from '../reading.ts';
import { gapActs } from '../reconciliation/gap-acts.ts';
import { transactionActs } from '../transactions/transaction-acts.ts';
import { asSeen, transactionSummary, type ReviewedFile } from '../transactions/transaction-summary.ts';
import { copied, deadline, facts, timeCell } from '../values.ts';
import { verificationActs } from '../verifications/verification-acts.ts';
import { actionWords, reasonWords, words } from '../words.ts';
import { keyOfItem, pathOfItem, type WorkItem } from './work-item.ts';

/** How fast j and k may be pressed without reading each record that is passed. */
const PAUSE_MS = 120;

/** What is shown of a record in the work list: enough to decide on many, with its acts. */
interface Preview {
  title: string;
  content: unknown;
  acts: OfferedAct[];
}

/** The record of the selected item. */
export class WorkPreview extends PagePart {
  #item: WorkItem | null = null;
  #settled: WorkItem | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  set item(item: WorkItem | null) {
    if (item === this.#item) return;
    this.#item = item;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#settled = item;
      this.requestUpdate();
    }, PAUSE_MS);
    this.requestUpdate();
  }

  override render(): unknown {
    const item = this.#settled;
    if (!item) return nothing;
    const isPassed = this.#item === null || keyOfItem(this.#item) !== keyOfItem(item);
    return keyed(
      keyOfItem(item),
      html`<wb-item-preview .item=${item} .isPassed=${isPassed}></wb-item-preview>`,
    );
  }
}

export class ItemPreview extends PagePart {
  item!: WorkItem;
  #isPassed = false;
  #preview = new ApiReading(this, async () => await this.#read(), {
    follows: ({ id }) => id === this.item.resource.id,
  });

  /** Whether another item is selected, which is shown in a moment. */
  set isPassed(isPassed: boolean) {
    this.#isPassed = isPassed;
    this.requestUpdate();
  }

  async #read(): Promise<Preview> {
    return await previewOf(this.item, () => this.#again());
  }

  #again(): void {
    void this.#preview.again();
    this.dispatchEvent(new Event('done', { bubbles: true }));
  }

  override render(): unknown {
    const { kind, why, nextAction, since, deadlineAt } = this.item;
    return html`<aside class="card preview" aria-label="Selected">
      ${this.#preview.show(
        words(kind).toLowerCase(),
        ({ title, content, acts }) =>
          html`<h2>${title}</h2>
            <p class="dim">${reasonWords(why)}</p>
            <wb-act-bar .acts=${acts} .isPassed=${this.#isPassed}></wb-act-bar>
            ${content}`,
      )}
      ${facts([
        ['Next', actionWords(nextAction)],
        ['Waits since', timeCell(since)],
        ['Deadline', deadline(deadlineAt)],
      ])}
      <p><a href=${pathOfItem(this.item)}>Open</a> <kbd aria-hidden="true">Enter</kbd></p>
    </aside>`;
  }
}

async function previewOf(item: WorkItem, again: () => void): Promise<Preview> {
  const { id } = item.resource;
  switch (item.kind) {
    case 'TRANSACTION':
    case 'RECONCILIATION':
      return await transactionPreview(item, again);
    case 'VERIFICATION': {
      const verification = await get('/wallet-verification/{id}', { path: { id } });
      const { address, blockchain, flow, customerIdentification } = verification;
      return {
        title: flow === null ? 'Wallet verification' : words(flow),
        content: facts([
          ['Address', copied(address, 'address')],
          ['Blockchain', blockchain],
          ['Customer', customerIdentification ?? ''],
        ]),
        acts: verificationActs(verification, again),
      };
    }
    case 'CLAIM': {
      const claim = await get('/claims/{id}', { path: { id } });
      const title = `${otherVasp(claim) ?? 'An unknown VASP'} asks who sent ${claim.asset}`;
      return { title, content: claimFacts(claim), acts: claimActs(claim, again) };
    }
    case 'PROPOSAL': {
      const proposal = await readProposal(id);
      const title = `${proposerName(proposal.proposedBy)} proposes: ${words(proposal.kind).toLowerCase()}`;
      return { title, content: proposalFacts(proposal), acts: proposalActs(proposal, again) };
    }
    case 'RULE_CONFIGURATION':
    case 'COUNTERPARTY':
    case 'WEBHOOK':
    case 'API_KEY':
    case 'SERVICE_KEY':
      return { title: words(item.kind), content: nothing, acts: [] };
  }
}

async function transactionPreview(
  { kind, nextAction, resource }: WorkItem,
  again: () => void,
): Promise<Preview> {
  const path = { id: resource.id };
  const [transaction, file] = await Promise.all([
    get('/transactions/{id}', { path }),
    get('/transactions/{id}/screening', { path }).catch((): ReviewedFile | null => null),
  ]);
  const isGap = kind === 'RECONCILIATION';
  return {
    ...transactionSummary(transaction, file),
    acts: isGap ? gapActs(transaction, nextAction, again) : transactionActs(asSeen(transaction, file), again),
  };
}
