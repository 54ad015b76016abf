import { SYSTEM } from '../../../../domain/events/actor.ts';
import { NO_CHANGE, type PairChange } from '../../../../domain/transactions/change.ts';
import { clearanceOf } from '../../../../domain/transactions/clearance.ts';
import { deleteTransaction } from '../../../../domain/transactions/delete-transaction.ts';
import { completedIncoming } from '../../../../domain/transactions/exchanging/complete-own-record.ts';
import { fillFiatValues } from '../../../../domain/transactions/lifecycle/fill-fiat-values.ts';
import { newTransaction } from '../../../../domain/transactions/new-transaction.ts';
import { planOf } from '../../../../domain/transactions/lifecycle/next-step.ts';
import { patchTransaction } from '../../../../domain/transactions/changing/patch-transaction.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { CreateTransactionBody, PatchTransactionBody } from '../../../../domain/transactions/schema.ts';
import {
  confirmSelfHosted,
  nextProofCheck,
} from '../../../../domain/transactions/self-hosted/self-hosted.ts';
import type { SelfHostedRules } from '../../../../domain/transactions/self-hosted/self-hosted-decision.ts';
import { STATUSES, type SubStatus } from '../../../../domain/transactions/state.ts';
import {
  createBody,
  DESTINATION,
  NOW,
  shown,
  shownChange,
  transactionRecord,
} from '../../../factories/transaction-record.ts';
import type { WalletProof } from '../../../../domain/verifications/wallet-proof.ts';
import { MINUTE_MS } from '../../../../domain/durations.ts';

const later = (ms: number) => new Date(NOW.getTime() + ms);
const LATER = later(60 * MINUTE_MS);
const actor = { kind: 'API_KEY', id: 'key-1' } as const;

const RULES: SelfHostedRules = {
  autoConfirm: true,
  thresholdEur: '1000',
  flowsAbove: ['SIGNATURE_PROOF'],
  maxProofAgeDays: null,
  acceptUnbound: false,
  byTwo: false,
};
const PROOF: WalletProof = {
  verificationId: 'v1',
  verifiedAt: later(30 * MINUTE_MS),
  provenAt: NOW,
  flows: ['SIGNATURE_PROOF'],
  customerIdentification: null,
  warnings: [],
};

const payout = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  transactionRecord({ destinationType: 'NON_CUSTODIAL', amountEur: '5000', ...overrides });
/** As a tenant records it. */
const deposit = (overrides: Partial<TransactionRecord> = {}): TransactionRecord => ({
  ...newTransaction(
    CreateTransactionBody.parse(
      createBody({
        direction: 'INCOMING',
        blockchainInfo: { originType: 'NON_CUSTODIAL', origin: DESTINATION },
      }),
    ),
    { id: 'tx', tenant: { id: 't', name: 'Alpine', email: null }, actor, now: NOW, price: undefined },
  ).record,
  screeningState: 'CLEARED',
  screeningDueSince: null,
  amountEur: '5000',
  ...overrides,
});
const confirm = (
  record: TransactionRecord,
  proofs: WalletProof[] = [],
  rules: Partial<SelfHostedRules> = {},
) => confirmSelfHosted(record, proofs, { ...RULES, ...rules }, LATER);

/** The record after the change; fails where nothing changed. */
function afterOf({ own }: PairChange): TransactionRecord {
  if (!own) throw new Error('nothing changed');
  return own.after;
}

describe('a payout to a self-hosted wallet', () => {
  test('that is proven is confirmed, its destination too, and the log says by which verification', () => {
    expect(shownChange(confirm(payout(), [PROOF]).own)).toMatchObject({
      after: {
        status: 'CONFIRMED',
        subStatus: 'AWAITING_TRANSACTION_HASH',
        isDestinationConfirmed: true,
        deadlineAt: null,
        wakeAt: null,
        updatedAt: LATER,
      },
      events: [
        {
          type: 'STATUS_CHANGED',
          actor: SYSTEM,
          previousStatus: 'PENDING',
          newStatus: 'CONFIRMED',
          basis: { kind: 'VERIFICATION', id: 'v1' },
        },
      ],
      notify: true,
    });
  });

  test('that the setting confirms says so, and leaves open whose the destination is', () => {
    expect(shownChange(confirm(payout({ amountEur: '1000' })).own)).toMatchObject({
      after: {
        status: 'CONFIRMED',
        subStatus: 'AWAITING_TRANSACTION_HASH',
        isDestinationConfirmed: null,
      },
      events: [{ basis: { kind: 'AUTO_SELF_HOSTED' } }],
      notify: true,
    });
  });

  test('that is not confirmed waits for its owner without a deadline, and its tenant is told why', () => {
    const { own } = confirm(payout());
    expect(shownChange(own)).toMatchObject({
      after: { status: 'PENDING', subStatus: 'OWNERSHIP_UNCONFIRMED', deadlineAt: null },
      events: [{ type: 'OWNERSHIP_UNCONFIRMED', data: { need: 'ABOVE_THRESHOLD', lack: 'NO_PROOF' } }],
      notify: true,
    });
    const waiting = afterOf(confirm(payout()));
    expect(planOf(waiting, LATER)).toMatchObject({
      step: 'WAIT',
      waitingFor: 'OWNERSHIP_PROOF',
      deadlineMs: null,
    });
    expect(clearanceOf(waiting)).toEqual({
      outcome: 'WAIT',
      reasons: ['PENDING', 'OWNERSHIP_UNCONFIRMED'],
      nextAction: 'PROVE_OWNERSHIP',
      deadlineAt: null,
    });
  });

  test('that waits is confirmed by a later proof', () => {
    const waiting = afterOf(confirm(payout()));
    expect(afterOf(confirmSelfHosted(waiting, [PROOF], RULES, later(1e9))).status).toBe('CONFIRMED');
  });

  test('that waits names a new proof that does not count once, without a webhook', () => {
    const waiting = afterOf(confirm(payout()));
    const weak = { ...PROOF, flows: ['SELF_DECLARED' as const], verifiedAt: later(120 * MINUTE_MS) };
    const at = later(121 * MINUTE_MS);
    const noted = confirmSelfHosted(waiting, [weak], RULES, at);
    expect(shownChange(noted.own)).toMatchObject({
      after: { status: 'PENDING', subStatus: 'OWNERSHIP_UNCONFIRMED', updatedAt: at },
      events: [
        {
          type: 'PROOF_NOT_ACCEPTED',
          data: { need: 'ABOVE_THRESHOLD', lack: 'FLOW_NOT_ACCEPTED', verificationId: 'v1' },
        },
      ],
      notify: false,
    });
    expect(confirmSelfHosted(afterOf(noted), [weak], RULES, later(1e9))).toBe(NO_CHANGE);
    expect(confirmSelfHosted(waiting, [], RULES, later(1e9))).toBe(NO_CHANGE);
  });

  test.each(STATUSES.filter((status) => status !== 'PENDING'))('that is %s stays so', (status) => {
    expect(confirm(payout({ status }), [PROOF])).toBe(NO_CHANGE);
  });

  test.each<[SubStatus, Partial<TransactionRecord>]>([
    ['ON_HOLD', { hold: 'RULE' }],
    ['WAITING', { ruleWaitUntil: LATER, screeningState: 'DUE' }],
    ['SCREENING', { isScreeningDelayed: true, screeningState: 'DUE' }],
    ['BLOCKED_BY_RULE', { status: 'CANCELLED', blockedBy: 'RULE' }],
    ['BLOCKED_BY_REVIEW', { status: 'CANCELLED', blockedBy: 'REVIEW' }],
  ])('that is %s is confirmed by no proof: what holds it wins', (subStatus, facts) => {
    const record = payout({ awaitsProof: true, ...facts });
    expect(shown(record).subStatus).toBe(subStatus);
    expect(confirm(record, [PROOF])).toBe(NO_CHANGE);
  });

  test('belongs to the own customer, whose number the proof must carry', () => {
    const beneficiary = { customerIdentification: 'C-2' };
    const named = payout({ personal: { originator: { customerIdentification: 'C-1' }, beneficiary } });
    const proofOf = (customerIdentification: string) => [{ ...PROOF, customerIdentification }];
    expect(afterOf(confirm(named, proofOf('C-1'))).status).toBe('CONFIRMED');
    expect(afterOf(confirm(named, proofOf('C-2'))).status).toBe('PENDING');
    expect(afterOf(confirm(payout({ personal: { beneficiary } }), proofOf('C-2'))).status).toBe('CONFIRMED');
  });

  test('is none of a VASP', () => {
    expect(confirm(transactionRecord(), [PROOF])).toBe(NO_CHANGE);
  });
});

describe('a deposit from a self-hosted wallet', () => {
  test('waits for its owner from the start, and asks for a proof', () => {
    const made = deposit();
    expect(shown(made)).toMatchObject({
      status: 'PENDING',
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      wakeAt: NOW,
      sealed: false,
    });
    expect(clearanceOf(made)).toMatchObject({ outcome: 'WAIT', nextAction: 'PROVE_OWNERSHIP' });
    expect(planOf(made, NOW).step).toBe('CONFIRM_SELF_HOSTED');
    expect(shownChange(confirm(made).own)).toMatchObject({
      after: { status: 'PENDING', subStatus: 'OWNERSHIP_UNCONFIRMED' },
      events: [{ type: 'OWNERSHIP_UNCONFIRMED', data: { need: 'ABOVE_THRESHOLD', lack: 'NO_PROOF' } }],
      notify: false,
    });
    expect(confirm({ ...made, version: 3 })).toBe(NO_CHANGE);
  });

  test('is confirmed by a proof of its origin, of which the destination learns nothing', () => {
    expect(shownChange(confirm(deposit(), [PROOF]).own)).toMatchObject({
      after: {
        status: 'CONFIRMED',
        subStatus: 'AWAITING_TRANSACTION_HASH',
        isDestinationConfirmed: null,
      },
      events: [{ basis: { kind: 'VERIFICATION', id: 'v1' } }],
      notify: true,
    });
  });

  test('is confirmed by the setting up to the threshold', () => {
    expect(afterOf(confirm(deposit({ amountEur: '999' }))).status).toBe('CONFIRMED');
  });

  test('belongs to the beneficiary, whose number the proof must carry', () => {
    const record = deposit();
    const personal = { ...record.personal, beneficiary: { customerIdentification: 'C-1' } };
    const proofOf = (customerIdentification: string) => [{ ...PROOF, customerIdentification }];
    expect(afterOf(confirm({ ...record, personal }, proofOf('C-1'))).status).toBe('CONFIRMED');
    expect(afterOf(confirm({ ...record, personal }, proofOf('C-9'))).status).toBe('PENDING');
  });

  test.each(['CONFIRMED', 'DECLINED'] as const)(
    'is %s by its tenant whenever it wants, which ends its process',
    (status) => {
      const { own } = patchTransaction(deposit(), null, PatchTransactionBody.parse({ status }), {
        actor,
        now: LATER,
      });
      expect(own).toMatchObject({
        after: { status, wakeAt: null },
        events: [{ basis: { kind: 'API_KEY' } }],
        wakesWorkflow: true,
      });
    },
  );

  test('that a VASP answers for after all asks for no proof any more, and its process ends', () => {
    const change = completedIncoming(deposit(), transactionRecord(), {
      incomingId: 'i',
      pairId: 'e',
      sender: { entityId: 's', messageSource: 'NATIVE' },
      receiver: { tenantId: 't', entityId: 'r', messageSource: 'NATIVE', screens: true, skipped: [] },
      wallet: null,
      now: LATER,
    });
    expect(shownChange(change)).toMatchObject({
      after: { status: 'DELIVERED', subStatus: 'SCREENING', screeningState: 'DUE', wakeAt: LATER },
      wakesWorkflow: true,
    });
    const after = { ...change.after, screeningState: 'CLEARED', messageSource: 'NATIVE' } as const;
    expect(planOf(after, LATER).step).toBe('DONE');
    expect(confirm(after, [PROOF])).toBe(NO_CHANGE);
  });

  test('of a custodian is none: it starts as before and waits for its tenant alone', () => {
    const record = transactionRecord({ direction: 'INCOMING', wakeAt: null });
    expect(shown(record).subStatus).toBeNull();
    expect(planOf(record, NOW).step).toBe('DONE');
  });
});

describe('what makes a waiting transfer be looked at again', () => {
  const waiting = () => ({
    ...payout(),
    awaitsProof: true,
    wakeAt: null,
    deadlineAt: null,
  });

  test.each([
    { blockchainInfo: { blockchain: 'Polygon' } },
    { originator: { customerIdentification: 'C-1' } },
    { beneficiary: { customerIdentification: 'C-1' } },
  ])('its change by %j', (body) => {
    const { own } = patchTransaction(waiting(), null, PatchTransactionBody.parse(body), {
      actor,
      now: LATER,
    });
    expect(own).toMatchObject({ after: { wakeAt: LATER }, wakesWorkflow: true });
  });

  test('another origin of a deposit', () => {
    const body = PatchTransactionBody.parse({ blockchainInfo: { origin: `0x${'1'.repeat(40)}` } });
    const { own } = patchTransaction(deposit({ wakeAt: null }), null, body, { actor, now: LATER });
    expect(own).toMatchObject({ after: { wakeAt: LATER }, wakesWorkflow: true });
  });

  test('not a note of its tenant', () => {
    const body = PatchTransactionBody.parse({ internalNote: 'asked by telephone' });
    const { own } = patchTransaction(waiting(), null, body, { actor, now: LATER });
    expect(own).toMatchObject({ after: { wakeAt: null }, wakesWorkflow: false });
  });

  test('a price that becomes known', () => {
    const price = { usd: '4000', eur: '3600', source: 'p', pricedAt: NOW };
    const unknown = { ...waiting(), amountEur: null, amountUsd: null };
    expect(afterOf(fillFiatValues(unknown, price, LATER)).wakeAt).toEqual(LATER);
    const other = transactionRecord({
      routingFault: 'VASP_NOT_FOUND',
      screeningState: 'DUE',
      wakeAt: later(1),
    });
    expect(afterOf(fillFiatValues(other, price, LATER)).wakeAt).toEqual(later(1));
  });

  test('its deletion', () => {
    expect(deleteTransaction(waiting(), null, { actor, now: LATER }).own?.wakesWorkflow).toBe(true);
  });

  test('a minute after it changed, and as long as the value is unknown ever more rarely', () => {
    const record = { amountEur: null, createdAt: NOW, updatedAt: NOW };
    const next = (
      atMs: number,
      overrides: Partial<TransactionRecord> = {},
      thresholdEur: string | null = '1000',
    ) => {
      const at = nextProofCheck({ ...record, ...overrides }, { thresholdEur }, later(atMs));
      return at && (at.getTime() - NOW.getTime()) / MINUTE_MS;
    };
    expect(next(0)).toBe(1);
    expect(next(0, { amountEur: '1' })).toBe(1);
    expect(next(MINUTE_MS)).toBe(6);
    expect(next(60 * MINUTE_MS)).toBe(120);
    expect(next(10 * 24 * 60 * MINUTE_MS)).toBe(11 * 24 * 60);
    expect(next(MINUTE_MS, { amountEur: '1' })).toBeNull();
    expect(next(MINUTE_MS, {}, null)).toBeNull();
  });
});
