import { owedAnswer } from '../../../../domain/transactions/exchanging/answer-owed.ts';
import { carryOver } from '../../../../domain/transactions/exchanging/carry-over.ts';
import { completedIncoming } from '../../../../domain/transactions/exchanging/complete-own-record.ts';
import { deliveredOutgoing } from '../../../../domain/transactions/exchanging/deliver-native.ts';
import { applyVerdict } from '../../../../domain/transactions/deciding/apply-verdict.ts';
import { reviewTransaction } from '../../../../domain/transactions/deciding/review.ts';
import { subjectsOf } from '../../../../domain/transactions/deciding/screened-subjects.ts';
import { patchTransaction } from '../../../../domain/transactions/changing/patch-transaction.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { PatchTransactionBody } from '../../../../domain/transactions/schema.ts';
import { viewTransaction } from '../../../../domain/transactions/viewing/view-transaction.ts';
import { NOW, shown, transactionRecord } from '../../../factories/transaction-record.ts';
import { verdictOf } from '../model/verdicts.ts';
import { refusalOf } from '../refusal-of.ts';

const LATER = new Date(NOW.getTime() + 60_000);
const HASH = 'ab'.repeat(32);
const actor = { kind: 'API_KEY', id: 'key-1' } as const;
const act = { actor, now: LATER };
const arrival = {
  incomingId: 'incoming-1',
  pairId: 'pair-1',
  sender: { entityId: 'entity-sender', messageSource: 'NATIVE' },
  receiver: {
    tenantId: 'tenant-receiver',
    entityId: 'entity-receiver',
    messageSource: 'NATIVE',
    screens: true,
    skipped: [],
  },
  wallet: { id: 7, confirmed: true },
  now: LATER,
};

type Overrides = Parameters<typeof transactionRecord>[0];

const sent = (overrides: Overrides = {}) =>
  transactionRecord({
    reference: 'order-17',
    transactionHash: HASH,
    hashNormal: HASH,
    amountUsd: '6000',
    amountEur: '5400',
    ...overrides,
    personal: {
      originator: { name: 'Ada Lovelace', country: 'GB' },
      beneficiary: { name: 'Grace Hopper' },
      metadata: 'canary of the sender',
      internalNote: 'canary of the sender',
      ...overrides.personal,
    },
  });
const recorded = (overrides: Overrides = {}) =>
  transactionRecord({
    direction: 'INCOMING',
    messageSource: 'MANUAL',
    transactionHash: `0x${HASH}`,
    hashNormal: HASH,
    reference: 'deposit-4',
    ...overrides,
    personal: { metadata: 'own', internalNote: 'own', ...overrides.personal },
  });
const completed = (own = recorded(), message = sent()) => completedIncoming(own, message, arrival).after;
const delivered = (message = sent()) => deliveredOutgoing(message, arrival).after;
const differences = (record: TransactionRecord) => viewTransaction(record, 'entity').received?.differences;

describe('a message of the VASP that the own record names', () => {
  test('completes it: delivered, to be decided, never sealed', () => {
    for (const wallet of [null, { id: 7, confirmed: false }, { id: 7, confirmed: true }]) {
      const own = recorded();
      const change = completedIncoming(own, sent(), { ...arrival, wallet });
      expect(shown(change.after)).toMatchObject({
        id: own.id,
        status: 'DELIVERED',
        subStatus: 'SCREENING',
        sealed: false,
        isDestinationConfirmed: wallet?.confirmed ?? null,
        destinationWalletId: wallet?.id ?? null,
        counterpartyEntityId: 'entity-sender',
        messageSource: 'NATIVE',
        pairId: 'pair-1',
        reference: 'deposit-4',
      });
      expect(change).toMatchObject({
        events: [{ type: 'RECEIVED', previousStatus: 'PENDING', newStatus: 'DELIVERED' }],
        notify: true,
      });
      expect(JSON.stringify(change.after)).not.toMatch(/canary|order-17/);
    }
  });

  test('fills a party where nothing that identifies it differs, and stands beside it', () => {
    const own = recorded({
      personal: { originator: { name: 'ADA LOVELACE', accountNumber: '17' }, beneficiary: null },
    });
    const after = completed(own);
    expect(after.personal).toMatchObject({
      originator: { name: 'ADA LOVELACE', accountNumber: '17', country: 'GB' },
      beneficiary: { name: 'Grace Hopper' },
    });
    expect(differences(after)).toEqual([]);
    expect(viewTransaction(after, 'entity').received).toMatchObject({
      receivedAt: LATER.toISOString(),
      takenBackAt: null,
      amountDecimal: '1.5',
      blockchainInfo: { transactionHash: HASH },
      originator: { name: 'Ada Lovelace', country: 'GB', accountNumber: null },
    });
  });

  test.each([
    ['another name', { name: 'Ada King' }, ['/originator/name']],
    ['another name in parts', { firstName: 'Ada', lastName: 'King' }, ['/originator/lastName']],
    ['another date of birth', { dateOfBirth: '1815-12-10' }, ['/originator/dateOfBirth']],
  ])('fills nothing of a party with %s', (_, originator, expected) => {
    const message = sent({
      personal: { originator: { name: 'Ada Lovelace', country: 'GB', dateOfBirth: '1815-12-11' } },
    });
    const after = completed(recorded({ personal: { originator } }), message);
    expect(after.personal.originator).toEqual(originator);
    expect(differences(after)).toEqual(expected);
  });

  test('takes no part of an address where another part differs', () => {
    const message = sent({ personal: { originator: { name: 'Ada', country: 'FR', address: 'Paris' } } });
    const after = completed(recorded({ personal: { originator: { name: 'Ada', country: 'GB' } } }), message);
    expect(after.personal.originator).toEqual({ name: 'Ada', country: 'GB' });
    expect(differences(after)).toEqual(['/originator/country']);
  });

  test('with another amount and origin completes it all the same: these are differences', () => {
    const origins = {
      own: {
        origin: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
        originNormal: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
      },
      sent: {
        origin: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        originNormal: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
      },
    };
    const after = completed(recorded({ amount: '1.4', ...origins.own }), sent(origins.sent));
    expect(after).toMatchObject({ amount: '1.4', ...origins.own });
    expect(differences(after)).toEqual(['/amount', '/blockchainInfo/origin']);
  });

  test.each([
    [
      'its own amount and value',
      { amount: '1.4', amountUsd: '5600', amountEur: null },
      ['1.4', '5600', null],
    ],
    ['its own amount, unvalued', { amount: '1.4' }, ['1.4', null, null]],
    ['the same amount, unvalued', { amount: '1.5' }, ['1.5', '6000', '5400']],
    ['no amount yet', { amount: null }, ['1.5', '6000', '5400']],
  ])('leaves it %s', (_, amounts, expected) => {
    const { amount, amountUsd, amountEur } = completed(recorded(amounts));
    expect([amount, amountUsd, amountEur]).toEqual(expected);
  });

  test('has its names screened beside those of the record', () => {
    const own = recorded({
      personal: { originator: { name: 'Ada King' }, beneficiary: { name: 'Grace Hopper' } },
    });
    const names = subjectsOf(completed(own)).flatMap((subject) =>
      subject.kind === 'NAME' ? [[subject.role, subject.body.name]] : [],
    );
    expect(names).toEqual([
      ['originator', 'Ada King'],
      ['beneficiary', 'Grace Hopper'],
      ['originatorVasp', 'Alpine Exchange'],
      ['received/originator', 'Ada Lovelace'],
    ]);
  });

  test('in a new version changes what came from it, and nothing that the tenant has given', () => {
    const own = completed(recorded({ personal: { beneficiary: { name: 'Grace' } } }));
    const patch = PatchTransactionBody.parse({
      originator: { accountNumber: '4' },
      beneficiary: { name: 'Grace H.' },
    });
    const before = delivered();
    const { own: change } = patchTransaction(before, null, patch, act);
    if (!change) throw new Error('nothing changed');
    const carried = carryOver({
      own: before,
      change,
      counterpart: own,
      changedFields: ['originator.accountNumber', 'beneficiary.name'],
      now: LATER,
    });
    expect(carried?.after.personal).toMatchObject({
      originator: { name: 'Ada Lovelace', accountNumber: '4' },
      beneficiary: { name: 'Grace' },
    });
    expect(carried && differences(carried.after)).toEqual(['/beneficiary/name']);
  });
});

describe('the answer of a record that was decided before', () => {
  test('DECLINED is told at once: status and code, never the text', () => {
    const own = recorded({
      status: 'DECLINED',
      statusReasonCode: 'UNKNOWN_ADDRESS',
      personal: { statusReasoning: 'suspicion report 4711' },
    });
    const answer = owedAnswer(completed(own), delivered(), LATER);
    expect(answer).toMatchObject({
      after: {
        status: 'DECLINED',
        statusReasonCode: 'UNKNOWN_ADDRESS',
        isDestinationConfirmed: false,
        personal: { statusReasoning: null },
      },
      events: [{ type: 'STATUS_CHANGED', previousStatus: 'DELIVERED', newStatus: 'DECLINED' }],
    });
    expect(JSON.stringify(answer)).not.toContain('4711');
  });

  const confirmed = () =>
    completed(recorded({ status: 'CONFIRMED', personal: { statusReasoning: 'checked by hand' } }));

  test('CONFIRMED waits for the screening of the message, and is given by it', () => {
    const own = confirmed();
    expect(shown(own)).toMatchObject({ status: 'CONFIRMED', subStatus: 'SCREENING', screeningState: 'DUE' });
    expect(owedAnswer(own, delivered(), LATER)).toBeNull();
    const { own: after, counterpart } = applyVerdict(
      own,
      delivered(),
      verdictOf('PROCEED', own, LATER),
      LATER,
    );
    expect(after?.after).toMatchObject({ status: 'CONFIRMED', screeningState: 'CLEARED', hold: null });
    expect(counterpart?.after).toMatchObject({
      status: 'CONFIRMED',
      isDestinationConfirmed: true,
      personal: { statusReasoning: null },
    });
  });

  const held = () => {
    const own = confirmed();
    const { own: change, counterpart } = applyVerdict(
      own,
      delivered(),
      verdictOf('MATCH', own, LATER),
      LATER,
    );
    if (!change) throw new Error('nothing changed');
    expect([change.after.hold, counterpart]).toEqual(['SANCTIONS', null]);
    return change.after;
  };

  test.each([
    ['PROCEED', 'CONFIRMED', null, null],
    ['BLOCK', 'DECLINED', 'COMPLIANCE', 'The beneficiary VASP does not accept this transfer.'],
  ] as const)('CONFIRMED and held waits for a reviewer; %s answers %s', (decision, status, code, text) => {
    const { own, counterpart } = reviewTransaction(held(), delivered(), { decision, reason: 'r' }, act);
    expect(own?.after).toMatchObject({
      status: 'CONFIRMED',
      blockedBy: decision === 'BLOCK' ? 'REVIEW' : null,
    });
    expect(counterpart?.after).toMatchObject({
      status,
      statusReasonCode: code,
      personal: { statusReasoning: text },
    });
  });

  test('a record that a reviewer had stopped declines at once', () => {
    const own = completed(recorded({ status: 'CONFIRMED', blockedBy: 'REVIEW', blockedHold: 'SANCTIONS' }));
    expect(owedAnswer(own, delivered(), LATER)?.after).toMatchObject({
      status: 'DECLINED',
      statusReasonCode: 'COMPLIANCE',
    });
  });

  test('what was written before the message came is not sent with a later decision either', () => {
    const own = {
      ...completed(recorded({ personal: { statusReasoning: 'suspicion' } })),
      screeningState: 'CLEARED' as const,
    };
    const decide = (body: object) =>
      patchTransaction(own, delivered(), PatchTransactionBody.parse(body), act).counterpart?.after.personal;
    expect(decide({ status: 'DECLINED' })?.statusReasoning).toBeNull();
    expect(decide({ status: 'DECLINED', statusReasoning: 'no' })?.statusReasoning).toBe('no');
  });

  test('a completed record may be declined at once, and confirmed as soon as it is screened', () => {
    const decide = (own: TransactionRecord, status: 'CONFIRMED' | 'DECLINED') => {
      const decision = patchTransaction(own, delivered(), PatchTransactionBody.parse({ status }), act);
      return [decision.own?.after.status, decision.counterpart?.after.status];
    };
    const own = completed();
    expect(refusalOf(() => decide(own, 'CONFIRMED')).code).toBe('screening_pending');
    expect(decide(own, 'DECLINED')).toEqual(['DECLINED', 'DECLINED']);
    expect(decide({ ...own, screeningState: 'CLEARED' }, 'CONFIRMED')).toEqual(['CONFIRMED', 'CONFIRMED']);
  });
});

describe('CANCELLED by the sender', () => {
  const cancel = (own: TransactionRecord) => {
    const body = PatchTransactionBody.parse({ status: 'CANCELLED' });
    const { own: sender, counterpart } = patchTransaction(delivered(), own, body, act);
    expect(sender?.after.status).toBe('CANCELLED');
    return counterpart;
  };

  test('takes the message back: the record is as its tenant made it', () => {
    const made = recorded({ amount: null, personal: { beneficiary: { name: 'Grace Hopper' } } });
    const change = cancel({
      ...completed(made),
      hold: 'RULE',
      screeningState: 'CLEARED',
      isScreeningDelayed: false,
    });
    expect(change).toMatchObject({
      events: [{ type: 'TAKEN_BACK', previousStatus: 'DELIVERED', newStatus: 'PENDING' }],
      notify: true,
    });
    expect(change?.after).toMatchObject({
      status: 'PENDING',
      hold: null,
      pairId: null,
      messageSource: 'MANUAL',
      amount: null,
      isDestinationConfirmed: null,
      personal: { originator: null, beneficiary: { name: 'Grace Hopper' } },
    });
    expect(change && viewTransaction(change.after, 'e').received).toMatchObject({
      takenBackAt: LATER.toISOString(),
      originator: { name: 'Ada Lovelace' },
    });
  });

  test.each(['SANCTIONS', 'UNSCREENED'] as const)('leaves a hold %s', (hold) => {
    expect(cancel({ ...completed(), hold, screeningState: 'CLEARED' })?.after.hold).toBe(hold);
  });

  test('leaves a decision that is not answered yet', () => {
    const own = completed(recorded({ status: 'CONFIRMED' }));
    const change = cancel({ ...own, hold: 'SANCTIONS', screeningState: 'CLEARED' });
    expect(change?.after).toMatchObject({ status: 'CONFIRMED', hold: 'SANCTIONS', pairId: null });
    expect(change?.events).toMatchObject([{ type: 'TAKEN_BACK' }]);
  });

  test('asks a deposit from a self-hosted wallet for its proof again', () => {
    const own = completed(recorded({ originType: 'NON_CUSTODIAL', awaitsProof: true }));
    const change = cancel({ ...own, screeningState: 'CLEARED', isScreeningDelayed: false });
    expect(change).toMatchObject({ after: { awaitsProof: true, wakeAt: LATER }, wakesWorkflow: true });
    expect(change && shown(change.after).subStatus).toBe('OWNERSHIP_UNCONFIRMED');
  });
});
