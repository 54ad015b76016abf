import {
  decideSelfHosted,
  isForPerson,
  type SelfHostedRules,
  type SelfHostedTransfer,
} from '../../../../domain/transactions/self-hosted/self-hosted-decision.ts';
import { NOW } from '../../../factories/transaction-record.ts';
import type { WalletProof } from '../../../../domain/verifications/wallet-proof.ts';
import type { ProofWarning } from '../../../../domain/verifications/risk.ts';
import { DAY_MS } from '../../../../domain/durations.ts';

const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

const RULES: SelfHostedRules = {
  autoConfirm: true,
  thresholdEur: '1000',
  flowsAbove: ['SIGNATURE_PROOF', 'SATOSHI_TEST', 'VISUAL_PROOF'],
  maxProofAgeDays: null,
  acceptUnbound: false,
  byTwo: false,
};
const proof = (overrides: Partial<WalletProof> = {}): WalletProof => ({
  verificationId: 'v1',
  verifiedAt: daysAgo(10),
  provenAt: daysAgo(10),
  flows: ['SIGNATURE_PROOF'],
  customerIdentification: null,
  warnings: [],
  ...overrides,
});
const decide = (
  transfer: Partial<SelfHostedTransfer>,
  proofs: WalletProof[],
  rules: Partial<SelfHostedRules> = {},
) =>
  decideSelfHosted(
    { amountEur: '5000', customerIdentification: null, ...transfer },
    proofs,
    { ...RULES, ...rules },
    NOW,
  );

const AUTO = { kind: 'CONFIRM', basis: { kind: 'AUTO_SELF_HOSTED' } };
const byProof = (id = 'v1') => ({ kind: 'CONFIRM', basis: { kind: 'VERIFICATION', id } });
const wait = (need: string, lack: string) => ({ kind: 'WAIT', need, lack });

describe('without a proof', () => {
  test.each<[string | null, Partial<SelfHostedRules>, unknown]>([
    ['999.99', {}, AUTO],
    ['1000', {}, AUTO],
    ['1000.000000000000000001', {}, wait('ABOVE_THRESHOLD', 'NO_PROOF')],
    ['9.5', { thresholdEur: '10' }, AUTO],
    ['10000', {}, wait('ABOVE_THRESHOLD', 'NO_PROOF')],
    [null, {}, wait('VALUE_UNKNOWN', 'NO_PROOF')],
    ['0.01', { thresholdEur: '0' }, wait('ABOVE_THRESHOLD', 'NO_PROOF')],
    ['1000000', { thresholdEur: null }, AUTO],
    [null, { thresholdEur: null }, AUTO],
    ['1', { autoConfirm: false }, wait('NO_AUTOMATIC_CONFIRMATION', 'NO_PROOF')],
    ['1', { autoConfirm: false, thresholdEur: null }, wait('NO_AUTOMATIC_CONFIRMATION', 'NO_PROOF')],
  ])('EUR %s under %j: %j', (amountEur, rules, expected) => {
    expect(decide({ amountEur }, [], rules)).toEqual(expected);
  });
});

describe('up to the threshold any proof does, also where nothing is confirmed automatically', () => {
  test.each<[string, Partial<WalletProof>]>([
    ['declared', { flows: ['SELF_DECLARED'] }],
    ['old', { provenAt: daysAgo(4_000) }],
    ["another customer's", { customerIdentification: 'C-2' }],
    ['doubted', { warnings: ['PROOF_REORGED'] }],
  ])('%s', (_what, overrides) => {
    const transfer = { amountEur: '1000', customerIdentification: 'C-1' };
    const rules = { autoConfirm: false, maxProofAgeDays: 1 };
    expect(decide(transfer, [proof(overrides)], rules)).toEqual(byProof());
  });
});

describe('above the threshold, and while the value is unknown, only a good proof counts', () => {
  const cases: [
    string,
    Partial<WalletProof>,
    Partial<SelfHostedTransfer>,
    Partial<SelfHostedRules>,
    string | null,
  ][] = [
    ['a signature', {}, {}, {}, null],
    ['a reviewed picture', { flows: ['VISUAL_PROOF'] }, {}, {}, null],
    ['a word', { flows: ['SELF_DECLARED'] }, {}, {}, 'FLOW_NOT_ACCEPTED'],
    ['a word where words count', { flows: ['SELF_DECLARED'] }, {}, { flowsAbove: ['SELF_DECLARED'] }, null],
    ['a signature where only transfers count', {}, {}, { flowsAbove: ['SATOSHI_TEST'] }, 'FLOW_NOT_ACCEPTED'],
    ['a proof of no known kind', { flows: [] }, {}, {}, 'FLOW_NOT_ACCEPTED'],
    ['a reused proof of either kind', { flows: ['SIGNATURE_PROOF', 'SATOSHI_TEST'] }, {}, {}, null],
    [
      'a reused proof of either kind where one does not count',
      { flows: ['SIGNATURE_PROOF', 'SATOSHI_TEST'] },
      {},
      { flowsAbove: ['SIGNATURE_PROOF'] },
      'FLOW_NOT_ACCEPTED',
    ],
    ['as old as allowed', { provenAt: daysAgo(30) }, {}, { maxProofAgeDays: 30 }, null],
    [
      'older',
      { provenAt: new Date(daysAgo(30).getTime() - 1) },
      {},
      { maxProofAgeDays: 30 },
      'PROOF_TOO_OLD',
    ],
    [
      'old by its origin, though reused today',
      { verifiedAt: NOW, provenAt: daysAgo(31) },
      {},
      { maxProofAgeDays: 30 },
      'PROOF_TOO_OLD',
    ],
    ['of the same customer', { customerIdentification: 'C-1' }, { customerIdentification: 'C-1' }, {}, null],
    ['of nobody named', {}, { customerIdentification: 'C-1' }, {}, 'OTHER_CUSTOMER'],
    [
      'of another customer',
      { customerIdentification: 'c-1' },
      { customerIdentification: 'C-1' },
      {},
      'OTHER_CUSTOMER',
    ],
    ['of a customer where the transfer names none', { customerIdentification: 'C-2' }, {}, {}, null],
    ['whose transfer a fork dropped', { warnings: ['PROOF_REORGED'] }, {}, {}, 'PROOF_DOUBTED'],
    ['whose source was withdrawn', { warnings: ['REUSE_SOURCE_WITHDRAWN'] }, {}, {}, 'PROOF_DOUBTED'],
    ['of a contract, which the tenant has allowed', { warnings: ['CONTRACT_SIGNATURE'] }, {}, {}, null],
  ];
  test.each(cases)('%s', (_what, given, transfer, rules, lack) => {
    const above = decide(transfer, [proof(given)], rules);
    const unknown = decide({ ...transfer, amountEur: null }, [proof(given)], rules);
    expect(above).toEqual(lack ? wait('ABOVE_THRESHOLD', lack) : byProof());
    expect(unknown).toEqual(lack ? wait('VALUE_UNKNOWN', lack) : byProof());
  });

  test('one good proof is enough; of bad ones the newest says what is wrong', () => {
    const declared = proof({ verificationId: 'v2', flows: ['SELF_DECLARED'] });
    const old = proof({ verificationId: 'v3', provenAt: daysAgo(99) });
    expect(decide({}, [declared, old, proof()], { maxProofAgeDays: 30 })).toEqual(byProof());
    expect(decide({}, [old, declared], { maxProofAgeDays: 30 })).toEqual(
      wait('ABOVE_THRESHOLD', 'PROOF_TOO_OLD'),
    );
  });
});

test('what is proven says so even where the setting alone would do', () => {
  expect(decide({ amountEur: '1' }, [proof()])).toEqual(byProof());
});

describe('where two people let a transfer without a proof pass', () => {
  test.each<[WalletProof['flows'][number], boolean]>([
    ['SELF_DECLARED', false],
    ['VISUAL_PROOF', false],
    ['SIGNATURE_PROOF', true],
    ['SATOSHI_TEST', true],
  ])('%s confirms, below the threshold and above: %j', (flow, confirms) => {
    for (const amountEur of ['10', '5000']) {
      const { kind } = decide({ amountEur }, [proof({ flows: [flow] })], { byTwo: true, autoConfirm: false });
      expect([amountEur, kind]).toEqual([amountEur, confirms ? 'CONFIRM' : 'WAIT']);
    }
  });
});

describe('proofs that do not confirm a transfer above the threshold by themselves', () => {
  const doubted = wait('ABOVE_THRESHOLD', 'PROOF_DOUBTED');

  test.each<[ProofWarning, boolean, unknown]>([
    ['MESSAGE_REPLAYED', false, doubted],
    ['MESSAGE_REPLAYED', true, doubted],
    ['FOREIGN_DOMAIN', false, doubted],
    ['FOREIGN_DOMAIN', true, doubted],
    ['ADDRESS_CUSTODIAL', false, doubted],
    ['ADDRESS_CUSTODIAL', true, doubted],
    ['UNBOUND_MESSAGE', false, doubted],
    ['UNBOUND_MESSAGE', true, byProof()],
  ])('%s, unbound texts accepted: %j', (warning, acceptUnbound, expected) => {
    expect(decide({}, [proof({ warnings: [warning] })], { acceptUnbound })).toEqual(expected);
    expect(decide({ amountEur: '1000' }, [proof({ warnings: [warning] })], { acceptUnbound })).toEqual(
      byProof(),
    );
  });

  test('an older one without a warning confirms; else the doubt counts only where all else is met', () => {
    const replayed = proof({ warnings: ['MESSAGE_REPLAYED'] });
    const declared = proof({ verificationId: 'v2', flows: ['SELF_DECLARED'] });
    expect(decide({}, [replayed, proof({ verificationId: 'v2' })])).toEqual(byProof('v2'));
    expect(decide({}, [declared, replayed])).toEqual(doubted);
    const old = { maxProofAgeDays: 1 };
    expect(decide({}, [replayed], old)).toEqual(wait('ABOVE_THRESHOLD', 'PROOF_TOO_OLD'));
    const others = { customerIdentification: 'C-1' };
    expect(decide(others, [replayed])).toEqual(wait('ABOVE_THRESHOLD', 'OTHER_CUSTOMER'));
  });
});

describe('the proof of a wallet that was on a sanctions list', () => {
  const listed = proof({ verificationId: 'v9', warnings: ['ADDRESS_SANCTIONED'] });

  test.each<[string | null, Partial<SelfHostedRules>, string]>([
    ['1', { autoConfirm: false }, 'NO_AUTOMATIC_CONFIRMATION'],
    ['1', { autoConfirm: false, thresholdEur: null }, 'NO_AUTOMATIC_CONFIRMATION'],
    ['5000', {}, 'ABOVE_THRESHOLD'],
    [null, {}, 'VALUE_UNKNOWN'],
  ])('confirms nothing: EUR %s under %j', (amountEur, rules, need) => {
    expect(decide({ amountEur }, [listed], rules)).toEqual(wait(need, 'ADDRESS_SANCTIONED'));
    const doubted = proof({ warnings: ['PROOF_REORGED'] });
    if (need !== 'NO_AUTOMATIC_CONFIRMATION') {
      expect(decide({ amountEur }, [doubted, listed], rules)).toEqual(wait(need, 'ADDRESS_SANCTIONED'));
    }
    expect(decide({ amountEur }, [listed, proof()], rules)).toEqual(byProof());
  });

  test('is not named where the setting alone confirms', () => {
    expect(decide({ amountEur: '1' }, [listed])).toEqual(AUTO);
  });

  test('is for a person to decide', () => {
    expect(
      (['ADDRESS_SANCTIONED', 'PROOF_DOUBTED', 'NO_PROOF', 'PROOF_TOO_OLD'] as const).map(isForPerson),
    ).toEqual([true, true, false, false]);
  });
});
