import { checkedWallet } from '../../../domain/wallet-intelligence/check.ts';
import type {
  WalletMovement,
  WalletObservation,
  UtxoTransaction,
} from '../../../domain/wallet-intelligence/activity.ts';
import { conclude } from '../../../domain/wallet-intelligence/conclude.ts';
import type { OwnData } from '../../../domain/wallet-intelligence/own-data.ts';
import type { FoundLabel } from '../../../domain/labels/label.ts';

const DAY = 86_400;
const START = 1_700_000_000;
const address = (n: number) => `0x${n.toString(16).padStart(40, 'a')}`;
const ME = address(0);
const NOBODY: OwnData = {
  isOwn: false,
  network: null,
  proofs: [],
  labels: [],
  labelledEntityId: null,
  areLabelsLoaded: true,
};
const BLIND: WalletObservation = {
  evm: null,
  evmHistory: null,
  utxoHistory: null,
  lack: 'No node.',
  labelled: new Map(),
};

let made = 0;
const move = (overrides: Partial<WalletMovement>): WalletMovement => ({
  hash: `0x${(made += 1)}`,
  time: START + made * 60,
  block: 1_000 + made,
  from: ME,
  to: address(1),
  value: 10n ** 18n,
  token: null,
  gasPrice: BigInt(10 ** 9 + made),
  gasLimit: 21_000 + made,
  selector: null,
  ...overrides,
});
const evmOf = (movements: WalletMovement[], rest: Partial<WalletObservation> = {}): WalletObservation => ({
  ...BLIND,
  lack: null,
  evmHistory: { movements: movements.toSorted((one, other) => one.time - other.time), truncated: false },
  ...rest,
});
const stateOf = (code: string, rest = {}) => ({
  code,
  nonce: 1,
  balance: 0n,
  implementationCode: null,
  isRegisteredAgent: null,
  ...rest,
});

function judge(
  observation: WalletObservation,
  ownData: OwnData | null = NOBODY,
  wallet = { blockchain: 'Ethereum', address: ME },
) {
  const question = checkedWallet({ ...wallet, heuristicOnly: ownData === null });
  const now = new Date('2026-01-01T00:00:00Z');
  return conclude({
    id: '0190d1a2-7b3c-7def-8123-456789abcdef',
    wallet: question,
    ownData,
    observation,
    now,
  });
}
const codes = (signals: { code: string }[]) => signals.map(({ code }) => code);

const label = (type: FoundLabel['type'], confidence = 100): FoundLabel => ({
  blockchain: 'Ethereum',
  label: 'Some label',
  type,
  entityId: 'some',
  entityName: 'Some Entity',
  confidence,
  lastModified: null,
  reference: 'https://example.com/por',
  source: 'mine',
});
const proof = (
  flow: 'SIGNATURE_PROOF' | 'SELF_DECLARED' | 'VISUAL_PROOF',
  warnings: ('PROOF_REORGED' | 'UNBOUND_MESSAGE' | 'ADDRESS_SANCTIONED' | 'ADDRESS_CUSTODIAL')[] = [],
) => ({
  verificationId: 'v1',
  verifiedAt: new Date(0),
  provenAt: new Date(0),
  flows: [flow],
  customerIdentification: null,
  warnings,
});

describe('the first conclusive source decides', () => {
  test.each<[string, Partial<OwnData>, object]>([
    ['nothing known', {}, { classification: 'UNKNOWN', confidence: 0, source: null, reason: 'No node.' }],
    [
      'own wallet',
      { isOwn: true, proofs: [proof('SIGNATURE_PROOF')] },
      { classification: 'CUSTODIAL', confidence: 1, source: 'OWN_REGISTRY' },
    ],
    [
      'proof before network',
      { network: 'ATTESTED', proofs: [proof('SIGNATURE_PROOF')] },
      { classification: 'NON_CUSTODIAL', confidence: 0.98, source: 'OWN_VERIFICATION' },
    ],
    [
      'pictures are worth less',
      { proofs: [proof('VISUAL_PROOF')] },
      { classification: 'NON_CUSTODIAL', confidence: 0.9 },
    ],
    [
      'a word is no proof',
      { network: 'ATTESTED', proofs: [proof('SELF_DECLARED')] },
      { classification: 'CUSTODIAL', confidence: 0.97, source: 'NETWORK' },
    ],
    [
      'a doubted proof',
      { proofs: [proof('SIGNATURE_PROOF', ['PROOF_REORGED'])] },
      { classification: 'UNKNOWN' },
    ],
    [
      'the proof of a sanctioned address',
      { proofs: [proof('SIGNATURE_PROOF', ['ADDRESS_SANCTIONED'])] },
      { classification: 'UNKNOWN' },
    ],
    [
      'a label before a text that an exchange may have published',
      { labels: [label('exchange')], proofs: [proof('SIGNATURE_PROOF', ['UNBOUND_MESSAGE'])] },
      { classification: 'CUSTODIAL', source: 'LABELS' },
    ],
    [
      'a label before what an exchange has paid out for a customer',
      { labels: [label('exchange')], proofs: [proof('SIGNATURE_PROOF', ['ADDRESS_CUSTODIAL'])] },
      { classification: 'CUSTODIAL', source: 'LABELS' },
    ],
    [
      'such a text alone',
      { proofs: [proof('SIGNATURE_PROOF', ['UNBOUND_MESSAGE'])] },
      { classification: 'NON_CUSTODIAL', source: 'OWN_VERIFICATION' },
    ],
    [
      'a registration that nobody has checked',
      { network: 'REGISTERED' },
      {
        classification: 'UNKNOWN',
        confidence: 0,
        source: null,
        reason: 'Another tenant has registered the address, which nobody has checked. No node.',
        signals: [{ code: 'network_claimed', contribution: 0 }],
      },
    ],
    [
      'a label beside such a registration',
      { network: 'REGISTERED', labels: [label('exchange')] },
      { classification: 'CUSTODIAL', confidence: 0.9, source: 'LABELS', reason: null },
    ],
    [
      'network before label',
      { network: 'ATTESTED', labels: [label('exchange')] },
      { source: 'NETWORK', entity: { name: 'Some Entity' } },
    ],
    [
      'a label of an exchange',
      { labels: [label('exchange')] },
      { classification: 'CUSTODIAL', confidence: 0.9, source: 'LABELS', reason: null },
    ],
    [
      'a label of the second rank',
      { labels: [label('scam'), label('exchange', 70)] },
      { classification: 'CUSTODIAL', confidence: 0.63, entity: { type: 'scam' } },
    ],
    [
      'a weak label',
      { labels: [label('exchange', 40)], labelledEntityId: 'id-in-the-directory' },
      { classification: 'UNKNOWN', entity: { id: 'id-in-the-directory', type: 'exchange' } },
    ],
    [
      'a mixer',
      { labels: [label('mixing_service')] },
      {
        classification: 'UNKNOWN',
        source: null,
        reason: 'A label says what the address is, but not who holds its keys. No node.',
      },
    ],
  ])('%s', (_name, ownData, expected) => {
    expect(judge(BLIND, { ...NOBODY, ...ownData })).toMatchObject(expected);
  });

  test('all cheap evidence is told, whatever decided', () => {
    const all: OwnData = {
      ...NOBODY,
      isOwn: true,
      network: 'ATTESTED',
      proofs: [proof('SIGNATURE_PROOF')],
      labels: [label('exchange')],
    };
    expect(codes(judge(BLIND, all).signals)).toEqual([
      'own_wallet',
      'ownership_proven',
      'network_wallet',
      'label_exchange',
    ]);
  });

  test('heuristicOnly says which sources were skipped, and labels that are still loaded are told', () => {
    expect(judge(BLIND, null).sources.map(({ status }) => status)).toEqual(Array(5).fill('SKIPPED'));
    expect(judge(BLIND, { ...NOBODY, areLabelsLoaded: false }).sources[3]).toEqual({
      source: 'LABELS',
      status: 'CONSULTED',
      reason: 'The labels of this release are still being loaded.',
    });
  });
});

/** Ten deposits, each forwarded within some blocks. */
const deposits = (to: string) =>
  Array.from({ length: 10 }, (_, n) => [
    move({ from: address(100 + n), to: ME, time: START + n * DAY, block: n * 7_200 }),
    move({ to, time: START + n * DAY + 600, block: n * 7_200 + 50 }),
  ]).flat();

describe('what an EVM wallet does', () => {
  const hot = address(7);
  const labelled = new Map([[hot, 'exchange']]);
  const people = Array.from({ length: 12 }, (_, n) =>
    move({ to: address(200 + (n % 5)), value: BigInt((n * n + 1) * 10 ** 9), time: START + n * 3 * DAY }),
  );
  const dapps = ['0x095ea7b3', '0x38ed1739', '0xa22cb465', '0xa694fc3a'].map((selector, n) =>
    move({ selector, value: 0n, to: address(300 + n), time: START + n * DAY }),
  );

  test.each<[string, WalletObservation, string, string[]]>([
    [
      'forwards to a labelled hot wallet',
      evmOf(deposits(hot), { labelled }),
      'CUSTODIAL',
      ['deposit_forwarder', 'single_out_counterparty'],
    ],
    ['forwards to nobody known', evmOf(deposits(hot)), 'UNKNOWN', ['single_out_counterparty']],
    [
      'uses contracts as people do',
      evmOf([...dapps, ...people.slice(0, 6)]),
      'NON_CUSTODIAL',
      ['dapp_use', 'own_gas_human'],
    ],
    ['pays several as it comes', evmOf(people), 'NON_CUSTODIAL', ['own_gas_human']],
    ['has done four things', evmOf(dapps), 'UNKNOWN', ['dapp_use']],
    [
      'is a Safe that people use',
      evmOf(people, {
        evm: stateOf(`0x608060405273${'f'.repeat(40)}600054167fa619486e${'0'.repeat(56)}60003514`),
      }),
      'NON_CUSTODIAL',
      ['safe_or_aa', 'own_gas_human'],
    ],
    [
      'is a forwarder of a labelled factory',
      evmOf(deposits(address(9)), {
        labelled: new Map([[address(8), 'exchange']]),
        evm: stateOf(`0x363d3d373d3d3d363d73${address(8).slice(2)}5af43d82803e903d91602b57fd5bf3`),
      }),
      'CUSTODIAL',
      ['single_out_counterparty', 'create2_forwarder'],
    ],
    [
      'has thousands of counterparties',
      evmOf(
        Array.from({ length: 200 }, (_, n) =>
          move(
            n % 2
              ? { to: address(500 + n), time: START + n * 60 }
              : { from: address(500 + n), to: ME, time: START + n * 60 },
          ),
        ),
      ),
      'CUSTODIAL',
      ['hot_wallet_fan'],
    ],
  ])('%s', (_name, observation, classification, expected) => {
    const check = judge(observation);
    expect(codes(check.signals)).toEqual(expected);
    expect(check).toMatchObject({
      classification,
      source: classification === 'UNKNOWN' ? null : 'BEHAVIOUR',
    });
    expect(check.confidence > 0).toBe(classification !== 'UNKNOWN');
  });

  test('gas from a labelled wallet right before a token leaves is a top-up', () => {
    const sweep = move({ time: START + 2 * DAY, selector: '0xa9059cbb', value: 0n });
    const observation = evmOf(
      [
        move({ from: address(50), to: ME, token: address(60), time: START + DAY, gasPrice: null }),
        move({ from: hot, to: ME, value: 10n ** 15n, time: START + DAY + 60 }),
        sweep,
        move({ hash: sweep.hash, token: address(60), time: START + 2 * DAY, gasPrice: null }),
      ],
      { labelled },
    );
    expect(codes(judge(observation).signals)).toContain('gas_topup');
  });

  test('a window that is cut off lowers the confidence', () => {
    const whole = evmOf(deposits(hot), { labelled });
    const cut = { ...whole, evmHistory: { movements: whole.evmHistory?.movements ?? [], truncated: true } };
    expect(judge(cut).confidence).toBeLessThan(judge(whole).confidence);
    expect(judge(cut).dataWindow).toMatchObject({
      transactions: 20,
      truncated: true,
      providers: ['INDEXER'],
    });
  });

  test('contributions are what the classification is made of', () => {
    for (const { weight, value, contribution } of judge(evmOf(people)).signals)
      expect(contribution).toBeCloseTo(weight * value);
    for (const { weight, contribution } of judge(evmOf(dapps)).signals)
      expect(contribution).toBeCloseTo(weight * 0.3);
  });
});

describe('what a Bitcoin wallet does', () => {
  const mine = 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh';
  const place = (who: string, value = 5_000, type = 'v0_p2wpkh') => ({ address: who, value, type });
  const tx = (inputs: ReturnType<typeof place>[], outputs: ReturnType<typeof place>[]): UtxoTransaction => {
    made += 1;
    return { id: `t${made}`, time: START + made * DAY, block: made, feeRate: 5, inputs, outputs };
  };
  const others = (count: number, prefix = 'o') =>
    Array.from({ length: count }, (_, n) => place(`${prefix}${n}`, 1_000 + n));
  const fund = () => tx([place(`f${made}`)], [place(mine)]);
  const funds = Array.from({ length: 4 }, fund);
  const observe = (
    transactions: UtxoTransaction[],
    labelled = new Map<string, string>(),
  ): WalletObservation => ({
    ...BLIND,
    lack: null,
    utxoHistory: { transactions, truncated: false },
    labelled,
  });
  const spend = () => tx([place(mine)], [place(`p${made}`), place(`c${made}`)]);
  const join = tx(
    [place(mine), ...others(9)],
    Array.from({ length: 10 }, (_, n) => place(`j${n}`, 100_000)),
  );

  test.each<[string, WalletObservation, string, string[]]>([
    [
      'is swept with others',
      observe([...funds, tx([place(mine), ...others(24)], [place('hot')])]),
      'CUSTODIAL',
      ['swept_with_others'],
    ],
    [
      'pays many at once',
      observe([...funds, tx([place(mine)], others(30))]),
      'CUSTODIAL',
      ['batched_payouts'],
    ],
    [
      'signs with an exchange',
      observe([...funds, tx([place(mine), place('x')], [place('y')])], new Map([['x', 'exchange']])),
      'CUSTODIAL',
      ['labelled_cluster'],
    ],
    [
      'joins coins, which makes nobody its owner',
      observe([...funds, join, spend()], new Map([['o1', 'exchange']])),
      'NON_CUSTODIAL',
      ['simple_spends', 'coinjoin'],
    ],
    ['spends as people do', observe([...funds, spend(), spend()]), 'NON_CUSTODIAL', ['simple_spends']],
    ['was only paid', observe(funds), 'UNKNOWN', []],
  ])('%s', (_name, observation, classification, expected) => {
    const check = judge(observation, NOBODY, { blockchain: 'BTC', address: mine });
    expect(codes(check.signals)).toEqual(expected);
    expect(check).toMatchObject({ blockchain: 'Bitcoin', classification });
  });
});

describe('whether a program acts', () => {
  const every = (seconds: number, count: number, rest: Partial<WalletMovement> = {}) =>
    Array.from({ length: count }, (_, n) =>
      move({ time: START + n * seconds, block: Math.floor((n * seconds) / 12), ...rest }),
    );
  /** Eight to ten things a day between 8 and 22 o'clock. */
  const awake = Array.from({ length: 120 }, (_, n) => {
    const [day, turn] = [Math.floor(n / 9), n % 9];
    return move({
      time: 1_700_006_400 + day * DAY + (8 + turn * 1.5) * 3_600 + ((n * n * 7_919) % 4_000),
      selector: `0x${String(n % 7).repeat(8)}`,
      block: day * 7_200 + turn * 450,
      value: 2n ** BigInt(n % 90),
    });
  });

  test.each<[string, WalletObservation, object, string[]]>([
    [
      'calls the same with the same gas every few seconds',
      evmOf(every(24, 200, { gasPrice: 5n, gasLimit: 9, selector: '0x12345678' })),
      { detected: true, kind: 'bot' },
      ['every_few_blocks', 'regular_intervals', 'constant_gas', 'same_call', 'unnatural_amounts'],
    ],
    [
      'never sleeps',
      evmOf(every(5_000, 200, { selector: '0x12345678' })),
      { detected: true, kind: 'bot' },
      ['sleepless', 'all_hours', 'regular_intervals', 'same_call', 'unnatural_amounts'],
    ],
    ['sleeps at night', evmOf(awake), { detected: false, kind: null, reason: null }, ['sleeps_at_night']],
    [
      'hardly does anything',
      evmOf(every(DAY, 19)),
      { detected: null, kind: null, reason: 'Fewer than 20 outgoing transactions.' },
      [],
    ],
    ['is not looked at', BLIND, { detected: null, reason: 'No node.' }, []],
    [
      'is a registered agent',
      { ...BLIND, evm: stateOf('0x', { isRegisteredAgent: true }) },
      { detected: true, kind: 'registered_agent' },
      ['erc8004_agent'],
    ],
    [
      'has delegated its account, which is not yet acting',
      { ...BLIND, evm: stateOf(`0xef0100${'b'.repeat(40)}`) },
      { detected: null },
      ['eip7702_delegation'],
    ],
    [
      'is an account that programs can use',
      { ...BLIND, evm: stateOf('0x60806319822f7c14') },
      { detected: null },
      ['erc4337_account'],
    ],
    [
      'is such an account and acts like a clock',
      evmOf(every(5_000, 200, { selector: '0x12345678' }), { evm: stateOf('0x6080633a871cdd14') }),
      { detected: true, kind: 'smart_account' },
      ['erc4337_account', 'sleepless', 'all_hours', 'regular_intervals', 'same_call', 'unnatural_amounts'],
    ],
  ])('%s', (_name, observation, expected, signals) => {
    const { agentic } = judge(observation);
    expect(agentic).toMatchObject(expected);
    expect(codes(agentic.signals)).toEqual(signals);
  });

  test('signals of one kind alone are not enough', () => {
    const { agentic } = judge(evmOf(every(12, 30)));
    expect(codes(agentic.signals)).toEqual(['every_few_blocks', 'regular_intervals']);
    const onlyRate = judge(
      evmOf(every(12, 30).map((each, n) => ({ ...each, time: each.time + ((n * n) % 37) }))),
    );
    expect(onlyRate.agentic).toMatchObject({ detected: null, reason: 'The signals do not agree.' });
  });

  test('custody and agency are told independently', () => {
    const check = judge(evmOf(every(5_000, 200, { selector: '0x12345678' })), { ...NOBODY, isOwn: true });
    expect(check).toMatchObject({ classification: 'CUSTODIAL', agentic: { detected: true } });
  });
});
