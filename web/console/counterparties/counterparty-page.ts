import { html, nothing } from 'lit';
import type { OfferedAct } from '../act-bar.ts';
import { openAct, type DialogAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { setBrake } from '../brakes/brake-acts.ts';
import { get, send } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { pathTo } from '../place.ts';
import { ApiReading } from '../reading.ts';
import { session } from '../session.ts';
import { badge, copied, count, facts, section, text, timeCell } from '../values.ts';
import { options, toneOf, words } from '../words.ts';
import { hours, type Counterparty } from './counterparty-list.ts';

const POLICIES = ['ALLOW', 'REVIEW', 'BLOCK'] as const;
const STEPS = ['WARNED', 'RESTRICTED', 'TERMINATED', 'REPORTED'] as const;

/** One VASP: due diligence, its record of answers, and the steps that were taken. */
export class CounterpartyPage extends PagePart {
  recordId = '';
  #counterparty = new ApiReading(
    this,
    async () => await get('/counterparties/{entityId}', { path: { entityId: this.recordId } }),
  );

  override render(): unknown {
    return html`<p class="crumbs"><a href=${pathTo('counterparties')}>Counterparties</a></p>
      ${this.#counterparty.showPage('the counterparty', (counterparty) => this.#show(counterparty))}`;
  }

  #show(counterparty: Counterparty): unknown {
    const { entity, policy, warnings, entityId } = counterparty;
    return html`<header class="page-head">
        <div>
          <h1>${entity.name}</h1>
          <p>
            ${badge(policy, toneOf(policy))} ${badge(entity.riskSeverity, toneOf(entity.riskSeverity))}
            <span class="dim"
              >${words(entity.type)}${entity.inNetwork ? ', reached within this deployment' : ''}</span
            >
          </p>
        </div>
        <div class="page-acts">
          <wb-act-bar
            .acts=${counterpartyActs(counterparty, () => void this.#counterparty.again())}
          ></wb-act-bar>
          <p class="links">
            <a href=${`${pathTo('transactions')}?_counterpartyEntityId=${entityId}`}>Its transactions</a>
          </p>
        </div>
      </header>
      ${warnings.map((code) => html`<p class="note attention">${words(code)}</p>`)}
      <div class="columns">
        ${section('Due diligence', dueDiligence(counterparty))}
        ${section('Record of answers', answers(counterparty))}
      </div>
      ${section('Who it is', entityFacts(entity))} ${section('Steps taken', stepList(counterparty))}`;
  }
}

function dueDiligence({
  policy,
  dueDiligenceAt,
  nextReviewAt,
  note,
  claimDeadlineDays,
}: Counterparty): unknown {
  return facts([
    ['Policy', words(policy)],
    ['Last done', timeCell(dueDiligenceAt)],
    ['Next review', timeCell(nextReviewAt)],
    ['Days to answer claims', text(claimDeadlineDays)],
    ['Note', text(note)],
  ]);
}

function answers(counterparty: Counterparty): unknown {
  const { sent, answered, medianAnswerHours, p95AnswerHours, received, incomplete, late, rejected } =
    counterparty;
  return facts([
    ['Sent to it', `${count(sent)}, answered ${count(answered)}`],
    ['Median answer', hours(medianAnswerHours)],
    ['95 % within', hours(p95AnswerHours)],
    ['Received from it', `${count(received)}, incomplete ${count(incomplete)}, late ${count(late)}`],
    [
      'Coins',
      `returned ${count(counterparty.returned)}, suspended ${count(counterparty.suspended)}, rejected ${count(rejected)}`,
    ],
    ['Claims unanswered', count(counterparty.claimsUnanswered)],
    ['Failures, 90 days', count(counterparty.recentFailures)],
  ]);
}

function entityFacts(entity: Counterparty['entity']): unknown {
  return facts(
    [
      ['Legal name', text(entity.legalName)],
      ['Also known as', text(entity.aliases.join(', '))],
      ['Countries', text(entity.countries.join(', '))],
      ['LEI', copied(entity.lei, 'LEI')],
      ['Registered as', text(entity.registrationNumber)],
      ['Web page', text(entity.webpage)],
      ['E-mail', text(entity.email)],
      ['Mail domains', text(entity.emailDomains.join(', '))],
      ['Networks', text(entity.networks.join(', '))],
      ['Travel address', copied(entity.travelAddress, 'travel address')],
      ['From', text(entity.source)],
    ],
    true,
  );
}

function stepList({ steps }: Counterparty): unknown {
  if (steps.length === 0) return html`<p class="dim">None.</p>`;
  return html`<ol class="timeline">
    ${steps.toReversed().map(
      ({ kind, takenAt, note }) =>
        html`<li>
          <p><strong>${words(kind)}</strong> <span class="dim">${timeCell(takenAt)}</span></p>
          ${note === null ? nothing : html`<p>${note}</p>`}
        </li>`,
    )}
  </ol>`;
}

function counterpartyActs(counterparty: Counterparty, again: () => void): OfferedAct[] {
  if (!session.may('DECIDE')) return [];
  const vasp = { id: counterparty.entityId, name: counterparty.entity.name };
  return [
    {
      label: 'Record due diligence',
      key: 'a',
      tone: 'primary',
      start: () => openAct(renew(counterparty, again)),
    },
    { label: 'Record a step', key: 's', start: () => openAct(recordStep(counterparty, again)) },
    ...(session.may('ADMINISTER')
      ? [{ label: 'Hold back messages', key: 'h', start: () => openAct(setBrake(again, vasp)) }]
      : []),
  ];
}

const dayOf = (time: string | null) => (time === null ? '' : time.slice(0, 10));
const timeOf = (day: string) => (day === '' ? null : `${day}T00:00:00Z`);

function renew({ entityId, entity, policy, note, nextReviewAt }: Counterparty, again: () => void): DialogAct {
  return {
    key: `due-diligence/${entityId}`,
    title: `Due diligence of ${entity.name}`,
    label: 'Save',
    fields: [
      {
        name: 'policy',
        label: 'Policy',
        kind: 'choice',
        isRequired: true,
        value: policy,
        options: options(POLICIES),
      },
      {
        name: 'done',
        label: 'Done on',
        kind: 'date',
        isRequired: true,
        value: new Date().toISOString().slice(0, 10),
      },
      { name: 'next', label: 'Next review', kind: 'date', value: dayOf(nextReviewAt) },
      { name: 'note', label: 'Note', kind: 'long', value: note ?? '' },
    ],
    onConflict: again,
    run: async ({ policy: chosen, done = '', next = '', note: text_ = '' }) => {
      const body: Schemas['PatchCounterparty'] = {
        policy: POLICIES.find((known) => known === chosen) ?? policy,
        dueDiligenceAt: timeOf(done),
        nextReviewAt: timeOf(next),
        note: text_.trim() === '' ? null : text_.trim(),
      };
      await send('PATCH', '/counterparties/{entityId}', { path: { entityId }, body });
      again();
      return 'It is recorded.';
    },
  };
}

function recordStep({ entityId, entity }: Counterparty, again: () => void): DialogAct {
  return {
    key: `step/${entityId}`,
    title: `Record a step against ${entity.name}`,
    explanation: 'What you did about missing data or answers: Article 17 (2) of Regulation (EU) 2023/1113.',
    label: 'Record',
    fields: [
      {
        name: 'kind',
        label: 'Step',
        kind: 'choice',
        isRequired: true,
        value: 'WARNED',
        options: options(STEPS),
      },
      { name: 'note', label: 'Note', kind: 'long' },
    ],
    run: async ({ kind, note = '' }) => {
      const text_ = note.trim() === '' ? {} : { note: note.trim() };
      const body = { kind: STEPS.find((known) => known === kind) ?? ('WARNED' as const), ...text_ };
      await send('POST', '/counterparties/{entityId}/steps', { path: { entityId }, body });
      again();
      return 'The step is recorded.';
    },
  };
}
