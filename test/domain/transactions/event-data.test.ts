import type { Actor } from '../../../domain/events/actor.ts';
import type { EventDraft } from '../../../domain/events/event.ts';
import type { RecordChange } from '../../../domain/transactions/change.ts';
import { deleteTransaction } from '../../../domain/transactions/delete-transaction.ts';
import { delayScreening } from '../../../domain/transactions/deciding/delay-screening.ts';
import { applyVerdict, type ScreeningVerdict } from '../../../domain/transactions/deciding/apply-verdict.ts';
import { reviewTransaction, withFirstReview } from '../../../domain/transactions/deciding/review.ts';
import { owedAnswer } from '../../../domain/transactions/exchanging/answer-owed.ts';
import { completedIncoming } from '../../../domain/transactions/exchanging/complete-own-record.ts';
import {
  partRecords,
  relateRecords,
  takenDecision,
} from '../../../domain/transactions/exchanging/relate-records.ts';
import {
  deliveredOutgoing,
  receivedIncoming,
} from '../../../domain/transactions/exchanging/deliver-native.ts';
import { fillFiatValues } from '../../../domain/transactions/lifecycle/fill-fiat-values.ts';
import { newTransaction } from '../../../domain/transactions/new-transaction.ts';
import { patchTransaction } from '../../../domain/transactions/changing/patch-transaction.ts';
import { announceWithoutVerdict } from '../../../domain/transactions/announcement.ts';
import { releaseRecord } from '../../../domain/transactions/lifecycle/release.ts';
import { CreateTransactionBody, PatchTransactionBody } from '../../../domain/transactions/schema.ts';
import { confirmSelfHosted } from '../../../domain/transactions/self-hosted/self-hosted.ts';
import type { WalletProof } from '../../../domain/verifications/wallet-proof.ts';
import { NOW } from '../../factories/transaction-record.ts';
import { markUnreachable, markUnrouted } from '../../../domain/transactions/lifecycle/routing-outcomes.ts';
import { expire } from '../../../domain/transactions/lifecycle/expire.ts';

const LATER = new Date(NOW.getTime() + 60_000);
const actor: Actor = { kind: 'API_KEY', id: 'key-1' };

/** A party whose every value gives itself away. */
const party = (mark: string) => ({
  type: 'LEGAL',
  name: `canary name ${mark}`,
  firstName: `canary first ${mark}`,
  lastName: `canary last ${mark}`,
  accountNumber: `canary account ${mark}`,
  address: `canary address ${mark}`,
  addressDetails: {
    street: `canary street ${mark}`,
    buildingNumber: `canary ${mark}`,
    postCode: `canary ${mark}`,
    town: `canary town ${mark}`,
    countrySubDivision: `canary canton ${mark}`,
  },
  country: 'Zimbabwe',
  nationalIdentificatorType: 'TXID',
  nationalIdentificator: `canary number ${mark}`,
  identifierCountry: 'Zambia',
  registrationAuthority: `canary ra ${mark}`,
  lei: '506700GE1G29325QX363',
  customerIdentification: `canary customer ${mark}`,
  dateOfBirth: '1987-06-05',
  placeOfBirth: `canary place ${mark}`,
});
const parties = (mark: string) => ({
  originator: party(`${mark} o`),
  beneficiary: party(`${mark} b`),
  additionalOriginators: [party(`${mark} 1`), party(`${mark} 2`)],
});

/** Every value above, and whatever else of a value could be in an entry. */
const VALUES = /canary|zimbabwe|zambia|"Z[WM]"|"LEGAL"|TXID|506700|1987|Harbour|4711|1234\.5|NAME_MISMATCH/i;

function createBody(direction: 'INCOMING' | 'OUTGOING', mark: string) {
  return CreateTransactionBody.parse({
    direction,
    asset: 'CANARYCOIN',
    amount: '1234.5',
    reference: `canary reference ${mark}`,
    metadata: `canary metadata ${mark}`,
    internalNote: `canary note ${mark}`,
    blockchainInfo: {
      blockchain: 'Canary Chain',
      transactionHash: 'canary-hash',
      origin: `canary-origin-${mark}`,
      originTag: `canary-4711-${mark}`,
      destination: 'canary-destination',
      destinationTag: 'canary-4711',
      destinationType: 'CUSTODIAL',
    },
    vaspInfo: {
      beneficiaryVaspName: 'Harbour Canary',
      beneficiaryVaspEmail: 'canary@harbour.example',
      beneficiaryVaspExtraInfo: `canary extra ${mark}`,
    },
    ...parties(mark),
  });
}

const patchBody = (mark: string) =>
  PatchTransactionBody.parse({
    transactionHash: `canary-hash-${mark}`,
    metadata: `canary metadata ${mark}`,
    internalNote: `canary note ${mark}`,
    statusReasoning: `canary reasoning ${mark}`,
    statusReasonCode: 'NAME_MISMATCH',
    blockchainInfo: { blockchain: `Canary Chain ${mark}`, origin: `canary-origin-${mark}` },
    vaspInfo: {
      beneficiaryVaspName: `Harbour Canary ${mark}`,
      beneficiaryVaspEmail: `canary-${mark}@harbour.example`,
      beneficiaryVaspExtraInfo: `canary extra ${mark}`,
    },
    ...parties(mark),
  });

const clearingBody = PatchTransactionBody.parse({
  transactionHash: null,
  metadata: null,
  statusReasonCode: null,
  statusReasoning: null,
  originator: { name: null, country: null, addressDetails: null, lei: null },
  beneficiary: null,
  additionalOriginators: null,
  vaspInfo: { beneficiaryVaspEmail: null },
});

const circumstances = {
  id: 'record-1',
  tenant: { id: 'tenant-1', name: 'Canary Exchange', email: 'canary@alpine.example' },
  actor,
  now: NOW,
  price: undefined,
};
const delivery = {
  incomingId: 'incoming-1',
  pairId: 'exchange-1',
  sender: { entityId: 'entity-1', messageSource: 'NATIVE' },
  receiver: {
    tenantId: 'tenant-2',
    entityId: 'entity-2',
    messageSource: 'NATIVE',
    screens: true,
    skipped: [],
  },
  wallet: { id: 7, confirmed: true },
  now: NOW,
};
const price = { usd: '4711', eur: '4711', source: 'prices.example', pricedAt: NOW };

const rules = {
  autoConfirm: true,
  thresholdEur: null,
  flowsAbove: [],
  maxProofAgeDays: null,
  acceptUnbound: false,
  byTwo: false,
};
const proof: WalletProof = {
  verificationId: 'verification-1',
  verifiedAt: NOW,
  provenAt: NOW,
  flows: ['SIGNATURE_PROOF'],
  customerIdentification: 'canary customer',
  warnings: [],
};

const verdict: ScreeningVerdict = {
  screeningId: 'screening-1',
  outcome: 'PROCEED',
  hold: null,
  isReleased: false,
  waitUntil: LATER,
  guarded: false,
  decidedBy: { kind: 'RULE', ruleId: 'rule-1' },
  rulesVersion: 3,
  findings: { sanctions: 'CLEAR' },
};
const review = { decision: 'PROCEED', reason: 'canary reason' } as const;

/** Every change that the domain knows, made of records that are full of values. */
function allChanges(): { events: EventDraft[]; changes: (RecordChange | null)[] } {
  const by = { actor, now: LATER };
  const { record: outgoing, event } = newTransaction(createBody('OUTGOING', 'first'), circumstances);
  const { record: ownIncoming, event: recorded } = newTransaction(
    createBody('INCOMING', 'own'),
    circumstances,
  );
  const delivered = deliveredOutgoing(outgoing, delivery);
  const received = receivedIncoming(outgoing, delivery);
  const sealed = receivedIncoming(outgoing, { ...delivery, wallet: { id: 7, confirmed: false } });
  const completed = completedIncoming(ownIncoming, outgoing, delivery);
  const relation = relateRecords(received.after, ownIncoming, {
    isNamed: true,
    wasNamed: false,
    fills: true,
    now: LATER,
  });
  const [message, own] = [relation.message?.after ?? outgoing, relation.own?.after ?? ownIncoming];
  const declined = { ...completed.after, status: 'DECLINED' as const };
  const decisions = [
    patchTransaction(outgoing, null, patchBody('second'), by),
    patchTransaction(delivered.after, received.after, patchBody('second'), by),
    patchTransaction(delivered.after, completed.after, patchBody('second'), by),
    patchTransaction(delivered.after, completed.after, { status: 'CANCELLED' }, by),
    patchTransaction(delivered.after, sealed.after, { ...patchBody('second'), status: 'CANCELLED' }, by),
    patchTransaction(delivered.after, received.after, clearingBody, by),
    patchTransaction(received.after, delivered.after, { ...patchBody('third'), status: 'DECLINED' }, by),
    patchTransaction({ ...outgoing, status: 'FAILED' }, null, patchBody('fourth'), by),
    deleteTransaction(delivered.after, received.after, by),
    markUnrouted({ ...outgoing, screeningState: 'CLEARED' }, LATER),
    markUnreachable({ ...outgoing, screeningState: 'CLEARED' }, LATER),
    expire({ ...outgoing, deadlineAt: NOW }, LATER),
    confirmSelfHosted(
      { ...outgoing, screeningState: 'CLEARED', destinationType: 'NON_CUSTODIAL' },
      [],
      rules,
      LATER,
    ),
    confirmSelfHosted(
      { ...outgoing, screeningState: 'CLEARED', destinationType: 'NON_CUSTODIAL' },
      [proof],
      { ...rules, autoConfirm: false, thresholdEur: '4711', flowsAbove: ['SATOSHI_TEST'] },
      LATER,
    ),
    fillFiatValues(outgoing, price, LATER),
    ...(['PROCEED', 'WAIT', 'REVIEW', 'BLOCK'] as const).flatMap((outcome) => [
      applyVerdict(outgoing, null, { ...verdict, outcome }, LATER),
      applyVerdict(received.after, delivered.after, { ...verdict, outcome }, LATER),
    ]),
    releaseRecord(sealed.after, delivered.after, null, LATER),
    releaseRecord(sealed.after, delivered.after, { ...verdict, outcome: 'BLOCK' }, LATER),
    announceWithoutVerdict({ ...received.after, announceAt: NOW }, LATER),
    delayScreening(outgoing, { what: 'SANCTIONS_LISTS', maxWaitMinutes: 60, triedSince: NOW }, NOW),
    applyVerdict(outgoing, null, { ...verdict, outcome: 'REVIEW', hold: 'RULE', guarded: true }, LATER),
    reviewTransaction({ ...outgoing, screeningState: 'CLEARED', hold: 'SANCTIONS' }, null, review, by),
    withFirstReview(
      reviewTransaction({ ...outgoing, screeningState: 'CLEARED', hold: 'SANCTIONS' }, null, review, by),
      outgoing,
      { proposalId: 'proposal-1', by: { kind: 'USER', id: 'user-1' }, at: NOW, review },
    ),
    reviewTransaction({ ...received.after, screeningState: 'CLEARED' }, delivered.after, review, by),
    reviewTransaction(received.after, delivered.after, { ...review, decision: 'BLOCK' }, by),
  ];
  return {
    events: [event, recorded],
    changes: [
      delivered,
      received,
      sealed,
      completed,
      relation.message,
      relation.own,
      ...Object.values(partRecords(message, own, LATER)),
      takenDecision(own, { ...message, status: 'DECLINED' }, LATER),
      owedAnswer(declined, delivered.after, LATER),
      ...decisions.flatMap(({ own, counterpart }) => [own, counterpart]),
    ],
  };
}

test('no entry of any log holds a value: field names, ids, counts and statuses alone', () => {
  const { events, changes } = allChanges();
  const all = [...events, ...changes.flatMap((change) => change?.events ?? [])];
  for (const event of all) expect(JSON.stringify(event)).not.toMatch(VALUES);
  expect(new Set(all.map(({ type }) => type))).toEqual(
    new Set([
      'CREATED',
      'DELIVERED',
      'RECEIVED',
      'STATUS_CHANGED',
      'DATA_UPDATED',
      'HASH_REPLACED',
      'HASH_REMOVED',
      'DELETED',
      'COMPLETED',
      'COUNTERPARTY_DELETED',
      'TAKEN_BACK',
      'UNRELATED',
      'VASP_NOT_FOUND',
      'DELIVERY_FAILED',
      'EXPIRED',
      'OWNERSHIP_UNCONFIRMED',
      'FIAT_VALUED',
      'RELATED',
      'RELEASED',
      'SCREENED',
      'SCREENING_DELAYED',
      'HELD',
      'WAITING',
      'REVIEWED',
      'BLOCK_GUARDED',
    ]),
  );
});

test('the records that they tell of do hold those values', () => {
  const { changes } = allChanges();
  expect(changes.filter((change) => change && !VALUES.test(JSON.stringify(change.after)))).toEqual([]);
});

test('a status in a log follows from the one before, and the last is that of the record', () => {
  for (const change of allChanges().changes) {
    const moves = (change?.events ?? []).filter((event) => event.newStatus);
    moves.slice(1).forEach((event, index) => expect(event.previousStatus).toBe(moves[index]?.newStatus));
    if (change && moves.length > 0) expect(moves.at(-1)?.newStatus).toBe(change.after.status);
  }
});
