import { html, nothing } from 'lit';
import { openAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { session } from '../session.ts';
import { badge, facts, section, text, timeCell } from '../values.ts';
import { fieldWords, toneOf, words } from '../words.ts';
import { suppress } from './suppress-act.ts';

type ReviewFile = Schemas['TransactionReviewFile'];
type Match = Schemas['SanctionsMatch'];
type Findings = Schemas['TransactionScreening'];

/** What lists and providers found, and what reviewers said to it. */
export function screeningPanel({ screening, hold, reviews }: ReviewFile): unknown {
  return section(
    'Screening',
    html`${hold === null ? nothing : html`<p class="note attention">Held: ${words(hold)}.</p>`}
    ${screening === null ? html`<p class="dim">Not screened yet.</p>` : findings(screening)}
    ${reviews.length === 0 ? nothing : reviewList(reviews)}`,
  );
}

function findings(screening: Findings): unknown {
  const { sanctions, screenedAt } = screening;
  return html`<p class="dim">Screened ${timeCell(screenedAt)}</p>
    ${sanctions.subjects.map(subject)} ${providerFacts(screening)}`;
}

function subject({ role, isReleased, screening }: Findings['sanctions']['subjects'][number]): unknown {
  const matches = screening?.matches ?? [];
  const name = screening?.screenedName ?? '';
  return html`<article class="subject">
    <h3>${fieldWords(role)}: ${name} ${isReleased ? badge('RELEASED', 'good') : nothing}</h3>
    ${
      matches.length === 0
        ? html`<p class="dim">${screening === null ? 'Nothing to compare.' : 'On none of the lists.'}</p>`
        : matches.map((match) => matchCard(match, screening))
    }
    ${
      screening && !screening.complete
        ? html`<p class="note attention">
            Not all lists could be searched: ${screening.missingLists.map(({ code }) => code).join(', ')}
          </p>`
        : nothing
    }
  </article>`;
}

/** The screened name and the listed one side by side, word by word. */
function matchCard(match: Match, screening: Schemas['Screening'] | null): unknown {
  const { name, listCode, riskScore, riskLevel, aliases, countries, type } = match;
  return html`<div class="match">
    <header>
      <strong>${name}</strong>
      <span class=${`badge ${toneOf(riskLevel)}`}>${Math.round(riskScore)} of 100</span>
      <span class="dim">${words(type)} on ${listCode}</span>
      ${
        screening && session.may('DECIDE')
          ? html`<button type="button" class="small" @click=${() => openAct(suppress(match, screening))}>
              Not the same
            </button>`
          : nothing
      }
    </header>
    ${comparison(match, screening)}
    ${facts(
      [
        ['Aliases', text(aliases.slice(0, 8).join(' · '))],
        ['Countries', text(countries.join(', '))],
        ['Programme', text(match.sanctions.flatMap(({ sanctionProgram }) => sanctionProgram).join(', '))],
        ['Reason', text(match.sanctions.flatMap(({ reason }) => reason).join(' '))],
      ],
      true,
    )}
  </div>`;
}

function comparison({ explanation, name }: Match, screening: Schemas['Screening'] | null): unknown {
  return html`<table class="compare">
    <caption class="unseen">
      Screened and listed name, word by word
    </caption>
    <thead>
      <tr>
        <th scope="col">Screened</th>
        <th scope="col">Listed</th>
        <th scope="col">How it fits</th>
      </tr>
    </thead>
    <tbody>
      <tr class="whole">
        <td>${explanation.queryName ?? screening?.screenedName}</td>
        <td>${explanation.matchedName ?? name}</td>
        <td>${words(explanation.matchedNameKind ?? 'primary')}</td>
      </tr>
      ${explanation.parts.map(
        ({ query, listed, how, score }) =>
          html`<tr>
            <td>${query}</td>
            <td>${listed}</td>
            <td>${words(how)} <span class="dim">${Math.round(score * 100)} %</span></td>
          </tr>`,
      )}
      ${explanation.qualifiers.map(
        ({ kind, query, listed, outcome }) =>
          html`<tr class=${outcome}>
            <td>${words(kind)}: ${query}</td>
            <td>${listed}</td>
            <td>${words(outcome)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function providerFacts({ aml, wallet, counterparty, notAsked }: Findings): unknown {
  return facts(
    [
      [
        'Risk of the wallet',
        aml === null
          ? text(notAsked === null ? null : `Not asked: ${words(notAsked).toLowerCase()}`)
          : html`${badge(aml.riskSeverity ?? aml.status, toneOf(aml.riskSeverity ?? ''))}
              ${aml.riskScore ?? ''}
              <span class="dim"
                >by
                ${aml.provider}${aml.categories.length === 0 ? '' : `: ${aml.categories.map(words).join(', ')}`}</span
              >`,
      ],
      [
        'Kind of wallet',
        wallet === null
          ? text(null)
          : html`${words(wallet.classification)} <span class="dim">${sureness(wallet)}</span>`,
      ],
      [
        'Counterparty',
        counterparty === null
          ? text(null)
          : html`${counterparty.name} ${badge(counterparty.policy, toneOf(counterparty.policy))}
              <span class="dim">${counterparty.riskSeverity} risk</span>`,
      ],
    ],
    true,
  );
}

function sureness({ classification, confidence, entityName }: NonNullable<Findings['wallet']>): string {
  const share = classification === 'UNKNOWN' ? '' : `${Math.round(confidence * 100)} % sure`;
  return [share, entityName].filter(Boolean).join(', ');
}

function reviewList(reviews: ReviewFile['reviews']): unknown {
  return html`<h3>Reviews</h3>
    <ul class="bare">
      ${reviews.map(
        ({ decision, reason, at, isProposal }) =>
          html`<li>
            ${badge(decision, toneOf(decision))} ${isProposal ? 'proposed' : ''} ${reason}
            <span class="dim">${timeCell(at)}</span>
          </li>`,
      )}
    </ul>`;
}
