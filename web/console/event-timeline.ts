import { html, nothing } from 'lit';
import type { Schemas } from './api-types.ts';
import { chainState } from './event-chain.ts';
import { badge, section, timeCell } from './values.ts';
import { toneOf, words } from './words.ts';

type Event = Schemas['Event'];

/** The events of a record, newest first, and whether their chain is whole. */
export function eventTimeline(events: readonly Event[]): unknown {
  return section(
    'Timeline',
    html`${chainNote(events)}
      <ol class="timeline">
        ${events.toSorted((one, other) => other.sequence - one.sequence).map(eventRow)}
      </ol>`,
  );
}

function chainNote(events: readonly Event[]): unknown {
  const { isWhole, brokenAt } = chainState(events);
  if (isWhole) {
    return html`<p class="note good">
      The chain of ${events.length} events is whole: each names the hash of the one before.
    </p>`;
  }
  return html`<p class="note bad">
    The chain breaks at event ${brokenAt}: the log was changed. Run verify-events.
  </p>`;
}

function eventRow(event: Event): unknown {
  const { type, message, createdAt, newStatus, previousStatus, hash, sequence } = event;
  return html`<li>
    <p>
      <strong>${words(type)}</strong>
      ${newStatus !== null && newStatus !== previousStatus ? badge(newStatus, toneOf(newStatus)) : nothing}
      <span class="dim">${timeCell(createdAt)} · ${actorWords(event)}</span>
    </p>
    ${message === '' ? nothing : html`<p>${message}</p>`}
    <p class="dim hash" title=${hash}>${sequence} · ${hash.slice(0, 12)}</p>
  </li>`;
}

function actorWords({ actor, user, apiKeyId }: Event): string {
  if (user) return user.name || user.email;
  if (actor === 'API_KEY') return `API key ${apiKeyId?.slice(0, 8) ?? ''}`;
  return words(actor);
}
