import { html, nothing } from 'lit';
import type { Schemas } from '../api-types.ts';
import { send, toRefusal, type Refusal } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { refusalNote } from '../reading.ts';
import { traceList } from '../transactions/decision-trace.ts';
import { badge, section } from '../values.ts';
import { deciderWords, fieldWords, toneOf, words } from '../words.ts';
import { valueOf } from './condition-form.ts';
import { factsIn, type AskedFact, type Rule, type RuleField } from './conditions.ts';

type Simulation = Schemas['RuleSimulation'];
type AskedField = AskedFact & Pick<RuleField, 'type' | 'values' | 'description'>;
interface Draft {
  rules: readonly Rule[];
  defaultDecision: 'PROCEED' | 'REVIEW' | 'BLOCK';
  onUndecided: 'IGNORE' | 'REVIEW';
}

/** Tries the draft, saved or not, on facts that the person gives. */
export class RuleSimulation extends PagePart {
  configurationId = '';
  #draft: Draft = { rules: [], defaultDecision: 'PROCEED', onUndecided: 'REVIEW' };
  #fields: readonly RuleField[] = [];
  #given: Record<string, string> = {};
  #result: Simulation | undefined;
  #refusal: Refusal | undefined;

  set draft(draft: Draft) {
    if (draft !== this.#draft) this.#result = undefined;
    this.#draft = draft;
    this.requestUpdate();
  }

  set fields(fields: readonly RuleField[]) {
    this.#fields = fields;
  }

  override render(): unknown {
    return section(
      'Try it',
      html`<p class="dim">
          Give the facts of a transaction that the rules ask for; what is left empty is not known.
        </p>
        <form @submit=${(event: Event) => this.#submit(event)}>
          <div class="columns">${this.#askedFacts().map((asked) => this.#input(asked))}</div>
          <button type="submit">Try the draft</button>
        </form>
        ${this.#refusal ? refusalNote(this.#refusal) : nothing}
        ${this.#result ? resultOf(this.#result, this.#draft.rules) : nothing}`,
    );
  }

  /** What the rules read, each fact once, in the order of the fields. */
  #askedFacts(): AskedField[] {
    const facts = this.#draft.rules.flatMap(({ conditions }) => factsIn(conditions));
    const once = [...new Map(facts.map((fact) => [fact.name, fact])).values()];
    return this.#fields.flatMap(({ name, type, values, description }) =>
      once.filter(({ field }) => field === name).map((fact) => ({ ...fact, type, values, description })),
    );
  }

  #input({ name, field, currency, type, values, description }: AskedField): unknown {
    const id = `fact-${name}`;
    const set = (event: Event) => void (this.#given[name] = valueOf(event));
    const choices = type === 'BOOLEAN' ? ['true', 'false'] : type === 'ENUM' ? values : null;
    return html`<div class="field">
      <label for=${id} title=${description}>${fieldWords(field)}${currency ? `, ${currency}` : ''}</label>
      ${
        choices
          ? html`<select id=${id} @change=${set}>
              <option value="">Not known</option>
              ${choices.map((value) => html`<option value=${value}>${BOOLEAN_WORDS[value] ?? words(value)}</option>`)}
            </select>`
          : html`<input
              id=${id}
              @input=${set}
              placeholder=${type.endsWith('_SET') ? 'Separated by commas' : ''}
            />`
      }
    </div>`;
  }

  #submit(event: Event): void {
    event.preventDefault();
    void this.#try();
  }

  async #try(): Promise<void> {
    const { rules, defaultDecision, onUndecided } = this.#draft;
    try {
      this.#result = await send('POST', '/rule-engine/{id}/simulate', {
        path: { id: this.configurationId },
        body: { source: 'DRAFT', input: this.#facts(), rules: [...rules], defaultDecision, onUndecided },
      });
      this.#refusal = undefined;
    } catch (error) {
      this.#refusal = toRefusal(error);
    }
    this.requestUpdate();
  }

  #facts(): Schemas['RuleFacts'] {
    const facts = this.#askedFacts().flatMap(({ name, type }) => {
      const text = this.#given[name]?.trim() ?? '';
      return text === '' ? [] : [[name, factOf(text, type)] as const];
    });
    return Object.fromEntries(facts);
  }
}

const BOOLEAN_WORDS: Partial<Record<string, string>> = { true: 'Yes', false: 'No' };

function factOf(text: string, type: RuleField['type']): string | boolean | string[] {
  if (type === 'BOOLEAN') return text === 'true';
  return type.endsWith('_SET') ? text.split(',').map((one) => one.trim()) : text;
}

function resultOf(
  { decision, decidedBy, rules: trace, reason, warnings }: Simulation,
  rules: readonly Rule[],
): unknown {
  const deciding =
    trace.find(({ ruleId }) => ruleId === decidedBy) ?? rules.find(({ id }) => id === decidedBy);
  return html`<div role="status">
    <p>
      ${badge(decision, toneOf(decision))}
      ${deciding ? html`by the rule <strong>${deciding.name}</strong>` : deciderWords(decidedBy)}
    </p>
    ${reason === null ? nothing : html`<p>${reason}</p>`}
    ${warnings.map(({ message }) => html`<p class="note attention">${message}</p>`)} ${traceList(trace)}
  </div>`;
}
