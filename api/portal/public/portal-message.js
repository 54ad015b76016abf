// The message as the portal shows it, and what a VASP can answer.

import { answerAsked, answerMessage, askForData, readMessage } from './portal-calls.js';
import { button, form, keepCopy, labelled, list, make, section, show, showState } from './portal-parts.js';
import { partyForm } from './portal-party-form.js';
import { FIELDS, placeOf, sentence, wordsOf } from './portal-words.js';

/** @import { PortalMessage } from '../../../domain/portal/schema.ts' */
/** @typedef {NonNullable<PortalMessage['originator']>} ShownParty */

/** @type {Record<PortalMessage['status'], string>} */
const STATES = {
  PENDING: 'Waits for your answer.',
  DELIVERED: 'Waits for your answer.',
  CONFIRMED: 'You have confirmed this message. Thank you.',
  DECLINED: 'You have declined this message.',
  FAILED: 'This message has failed.',
  CANCELLED: 'The sender has withdrawn this message.',
};

/** @type {[NonNullable<PortalMessage['statusReasonCode']>, string][]} */
const REASONS = [
  ['UNKNOWN_ADDRESS', 'The address is not ours'],
  ['WRONG_VASP', 'This is meant for another institution'],
  ['NAME_MISMATCH', 'The name does not fit our customer'],
  ['MISSING_DATA', 'Data is missing'],
  ['INCOMPLETE_IDENTITY', 'A party is not identified well enough'],
  ['UNSUPPORTED_ASSET', 'We do not support the asset'],
  ['COMPLIANCE', 'Compliance reasons'],
  ['OTHER', 'Another reason'],
];

/** @param {PortalMessage} message */
export function showMessage(message) {
  const isOpen = message.status === 'DELIVERED';
  showState(STATES[message.status]);
  show(
    transferOf(message),
    ...(message.sealed ? [] : partiesOf(message)),
    ...(isOpen && message.sealed ? [ownership()] : []),
    ...(isOpen && !message.sealed ? [confirming(), asking(message), giving()] : []),
    ...(isOpen ? [declining(message.sealed)] : []),
    keepCopy(`travel-rule-message-${message.id}`, message),
  );
}

/** @param {PortalMessage} message */
function transferOf({
  asset,
  amountDecimal,
  blockchainInfo,
  vaspInfo,
  createdAt,
  statusReasonCode,
  completeness,
  requestedFields,
}) {
  return section(
    'The transfer',
    list({
      From: vaspInfo.originatorVaspName,
      'E-mail of the sender': vaspInfo.originatorVaspEmail,
      To: vaspInfo.beneficiaryVaspName,
      Amount: amountDecimal === null ? asset : `${amountDecimal} ${asset}`,
      ...placeOf(blockchainInfo),
      Received: new Date(createdAt).toLocaleString(),
      Reason: REASONS.find(([code]) => code === statusReasonCode)?.[1] ?? statusReasonCode,
      'Asked of the sender': requestedFields.map(wordsOf),
      'Missing for Regulation (EU) 2023/1113': completeness?.missing.map(wordsOf),
    }),
  );
}

/** @param {PortalMessage} message */
function partiesOf({ originator, beneficiary, additionalOriginators }) {
  return [
    party('Originator', originator),
    ...additionalOriginators.map((other) => party('Another originator', other)),
    party('Beneficiary', beneficiary),
  ];
}

/**
 * @param {string} title
 * @param {ShownParty | null} shown
 */
function party(title, shown) {
  if (!shown) return section(title, make('p', 'The sender has given nothing.'));
  const { addressDetails: details } = shown;
  const fullName = [shown.firstName, shown.lastName].filter(Boolean).join(' ');
  return section(
    title,
    list({
      Name: shown.name ?? fullName,
      // A name that is shown nowhere could be a listed one beside a clean one.
      'First and last name': shown.name && fullName !== shown.name ? fullName : null,
      'Also known as': shown.aliases,
      Kind: shown.type && { NATURAL: 'Person', LEGAL: 'Organisation' }[shown.type],
      'Account number': shown.accountNumber,
      Address: shown.address,
      Street: [details?.street, details?.buildingNumber].filter(Boolean).join(' '),
      Town: [details?.postCode, details?.town].filter(Boolean).join(' '),
      Country: shown.country,
      'Date of birth': shown.dateOfBirth,
      'Place of birth': shown.placeOfBirth,
      Identifier: [shown.nationalIdentificatorType, shown.nationalIdentificator].filter(Boolean).join(' '),
      LEI: shown.lei,
      'Customer number': shown.customerIdentification,
    }),
  );
}

/** @param {() => Promise<PortalMessage>} answer */
async function act(answer) {
  await answerAsked(answer, { read: readMessage, show: showMessage });
}

function ownership() {
  return section(
    'Is the destination address yours?',
    make(
      'p',
      'The data of the people is shown to the institution that holds the address, and to nobody else.',
    ),
    button(
      'Yes, the address is ours',
      async () => {
        await act(() => answerMessage({ destinationConfirmed: true }));
      },
      'main',
    ),
  );
}

function confirming() {
  return section(
    'Confirm',
    make('p', 'You have what you need, and the coins may come.'),
    button(
      'Confirm the message',
      async () => {
        await act(() => answerMessage({ status: 'CONFIRMED' }));
      },
      'main',
    ),
  );
}

/** @param {PortalMessage} message */
function asking({ requestedFields }) {
  const boxes = FIELDS.map(([field, text]) => {
    const checked = requestedFields.includes(field);
    const box = make('input', '', { type: 'checkbox', id: `ask-${field}`, value: field, checked });
    const label = make('label', sentence(text), { className: 'choice' });
    label.prepend(box);
    return { field, box, label };
  });
  const why = make('textarea', '', { id: 'why', rows: 2, maxLength: 2000 });
  const ask = async () => {
    const fields = boxes.filter(({ box }) => box.checked).map(({ field }) => field);
    if (fields.length === 0) throw new Error('Please tick what is missing first.');
    await act(() => askForData(fields, why.value.trim()));
    showState('The sender was asked. A mail tells you when it has given the data.');
  };
  const group = make('fieldset');
  group.append(make('legend', 'What is missing'), ...boxes.map(({ label }) => label));
  return section(
    'Ask for missing data',
    form({ text: 'Ask the sender' }, ask, group, ...labelled('Why (optional)', why)),
  );
}

function giving() {
  const { group, read } = partyForm('beneficiary', 'The beneficiary');
  const give = async () => {
    const beneficiary = read();
    if (!beneficiary) throw new Error('Please fill in a field first.');
    await act(() => answerMessage({ beneficiary }));
    showState('The sender has been told.');
  };
  return section(
    'Give data of the beneficiary',
    form(
      { text: 'Send to the sender' },
      give,
      make('p', 'The sender gets what it lacks; what it says itself stays.'),
      group,
    ),
  );
}

/** @param {boolean} isSealed */
function declining(isSealed) {
  const reason = make('select', '', { id: 'reason' });
  for (const [value, text] of REASONS) reason.append(make('option', text, { value }));
  if (!isSealed) reason.value = 'NAME_MISMATCH';
  const note = make('textarea', '', { id: 'note', rows: 3, maxLength: 2000 });
  const decline = async () => {
    await act(() =>
      answerMessage({
        status: 'DECLINED',
        statusReasonCode: /** @type {typeof REASONS[number][0]} */ (reason.value),
        ...(note.value.trim() && { statusReasoning: note.value.trim() }),
      }),
    );
  };
  return section(
    'Decline',
    form(
      { text: 'Decline the message', className: 'final' },
      decline,
      ...labelled('Reason', reason),
      ...labelled('Anything the sender should know (optional)', note),
    ),
  );
}
