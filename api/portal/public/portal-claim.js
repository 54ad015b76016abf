// A claim as the portal shows it, and what a VASP can answer.

import { answerAsked, answerClaim, declineClaim, readClaim } from './portal-calls.js';
import { form, keepCopy, labelled, list, make, section, show, showState } from './portal-parts.js';
import { partyForm } from './portal-party-form.js';
import { placeOf, wordsOf } from './portal-words.js';

/** @import { PortalClaim } from '../../../domain/portal/schema.ts' */
/** @import { ClaimedDataBody } from '../../../domain/claims/schema.ts' */
/** @import { Party } from '../../../domain/parties/party.ts' */

const OVER = {
  DECLINED: 'You have declined to answer. Nothing is left to do.',
  EXPIRED: 'The time for an answer is over. Nothing is left to do.',
  CANCELLED: 'The question was taken back. Nothing is left to do.',
  FAILED: 'This question is over. Nothing is left to do.',
};

/** @param {PortalClaim} claim */
function stateOf({ status, isAnsweredHere }) {
  if (status === 'PENDING' || status === 'DELIVERED') return 'Waits for your answer.';
  if (status !== 'ANSWERED') return OVER[status];
  return isAnsweredHere
    ? 'You have answered. Thank you.'
    : 'The data came in another way. Nothing is left to do.';
}

/** @param {PortalClaim} claim */
export function showClaim(claim) {
  const isOpen = claim.status === 'DELIVERED';
  showState(stateOf(claim));
  show(
    questionOf(claim, isOpen),
    ...(isOpen ? [answering(claim), declining()] : []),
    keepCopy(`travel-rule-question-${claim.id}`, claim),
  );
}

/**
 * @param {PortalClaim} claim
 * @param {boolean} isOpen
 */
function questionOf({ asset, amountDecimal, blockchainInfo, vaspInfo, ...claim }, isOpen) {
  return section(
    'The question',
    make('p', 'Coins came from you without the data of the people. Who has sent them, and to whom?'),
    list({
      'Asked by': vaspInfo.beneficiaryVaspName,
      'Asked of': vaspInfo.originatorVaspName,
      Amount: amountDecimal === null ? asset : `${amountDecimal} ${asset}`,
      ...placeOf(blockchainInfo),
      'Customer who received them': claim.beneficiary?.name,
      'Asked for': claim.requestedFields.map(wordsOf),
      [isOpen ? 'Answer until' : 'The answer was expected until']: new Date(
        claim.deadlineAt,
      ).toLocaleString(),
      'Your reason': claim.statusReasoning,
    }),
  );
}

/** @param {PortalClaim} claim */
function answering({ requestedFields }) {
  const askedOf = (/** @type {string} */ party) =>
    requestedFields.filter((field) => field.startsWith(party)).map((field) => field.slice(party.length));
  const originator = partyForm('originator', 'Who sent the coins', {
    asked: askedOf('originator.'),
    isNameRequired: true,
  });
  const beneficiary = partyForm('beneficiary', 'Who received them', { asked: askedOf('beneficiary.') });
  const amount = make('input', '', {
    id: 'amount',
    autocomplete: 'off',
    inputMode: 'decimal',
    maxLength: 60,
  });
  const answer = async () => {
    const data = dataOf(originator.read(), beneficiary.read(), amount.value.trim());
    await end(async () => await answerClaim(data));
  };
  return section(
    'Answer',
    form(
      { text: 'Send the answer', className: 'main' },
      answer,
      make('p', 'It reaches the institution that asks at once, and nobody else. Only the name is required.'),
      originator.group,
      beneficiary.group,
      ...labelled('Amount, in units of the asset', amount),
    ),
  );
}

/**
 * The answer of what was filled in.
 * @param {Party | null} originator
 * @param {Party | null} beneficiary
 * @param {string} amount
 * @returns {ClaimedDataBody}
 */
function dataOf(originator, beneficiary, amount) {
  return {
    ...(amount && { amount }),
    originator: originator ?? {},
    ...(beneficiary && { beneficiary }),
  };
}

function declining() {
  const note = make('textarea', '', { id: 'note', rows: 3, maxLength: 2000 });
  const decline = async () => {
    await end(async () => await declineClaim(note.value.trim()));
  };
  return section(
    'Decline',
    form({ text: 'Decline to answer', className: 'final' }, decline, ...labelled('Why (optional)', note)),
  );
}

/** @param {() => Promise<PortalClaim>} answer */
async function end(answer) {
  await answerAsked(answer, { read: readClaim, show: showClaim });
}
