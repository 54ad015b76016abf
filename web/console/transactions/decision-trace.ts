import { html, nothing } from 'lit';
import type { Schemas } from '../api-types.ts';
import { RESULT_WORDS, leafSentence } from '../rules-words.ts';
import { badge, section, timeCell } from '../values.ts';
import { deciderWords, toneOf, words } from '../words.ts';

type Decision = Schemas['RuleDecision'];
type Trace = Schemas['RuleTrace'];

/** What the rules decided and why, in sentences. */
export function decisionTrace(decisions: readonly Decision[]): unknown {
  if (decisions.length === 0) return nothing;
  return section(
    'Rules',
    html`${decisions.toSorted((one, other) => other.sequence - one.sequence).map((decision, at) => decisionCard(decision, at === 0))}`,
  );
}

function decisionCard(decision: Decision, isLatest: boolean): unknown {
  const { decidedBy, rules, reason, evaluatedAt, version } = decision;
  const deciding = rules.find(({ ruleId }) => ruleId === decidedBy);
  return html`<article class="decision">
    <p>
      ${badge(decision.decision, toneOf(decision.decision))}
      ${deciding ? html`by the rule <strong>${deciding.name}</strong>` : deciderWords(decidedBy)}
      <span class="dim">version ${version}, ${timeCell(evaluatedAt)}</span>
    </p>
    ${reason === null ? nothing : html`<p>${reason}</p>`}
    ${
      rules.length === 0
        ? nothing
        : html`<details ?open=${isLatest}>
            <summary>
              ${rules.length === 1 ? 'The rule' : `All ${rules.length} rules`}, in their order
            </summary>
            ${traceList(rules)}
          </details>`
    }
  </article>`;
}

/** Every rule with its conditions, as sentences. */
export function traceList(rules: readonly Trace[]): unknown {
  return html`<ol class="trace">
    ${rules.map(
      ({ name, decision, result, trace }) =>
        html`<li class=${result === 'MATCHED' ? 'matched' : ''}>
          <p>
            <strong>${name}</strong> ${RESULT_WORDS[result]}
            <span class="dim">(${words(decision).toLowerCase()})</span>
          </p>
          <ul>
            ${trace.map((leaf) => html`<li class=${leaf.result === true ? 'yes' : 'no'}>${leafSentence(leaf)}</li>`)}
          </ul>
        </li>`,
    )}
  </ol>`;
}
