import { html, nothing } from 'lit';
import { OPERATOR_WORDS } from '../rules-words.ts';
import { fieldWords, words } from '../words.ts';
import {
  childrenOf,
  groupOf,
  kindOf,
  newLeaf,
  takesValue,
  typedValue,
  valueText,
  type Condition,
  type RuleField,
  type GroupKind,
  type FieldCondition,
} from './conditions.ts';

export interface ConditionContext {
  fields: readonly RuleField[];
  /** Replaces the condition; null takes it away. */
  change: (next: Condition | null) => void;
  /** Null at the root, which cannot be taken away. */
  canRemove: boolean;
  label: string;
}

const GROUPS: Readonly<Record<GroupKind, string>> = {
  all: 'All of these',
  any: 'Any of these',
  not: 'Not this',
};

/** A condition with everything inside it, to be changed. */
export function conditionForm(condition: Condition, context: ConditionContext): unknown {
  return 'field' in condition ? leafForm(condition, context) : groupForm(condition, context);
}

function groupForm(condition: Condition, context: ConditionContext): unknown {
  const { fields, change, canRemove, label } = context;
  const kind = kindOf(condition) as GroupKind;
  const children = childrenOf(condition);
  const replace = (at: number, next: Condition | null) => {
    const rest = next === null ? children.toSpliced(at, 1) : children.with(at, next);
    change(rest.length === 0 ? null : groupOf(kind, rest));
  };
  const [firstField] = fields;
  const add = (made: Condition) => change(groupOf(kind, [...children, made]));
  return html`<fieldset class="conditions">
    <legend>
      <select
        aria-label=${`${label}: how they are joined`}
        @change=${(event: Event) => change(groupOf(valueOf(event) as GroupKind, children))}
      >
        ${Object.entries(GROUPS).map(([name, text]) => html`<option value=${name} ?selected=${name === kind}>${text}</option>`)}
      </select>
    </legend>
    ${children.map((child, at) =>
      conditionForm(child, {
        fields,
        change: (next) => replace(at, next),
        canRemove: canRemove || children.length > 1,
        label: `${label}.${at + 1}`,
      }),
    )}
    ${
      firstField && (kind !== 'not' || children.length === 0)
        ? html`<p class="acts">
            <button type="button" class="small" @click=${() => add(newLeaf(firstField))}>
              Add a condition
            </button>
            <button type="button" class="small" @click=${() => add(groupOf('any', [newLeaf(firstField)]))}>
              Add a group
            </button>
          </p>`
        : nothing
    }
  </fieldset>`;
}

function leafForm(leaf: FieldCondition, { fields, change, canRemove, label }: ConditionContext): unknown {
  const field = fields.find(({ name }) => name === leaf.field);
  if (!field) return html`<p>${leaf.field}</p>`;
  const byName = (name: string) => fields.find((one) => one.name === name) ?? field;
  const withOperator = (operator: FieldCondition['operator']): FieldCondition => {
    const { value: _value, ...rest } = leaf;
    const value = typedValue(valueText(leaf.value), operator, field.type);
    return { ...rest, operator, ...(takesValue(operator) && { value }) };
  };
  return html`<div class="leaf">
    <select
      aria-label=${`${label}: field`}
      title=${field.description}
      @change=${(event: Event) => change(newLeaf(byName(valueOf(event))))}
    >
      ${fields.map(({ name }) => html`<option value=${name} ?selected=${name === leaf.field}>${fieldWords(name)}</option>`)}
    </select>
    <select
      aria-label=${`${label}: comparison`}
      @change=${(event: Event) => change(withOperator(valueOf(event) as FieldCondition['operator']))}
    >
      ${field.operators.map((one) => html`<option value=${one} ?selected=${one === leaf.operator}>${OPERATOR_WORDS[one]}</option>`)}
    </select>
    ${takesValue(leaf.operator) ? valueControl(leaf, field, { change, label }) : nothing}
    ${field.currencies && leaf.currency ? currencyControl(leaf, field.currencies, { change, label }) : nothing}
    ${
      canRemove
        ? html`<button
            type="button"
            class="small quiet"
            aria-label=${`Remove ${label}`}
            @click=${() => change(null)}
          >
            Remove
          </button>`
        : nothing
    }
  </div>`;
}

type LeafContext = Pick<ConditionContext, 'change' | 'label'>;

function valueControl(leaf: FieldCondition, field: RuleField, { change, label }: LeafContext): unknown {
  const set = (event: Event) =>
    change({ ...leaf, value: typedValue(valueOf(event), leaf.operator, field.type) });
  const text = valueText(leaf.value);
  const isOne = leaf.operator === 'EQ' || leaf.operator === 'NEQ';
  const values = field.type === 'BOOLEAN' ? ['true', 'false'] : field.values;
  if (isOne && values) {
    return html`<select aria-label=${`${label}: value`} @change=${set}>
      ${values.map((value) => html`<option value=${value} ?selected=${value === text}>${BOOLEAN_WORDS[value] ?? words(value)}</option>`)}
    </select>`;
  }
  const hint = values ? values.slice(0, 3).join(', ') : field.unit;
  return html`<input
    aria-label=${`${label}: value`}
    placeholder=${hint ?? ''}
    .value=${text}
    @change=${set}
  />`;
}

const BOOLEAN_WORDS: Partial<Record<string, string>> = { true: 'yes', false: 'no' };

function currencyControl(
  leaf: FieldCondition,
  currencies: NonNullable<RuleField['currencies']>,
  { change, label }: LeafContext,
): unknown {
  const set = (event: Event) => change({ ...leaf, currency: valueOf(event) === 'USD' ? 'USD' : 'EUR' });
  return html`<select aria-label=${`${label}: currency`} @change=${set}>
    ${currencies.map((one) => html`<option value=${one} ?selected=${one === leaf.currency}>${one}</option>`)}
  </select>`;
}

export function valueOf(event: Event): string {
  return (event.target as HTMLInputElement | HTMLSelectElement).value;
}
