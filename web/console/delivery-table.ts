import { html, nothing } from 'lit';
import type { Schemas } from './api-types.ts';
import { send } from './exchange.ts';
import { notify } from './notice.ts';
import { session } from './session.ts';
import { badge, section, text, timeCell } from './values.ts';
import { toneOf, words } from './words.ts';

export type Delivery = Schemas['WebhookDelivery'];

/** The webhooks of a record with their attempts. */
export function deliverySection(deliveries: readonly Delivery[], again: () => void): unknown {
  if (deliveries.length === 0) return nothing;
  return section('Webhooks', html`${deliveries.map((delivery) => deliveryCard(delivery, again))}`);
}

export function deliveryCard(delivery: Delivery, again: () => void): unknown {
  const { eventType, resourceVersion, status, attempts, createdAt, nextAttemptAt, lastError } = delivery;
  return html`<details class="delivery" ?open=${status !== 'DELIVERED'}>
    <summary>
      ${badge(status, toneOf(status))} ${words(eventType)}, version ${resourceVersion}
      <span class="dim">${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}, ${timeCell(createdAt)}</span>
    </summary>
    ${lastError === null ? nothing : html`<p>${words(lastError)}</p>`}
    ${nextAttemptAt === null ? nothing : html`<p class="dim">Next attempt ${timeCell(nextAttemptAt)}</p>`}
    ${attemptTable(delivery)}
    ${
      session.may('DECIDE') && status !== 'PENDING'
        ? html`<button type="button" class="small" @click=${() => void redeliver(delivery, again)}>
            Send again
          </button>`
        : nothing
    }
  </details>`;
}

function attemptTable({ attemptLog }: Delivery): unknown {
  if (attemptLog.length === 0) return nothing;
  return html`<table>
    <caption class="unseen">
      Attempts
    </caption>
    <thead>
      <tr>
        <th scope="col">Attempt</th>
        <th scope="col">At</th>
        <th scope="col">Answer</th>
        <th scope="col">Took</th>
      </tr>
    </thead>
    <tbody>
      ${attemptLog.map(
        ({ attempt, startedAt, statusCode, error, durationMs }) =>
          html`<tr>
            <td>${attempt}</td>
            <td>${timeCell(startedAt)}</td>
            <td>${text(statusCode ?? error)}</td>
            <td>${durationMs} ms</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

async function redeliver({ id }: Delivery, again: () => void): Promise<void> {
  try {
    await send('POST', '/tenant/me/webhook-deliveries/{id}/redeliver', { path: { id } });
    notify('It is sent again.');
  } catch (error) {
    notify(error instanceof Error ? error.message : 'It could not be sent again.');
  }
  again();
}
