import { html, nothing } from 'lit';
import type { Schemas } from '../api-types.ts';
import { get } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { pathTo } from '../place.ts';
import { ApiReading } from '../reading.ts';
import { facts, section, text, timeCell } from '../values.ts';

type Configuration = Schemas['RuleConfiguration'];

/** The two sets of rules: for what goes out and for what comes in. */
export class RulesPage extends PagePart {
  #configurations = new ApiReading(this, async () => await get('/rule-engine'));

  override render(): unknown {
    return html`<header class="page-head">
        <div>
          <h1>Rules</h1>
          <p class="dim">
            They decide on every transaction once it is screened. Nothing is in force until it is published.
          </p>
        </div>
      </header>
      ${this.#configurations.show('the rules', (configurations) => configurations.map(card))}`;
  }
}

export function directionTitle({ direction }: Pick<Configuration, 'direction'>): string {
  return direction === 'OUTGOING' ? 'Outgoing transactions' : 'Incoming transactions';
}

function card(configuration: Configuration): unknown {
  const { id, published, publishedVersion, draft, guard, latestComment } = configuration;
  return section(
    directionTitle(configuration),
    html`${guard ? html`<p class="note bad">Blocking is paused: ${guard.blocked} of ${guard.decisions} were blocked.</p>` : nothing}
      ${facts([
        [
          'In force',
          published === null
            ? 'Nothing is published'
            : `Version ${publishedVersion}, ${published.rules.length} rules`,
        ],
        ['Published', timeCell(published?.publishedAt ?? null)],
        ['Comment', text(latestComment)],
        ['Draft', html`${draft.rules.length} rules, changed ${timeCell(draft.updatedAt)}`],
      ])}
      <p><a class="button" href=${pathTo('rules', id)}>Open</a></p>`,
  );
}
