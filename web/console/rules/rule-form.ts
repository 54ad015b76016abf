import { html, nothing } from 'lit';
import type { Schemas } from '../api-types.ts';
import { badge } from '../values.ts';
import { toneOf, words } from '../words.ts';
import { conditionForm, valueOf } from './condition-form.ts';
import { conditionWords, type RuleField, type Rule } from './conditions.ts';

interface RuleFormContext {
  fields: readonly RuleField[];
  at: number;
  isOpen: boolean;
  change: (next: Rule | null) => void;
}

const DECISIONS = ['PROCEED', 'WAIT', 'REVIEW', 'BLOCK'] as const satisfies readonly Schemas['RuleVerdict'][];

/** A rule as a sentence; open, everything of it can be changed. */
export function ruleForm(rule: Rule, context: RuleFormContext): unknown {
  const { name, decision, enabled = true, conditions } = rule;
  return html`<details class="rule" ?open=${context.isOpen}>
    <summary>
      <strong>${name}</strong> ${badge(decision, toneOf(decision))} ${enabled ? nothing : badge('OFF')}
      <span class="dim">if ${conditionWords(conditions)}</span>
    </summary>
    ${ruleFields(rule, context)}
  </details>`;
}

function ruleFields(rule: Rule, context: RuleFormContext): unknown {
  const { fields, at, change } = context;
  const { enabled = true, conditions } = rule;
  return html`${decisionFields(rule, context)}
    <p class="dim">If</p>
    ${conditionForm(conditions, {
      fields,
      change: (next) => next !== null && change({ ...rule, conditions: next }),
      canRemove: false,
      label: `Rule ${at + 1}`,
    })}
    ${
      'field' in conditions
        ? html`<button
            type="button"
            class="small"
            @click=${() => change({ ...rule, conditions: { all: [conditions] } })}
          >
            Add to it
          </button>`
        : nothing
    }
    <p class="acts">
      <label class="field check"
        ><input
          type="checkbox"
          .checked=${enabled}
          @change=${() => change({ ...rule, enabled: !enabled })}
        /><span>Switched on</span></label
      >
      <button type="button" class="small danger" @click=${() => change(null)}>Remove the rule</button>
    </p>`;
}

function decisionFields(rule: Rule, { at, change }: RuleFormContext): unknown {
  const { name, decision, priority, reason, waitMinutes } = rule;
  const input = (part: string, label: string, { value, type, set }: RuleInput) => {
    const id = `rule-${at}-${part}`;
    const store = (event: Event) => change(set(valueOf(event)));
    return labelled(id, label, html`<input id=${id} type=${type} .value=${value} @change=${store} />`);
  };
  const decide = (event: Event) => change(withDecision(rule, valueOf(event)));
  return html`<div class="columns">
      ${input('name', 'Name', { value: name, type: 'text', set: (text) => ({ ...rule, name: text }) })}
      ${labelled(
        `rule-${at}-decision`,
        'Then',
        html`<select id=${`rule-${at}-decision`} @change=${decide}>
          ${DECISIONS.map((one) => html`<option value=${one} ?selected=${one === decision}>${words(one)}</option>`)}
        </select>`,
      )}
      ${input('priority', 'Order, the lowest first', {
        value: String(priority ?? 100),
        type: 'number',
        set: (text) => ({ ...rule, priority: Number(text) }),
      })}
      ${
        decision === 'WAIT'
          ? input('wait', 'Minutes to wait', {
              value: String(waitMinutes ?? 10),
              type: 'number',
              set: (text) => ({ ...rule, waitMinutes: Number(text) }),
            })
          : nothing
      }
    </div>
    ${input('reason', 'Reason that reviewers see', {
      value: reason ?? '',
      type: 'text',
      set: (text) => ({ ...rule, reason: text.trim() === '' ? null : text }),
    })}`;
}

interface RuleInput {
  value: string;
  type: 'text' | 'number';
  /** The rule with the text that was typed. */
  set: (text: string) => Rule;
}

function withDecision(rule: Rule, text: string): Rule {
  const decision = DECISIONS.find((one) => one === text) ?? 'REVIEW';
  return { ...rule, decision, waitMinutes: decision === 'WAIT' ? (rule.waitMinutes ?? 10) : null };
}

function labelled(id: string, label: string, control: unknown): unknown {
  return html`<div class="field"><label for=${id}>${label}</label>${control}</div>`;
}
