import { html, nothing } from 'lit';
import { openAct } from '../act-dialog.ts';
import { get } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { pathTo } from '../place.ts';
import { ApiReading } from '../reading.ts';
import { session } from '../session.ts';
import { badge, count, facts, section, timeCell } from '../values.ts';
import { toneOf, words } from '../words.ts';
import { heldBack, releaseBrake, setBrake, type Brake } from './brake-acts.ts';

/** No change feed tells how a release goes on. */
const EVERY_MS = 4_000;

/** What is held back on purpose, how its release goes, and what was released before. */
export class BrakesPage extends PagePart {
  #brakes = new ApiReading(this, async () => await get('/tenant/me/brakes'));
  #timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => void this.#brakes.again(), EVERY_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  #again(): void {
    void this.#brakes.again();
  }

  override render(): unknown {
    return html`<header class="page-head">
        <div>
          <h1>Brakes</h1>
          <p class="dim">
            What is held back on purpose. Nothing is lost or refused: it waits for the release.
          </p>
        </div>
        ${
          session.may('ADMINISTER')
            ? html`<button type="button" @click=${() => openAct(setBrake(() => this.#again()))}>
                Hold back
              </button>`
            : nothing
        }
      </header>
      ${this.#brakes.show('the brakes', (brakes) => this.#show(brakes))}`;
  }

  #show(brakes: readonly Brake[]): unknown {
    const present = brakes.filter(({ state }) => state !== 'RELEASED');
    const past = brakes.filter(({ state }) => state === 'RELEASED');
    return html`${present.length === 0 ? nothingHeld() : present.map((brake) => this.#card(brake))}
    ${past.length === 0 ? nothing : section('Released', pastTable(past))}`;
  }

  #card(brake: Brake): unknown {
    const { kind, state, setBy, setAt, reason, waiting, resumed, perSecond } = brake;
    const isOurs = setBy.kind !== 'OPERATOR';
    const release =
      state === 'ON' && isOurs && session.may('ADMINISTER')
        ? html`<button
            type="button"
            class="primary"
            @click=${() => openAct(releaseBrake(brake, () => this.#again()))}
          >
            Release
          </button>`
        : nothing;
    const content = html`<p>${badge(state, toneOf(state))} ${reason}</p>
      ${facts([
        ['Counterparty', counterparty(brake)],
        ['Set by', isOurs ? words(setBy.kind) : `The operator ${setBy.id}, who alone can release it`],
        ['Since', timeCell(setAt)],
        ['Waiting', count(waiting)],
        ...(perSecond === null
          ? []
          : ([['Taken up again', `${count(resumed)}, ${count(perSecond)} a second`]] as const)),
      ])}`;
    // There may be several of one kind, each for another counterparty.
    const titleId = `brake-${brake.id}`;
    return html`<section class="card" aria-labelledby=${titleId}>
      <header>
        <h2 id=${titleId}>${heldBack(kind)}</h2>
        ${release}
      </header>
      ${content}
    </section>`;
  }
}

function nothingHeld(): unknown {
  return html`<div class="empty">
    <h2>Nothing is held back</h2>
    <p>Messages and webhooks go as they come.</p>
  </div>`;
}

function counterparty({ counterpartyEntityId: id }: Brake): unknown {
  return id === null ? 'All' : html`<a href=${pathTo('counterparties', id)}>This one</a>`;
}

function pastTable(brakes: readonly Brake[]): unknown {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Held back</th>
        <th scope="col">Counterparty</th>
        <th scope="col">Reason</th>
        <th scope="col">From</th>
        <th scope="col">Until</th>
        <th scope="col" class="number">Taken up again</th>
      </tr>
    </thead>
    <tbody>
      ${brakes.map(
        (brake) =>
          html`<tr>
            <td>${heldBack(brake.kind)}</td>
            <td>${counterparty(brake)}</td>
            <td>${brake.reason}</td>
            <td>${timeCell(brake.setAt)}</td>
            <td>${timeCell(brake.releasedAt)}</td>
            <td class="number">${count(brake.resumed)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
