import { html, nothing } from 'lit';
import type { Schemas } from '../api-types.ts';
import { get } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { ApiReading } from '../reading.ts';
import { session } from '../session.ts';
import { badge, section, timeCell } from '../values.ts';
import { words } from '../words.ts';
import { conditionWords, type Rule } from './conditions.ts';
import { compareRules, type RuleChange } from './compare-rules.ts';

/** What was published before, compared with the draft. */
export class RuleVersions extends PagePart {
  configurationId = '';
  draft: readonly Rule[] = [];
  restore: (version: number) => void = () => undefined;
  #latest = -1;
  #compared: Schemas['RuleVersion'] | null = null;
  #versions = new ApiReading(
    this,
    async () =>
      await get('/rule-engine/{id}/versions', { path: { id: this.configurationId }, query: { _end: '50' } }),
  );

  /** The number of the latest version: another one means that something was published. */
  set latest(latest: number) {
    if (this.#latest >= 0 && latest !== this.#latest) void this.#versions.again();
    this.#latest = latest;
    this.requestUpdate();
  }

  override render(): unknown {
    return section(
      'Versions',
      this.#versions.show('the versions', (versions) =>
        versions.length === 0
          ? html`<p class="dim">Nothing was published yet.</p>`
          : html`<table>
                <thead>
                  <tr>
                    <th scope="col">Version</th>
                    <th scope="col">Published</th>
                    <th scope="col">Comment</th>
                    <th scope="col" class="number">Rules</th>
                    <th scope="col"><span class="unseen">Acts</span></th>
                  </tr>
                </thead>
                <tbody>
                  ${versions.map((version) => this.#row(version))}
                </tbody>
              </table>
              ${this.#compared ? this.#comparison(this.#compared) : nothing}`,
      ),
    );
  }

  #row({ version, publishedAt, comment, ruleCount }: Schemas['RuleVersionSummary']): unknown {
    return html`<tr>
      <td>${version}</td>
      <td>${timeCell(publishedAt)}</td>
      <td>${comment}</td>
      <td class="number">${ruleCount}</td>
      <td>
        <button
          type="button"
          class="small"
          aria-label=${`Compare version ${version} with the draft`}
          @click=${() => void this.#compare(version)}
        >
          Compare
        </button>
        ${
          session.may('DECIDE')
            ? html`<button
                type="button"
                class="small"
                aria-label=${`Take version ${version} into the draft`}
                @click=${() => this.restore(version)}
              >
                Take into the draft
              </button>`
            : nothing
        }
      </td>
    </tr>`;
  }

  async #compare(version: number): Promise<void> {
    const path = { id: this.configurationId, version };
    this.#compared = await get('/rule-engine/{id}/versions/{version}', { path });
    this.requestUpdate();
  }

  #comparison({ version, rules }: Schemas['RuleVersion']): unknown {
    const changes = compareRules(rules, this.draft);
    return html`<h3>From version ${version} to the draft</h3>
      ${
        changes.length === 0
          ? html`<p class="dim">The rules are the same.</p>`
          : html`<ul class="bare">
              ${changes.map((change) => changeRow(change))}
            </ul>`
      }`;
  }
}

const CHANGE_TONES = { ADDED: 'good', REMOVED: 'bad', CHANGED: 'attention' } as const;

function changeRow({ kind, before, after }: RuleChange): unknown {
  return html`<li>
    ${badge(kind, CHANGE_TONES[kind])} <strong>${(after ?? before)?.name}</strong>
    ${before ? html`<p class="before">${sentence(before)}</p>` : nothing}
    ${after ? html`<p class="after">${sentence(after)}</p>` : nothing}
  </li>`;
}

function sentence({ conditions, decision, enabled = true }: Rule): string {
  return `${words(decision)} if ${conditionWords(conditions)}${enabled ? '' : ' (switched off)'}`;
}
