// The fields of a party that a person fills in. What most know is shown; the rest opens with one click, or by itself where it is
// asked for.

import { labelled, make } from './portal-parts.js';

/** @import { Party } from '../../../domain/parties/party.ts' */
/** @typedef {{ name: keyof Party, row: HTMLElement, control: HTMLInputElement | HTMLSelectElement }} PartyField */

const KINDS = { '': 'Not given', NATURAL: 'Person', LEGAL: 'Organisation' };

const DOCUMENTS = {
  '': 'Not given',
  CCPT: 'Passport',
  IDCD: 'Identity card',
  DRLC: 'Driving licence',
  ARNU: 'Alien registration',
  SOCS: 'Social security',
  TXID: 'Tax number',
  FIIN: 'Foreign investment identity',
  RAID: 'Number in a register',
  MISC: 'Another document',
};

/** What only one kind of party has. @type {Partial<Record<keyof Party, string>>} */
const ONLY_OF = { dateOfBirth: 'NATURAL', placeOfBirth: 'NATURAL', lei: 'LEGAL' };

/**
 * A group of fields, and how to read what was filled in; null if that is nothing.
 * @param {string} id begins the ids of the fields
 * @param {string} title
 * @param {object} [options]
 * @param {readonly string[]} [options.asked] names of fields that are asked for, such as `lei`
 * @param {boolean} [options.isNameRequired]
 * @returns {{ group: HTMLFieldSetElement, read: () => Party | null }}
 */
export function partyForm(id, title, { asked = [], isNameRequired = false } = {}) {
  const kind = choice(id, 'type', 'Kind', KINDS);
  const shown = [
    kind,
    input(id, 'name', 'Name', { maxLength: 200, required: isNameRequired }),
    input(id, 'accountNumber', 'Account number', { maxLength: 100 }),
    input(id, 'country', 'Country (code or English name)', { maxLength: 100 }),
  ];
  const further = [
    input(id, 'address', 'Address', { maxLength: 500 }),
    input(id, 'dateOfBirth', 'Date of birth', { type: 'date' }),
    input(id, 'placeOfBirth', 'Place of birth', { maxLength: 70 }),
    choice(id, 'nationalIdentificatorType', 'Kind of document', DOCUMENTS),
    input(id, 'nationalIdentificator', 'Document number', { maxLength: 35 }),
    input(id, 'customerIdentification', 'Customer number', { maxLength: 50 }),
    input(id, 'lei', 'LEI', { maxLength: 20 }),
  ];
  const all = [...shown, ...further];
  kind.control.addEventListener('change', () => showKind(all, kind.control.value));
  const more = make('details', '', { open: further.some(({ name }) => asked.includes(name)) });
  more.append(make('summary', 'Address, birth, document, LEI'), ...further.map(({ row }) => row));
  const group = make('fieldset');
  group.append(make('legend', title), ...shown.map(({ row }) => row), more);
  return { group, read: () => filledIn(all) };
}

/**
 * Hides what a party of this kind does not have.
 * @param {PartyField[]} fields
 * @param {string} kind
 */
function showKind(fields, kind) {
  for (const { name, row } of fields) row.hidden = kind !== '' && (ONLY_OF[name] ?? kind) !== kind;
}

/**
 * @param {PartyField[]} fields
 * @returns {Party | null}
 */
function filledIn(fields) {
  const given = fields
    .filter(({ row, control }) => !row.hidden && control.value.trim() !== '')
    .map(({ name, control }) => [name, control.value.trim()]);
  return given.length === 0 ? null : /** @type {Party} */ (Object.fromEntries(given));
}

/**
 * @param {string} id
 * @param {keyof Party} name
 * @param {string} text
 * @param {Partial<HTMLInputElement>} limits
 * @returns {PartyField}
 */
function input(id, name, text, limits) {
  const control = make('input', '', { id: `${id}-${name}`, autocomplete: 'off', ...limits });
  return rowOf(name, text, control);
}

/**
 * @param {string} id
 * @param {keyof Party} name
 * @param {string} text
 * @param {Record<string, string>} options
 * @returns {PartyField}
 */
function choice(id, name, text, options) {
  const control = make('select', '', { id: `${id}-${name}` });
  for (const [value, shown] of Object.entries(options)) control.append(make('option', shown, { value }));
  return rowOf(name, text, control);
}

/**
 * @param {keyof Party} name
 * @param {string} text
 * @param {HTMLInputElement | HTMLSelectElement} control
 * @returns {PartyField}
 */
function rowOf(name, text, control) {
  const row = make('div');
  row.append(...labelled(text, control));
  return { name, row, control };
}
