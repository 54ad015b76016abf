import { html, nothing } from 'lit';
import type { OfferedAct } from '../act-bar.ts';
import { openAct, type DialogAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { get, send, toRefusal, type Refusal } from '../exchange.ts';
import { notify } from '../notice.ts';
import { PagePart } from '../part.ts';
import { pathTo } from '../place.ts';
import { ApiReading, refusalNote } from '../reading.ts';
import { session } from '../session.ts';
import { section, timeCell } from '../values.ts';
import { words } from '../words.ts';
import { valueOf } from './condition-form.ts';
import { newLeaf, type RuleField, type Rule } from './conditions.ts';
import { ruleForm } from './rule-form.ts';
import { directionTitle } from './rules-page.ts';
import { startFromSet } from './starter-sets.ts';

type Configuration = Schemas['RuleConfiguration'];
type Draft = Pick<Schemas['RuleDraft'], 'defaultDecision' | 'onUndecided'> & { rules: readonly Rule[] };

const DEFAULTS = ['PROCEED', 'REVIEW', 'BLOCK'] as const;
const UNDECIDED = ['IGNORE', 'REVIEW'] as const;

/** One set of rules: its draft, tried on facts and on the past, and its versions. */
export class ConfigurationPage extends PagePart {
  recordId = '';
  #configuration = new ApiReading(
    this,
    async () => await get('/rule-engine/{id}', { path: { id: this.recordId } }),
  );
  #fields = new ApiReading(this, async () => await get('/rule-engine/fields'));
  /** What was changed here and is not saved. */
  #edited: Draft | null = null;
  #opened: number | null = null;
  #refusal: Refusal | undefined;

  override render(): unknown {
    return html`<p class="crumbs"><a href=${pathTo('rules')}>Rules</a></p>
      ${this.#configuration.showPage('the rules', (configuration) =>
        this.#fields.showPage('the fields of rules', ({ fields }) => this.#show(configuration, fields)),
      )}`;
  }

  #show(configuration: Configuration, fields: readonly RuleField[]): unknown {
    const draft = this.#edited ?? configuration.draft;
    const { published, guard, id } = configuration;
    return html`<header class="page-head">
        <div>
          <h1>${directionTitle(configuration)}</h1>
          <p class="dim">
            ${
              published === null
                ? 'Nothing is published yet.'
                : html`Version ${configuration.publishedVersion} is in force since
                  ${timeCell(published.publishedAt)}: ${published.comment}`
            }
          </p>
        </div>
        <div class="page-acts"><wb-act-bar .acts=${this.#acts(configuration, fields)}></wb-act-bar></div>
      </header>
      ${guard ? html`<p class="note bad">Blocking is paused: ${guard.blocked} of ${guard.decisions} were blocked. Publish to go on.</p>` : nothing}
      ${this.#refusal ? refusalNote(this.#refusal) : nothing}
      ${section('Draft', this.#draftForm(draft, fields), this.#edited ? html`<span class="badge attention">Not saved</span>` : nothing)}
      <wb-rule-simulation .configurationId=${id} .draft=${draft} .fields=${fields}></wb-rule-simulation>
      <wb-rule-backtests .configurationId=${id}></wb-rule-backtests>
      <wb-rule-versions
        .configurationId=${id}
        .latest=${configuration.publishedVersion}
        .draft=${draft.rules}
        .restore=${(version: number) => openAct(this.#restore(configuration, version))}
      ></wb-rule-versions>`;
  }

  #draftForm(draft: Draft, fields: readonly RuleField[]): unknown {
    const { rules, defaultDecision, onUndecided } = draft;
    const change = (next: Partial<Draft>) => this.#edit({ ...draft, ...next });
    const replace = (at: number, next: Rule | null) =>
      change({ rules: next === null ? rules.toSpliced(at, 1) : rules.with(at, next) });
    return html`${rules.length === 0 ? html`<p class="dim">No rules yet: what applies otherwise applies to all.</p>` : nothing}
      ${rules.map((rule, at) =>
        ruleForm(rule, { fields, at, isOpen: at === this.#opened, change: (next) => replace(at, next) }),
      )}
      <div class="columns">
        <label class="filter"
          >Otherwise
          <select
            @change=${(event: Event) => change({ defaultDecision: DEFAULTS.find((one) => one === valueOf(event)) ?? 'REVIEW' })}
          >
            ${DEFAULTS.map((one) => html`<option value=${one} ?selected=${one === defaultDecision}>${words(one)}</option>`)}
          </select></label
        >
        <label class="filter"
          >A rule that cannot be decided
          <select
            @change=${(event: Event) => change({ onUndecided: UNDECIDED.find((one) => one === valueOf(event)) ?? 'REVIEW' })}
          >
            ${UNDECIDED.map((one) => html`<option value=${one} ?selected=${one === onUndecided}>${UNDECIDED_WORDS[one]}</option>`)}
          </select></label
        >
      </div>`;
  }

  #edit(draft: Draft): void {
    this.#edited = draft;
    this.requestUpdate();
  }

  #acts(configuration: Configuration, fields: readonly RuleField[]): OfferedAct[] {
    if (!session.may('DECIDE')) return [];
    const add: OfferedAct = { label: 'Add a rule', key: 'n', start: () => this.#add(configuration, fields) };
    if (this.#edited) {
      return [
        {
          label: 'Save the draft',
          key: 's',
          tone: 'primary',
          start: () => void this.#save(configuration, this.#edited),
        },
        { label: 'Drop the changes', key: 'c', start: () => this.#drop() },
        add,
      ];
    }
    return [
      { label: 'Publish', key: 'a', tone: 'primary', start: () => openAct(this.#publish(configuration)) },
      add,
      { label: 'Starter set', key: 'b', start: () => void this.#offerSets(configuration) },
    ];
  }

  async #offerSets(configuration: Configuration): Promise<void> {
    try {
      openAct(await startFromSet(configuration, async () => await this.#configuration.again()));
    } catch (error) {
      notify(toRefusal(error).message);
    }
  }

  #add({ draft }: Configuration, fields: readonly RuleField[]): void {
    const [field] = fields;
    if (!field) return;
    const current = this.#edited ?? draft;
    this.#opened = current.rules.length;
    const made: Rule = { name: 'New rule', decision: 'REVIEW', conditions: newLeaf(field) };
    this.#edit({ ...current, rules: [...current.rules, made] });
  }

  #drop(): void {
    this.#edited = null;
    this.#refusal = undefined;
    this.requestUpdate();
  }

  async #save({ id, draft }: Configuration, edited: Draft | null): Promise<void> {
    if (!edited) return;
    const { rules, defaultDecision, onUndecided } = edited;
    try {
      const body = { revision: draft.revision, rules: [...rules], defaultDecision, onUndecided };
      this.#configuration.value = await send('PATCH', '/rule-engine/{id}/draft', { path: { id }, body });
      this.#edited = null;
      this.#refusal = undefined;
      notify('The draft is saved.');
    } catch (error) {
      this.#refusal = toRefusal(error);
    }
    this.requestUpdate();
  }

  #publish({ id, draft }: Configuration): DialogAct {
    return {
      key: `publish/${id}`,
      title: 'Publish these rules',
      explanation: `${draft.rules.length} rules decide on transactions from then on.`,
      label: 'Publish',
      fields: [{ name: 'comment', label: 'What changed, and why', kind: 'long', isRequired: true }],
      onConflict: () => void this.#configuration.again(),
      run: async ({ comment = '' }) => {
        const body = { comment: comment.trim(), revision: draft.revision };
        const { proposal } = await send('POST', '/rule-engine/{id}/publish', { path: { id }, body });
        await this.#configuration.again();
        return proposal ? 'Proposed. A second person has to agree.' : 'The rules are published.';
      },
    };
  }

  #restore({ id, draft }: Configuration, version: number): DialogAct {
    return {
      key: `restore/${id}/${version}`,
      title: `Take version ${version} into the draft`,
      explanation: 'The draft is replaced. Nothing is in force until you publish it.',
      label: 'Take it',
      fields: [],
      run: async () => {
        await send('POST', '/rule-engine/{id}/restore', {
          path: { id },
          body: { version, revision: draft.revision },
        });
        this.#edited = null;
        await this.#configuration.again();
        return `The draft is version ${version} now.`;
      },
    };
  }
}

const UNDECIDED_WORDS = { IGNORE: 'is passed over', REVIEW: 'asks for review' } as const;
