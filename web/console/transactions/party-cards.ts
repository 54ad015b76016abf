import { html, nothing } from 'lit';
import type { Schemas } from '../api-types.ts';
import { DASH, facts, section, text } from '../values.ts';
import { missingWords, words } from '../words.ts';
import type { Transaction } from './transaction-list.ts';

type Party = Schemas['Party'];

/** Originator and beneficiary beside each other, with what is missing of them. */
export function partyCards(transaction: Transaction): unknown {
  const { originator, beneficiary, additionalOriginators, sealed, completeness } = transaction;
  if (sealed) {
    return section(
      'Parties',
      html`<p>
        The message is sealed: its parties are shown once the destination wallet is confirmed as yours.
      </p>`,
    );
  }
  const missing = completeness?.missing ?? [];
  return section(
    'Parties',
    html`<div class="columns">
        ${partyColumn('Originator', originator)}${partyColumn('Beneficiary', beneficiary)}
        ${additionalOriginators.map((party, at) => partyColumn(`Originator ${at + 2}`, party))}
      </div>
      ${
        missing.length === 0
          ? nothing
          : html`<p class="note attention">
              Missing for Regulation (EU) 2023/1113: ${missing.map(missingWords).join('; ')}
            </p>`
      }
      ${beneficiaryMatch(transaction)}`,
  );
}

function beneficiaryMatch({ beneficiaryMatch: match }: Transaction): unknown {
  if (match === null || match === 'MATCH') return nothing;
  const how = match === 'CLOSE' ? 'is close to, but not,' : 'is not';
  return html`<p class="note attention">
    The beneficiary’s name ${how} the holder that you have on record for the wallet.
  </p>`;
}

function partyColumn(title: string, party: Party | null): unknown {
  return html`<div>
    <h3>${title}</h3>
    ${party === null ? html`<p class="dim">Nothing was given.</p>` : partyFacts(party)}
  </div>`;
}

function partyFacts(party: Party): unknown {
  const { addressDetails: details } = party;
  const place = [details?.street, details?.buildingNumber, details?.postCode, details?.town]
    .filter(Boolean)
    .join(' ');
  const number = [party.nationalIdentificatorType, party.nationalIdentificator, party.identifierCountry];
  return facts(
    [
      ['Name', text(party.name)],
      ['First name', text(party.firstName)],
      ['Last name', text(party.lastName)],
      ['Also known as', text(party.aliases?.join(', '))],
      ['Kind', party.type === null ? DASH : words(party.type)],
      ['Born', text([party.dateOfBirth, party.placeOfBirth].filter(Boolean).join(', '))],
      ['Address', text(party.address ?? place)],
      ['Country', text(party.country)],
      ['Account', text(party.accountNumber)],
      ['Customer number', text(party.customerIdentification)],
      ['Identity document', party.nationalIdentificator === null ? DASH : number.filter(Boolean).join(' ')],
      ['LEI', text(party.lei)],
      ['Registered with', text(party.registrationAuthority)],
    ],
    true,
  );
}
