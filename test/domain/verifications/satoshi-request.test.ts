import { DomainError } from '../../../domain/errors.ts';
import type { ScannedChain } from '../../../domain/verifications/satoshi-request.ts';
import type { VerificationFlow } from '../../../domain/verifications/state.ts';
import { verificationOf, WALLET } from '../../factories/verification-record.ts';

const DEPOSIT = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const scanned: ScannedChain = {
  decimalsOf: (asset) => ({ ETH: 18, USDC: 6, BTC: 8 })[asset],
};

const refusal = (
  body: object,
  chain: ScannedChain | null = scanned,
  allowed?: readonly VerificationFlow[],
): unknown => {
  try {
    return verificationOf(body, chain ?? undefined, allowed).allowedFlows;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const [fault] = error.details.errors ?? [];
    return `${fault?.pointer} ${fault?.code}`;
  }
};

test('is offered with a deposit address and a node', () => {
  const record = verificationOf({ satoshiFlow: { depositAddress: DEPOSIT, amount: '0.0010' } }, scanned);
  expect(record.allowedFlows).toContain('SATOSHI_TEST');
  expect(record).toMatchObject({ satoshiAmount: '0.001', satoshiDepositNormal: DEPOSIT.toLowerCase() });
});

test('without a deposit address it is not offered by itself', () => {
  expect(refusal({})).toEqual(['SIGNATURE_PROOF', 'SELF_DECLARED', 'VISUAL_PROOF']);
});

test.each<[string, object, readonly VerificationFlow[] | undefined, number]>([
  ['asked for alone', { allowedFlows: ['SATOSHI_TEST'] }, undefined, 48],
  ['alone in the settings', {}, ['SATOSHI_TEST'], 48],
  ['beside a declaration', { allowedFlows: ['SATOSHI_TEST', 'SELF_DECLARED'] }, undefined, 100],
])('a satoshi test %s: how long a proof may come', (_what, body, allowed, hours) => {
  const given = { ...body, satoshiFlow: { depositAddress: DEPOSIT }, expiresInHours: 100 };
  const { createdAt, expiresAt } = verificationOf(given, scanned, allowed);
  expect(expiresAt.getTime() - createdAt.getTime()).toBe(hours * 3_600_000);
});

const bitcoin = {
  blockchain: 'Bitcoin',
  asset: 'BTC',
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
};
const TAPROOT = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0';

test.each<[string, object, string]>([
  ['SATOSHI_TEST alone', { allowedFlows: ['SATOSHI_TEST'] }, '/satoshiFlow required'],
  [
    'the wallet as deposit',
    { satoshiFlow: { depositAddress: WALLET } },
    '/satoshiFlow/depositAddress same_as_wallet',
  ],
  [
    'the wallet in another spelling',
    { satoshiFlow: { depositAddress: WALLET.toLowerCase() } },
    '/satoshiFlow/depositAddress same_as_wallet',
  ],
  [
    'a deposit on another chain',
    { satoshiFlow: { depositAddress: bitcoin.address } },
    '/satoshiFlow/depositAddress address_invalid',
  ],
  [
    '19 decimals of 18',
    { satoshiFlow: { depositAddress: DEPOSIT, amount: '0.0000000000000000001' } },
    '/satoshiFlow/amount too_many_decimals',
  ],
  [
    '7 decimals of 6',
    { asset: 'USDC', satoshiFlow: { depositAddress: DEPOSIT, amount: '1.0000001' } },
    '/satoshiFlow/amount too_many_decimals',
  ],
  [
    'a token that is not listed',
    { asset: 'FAKE', satoshiFlow: { depositAddress: DEPOSIT } },
    '/asset asset_not_scanned',
  ],
  [
    '329 sat to taproot',
    { ...bitcoin, satoshiFlow: { depositAddress: TAPROOT, amount: '0.00000329' } },
    '/satoshiFlow/amount below_dust',
  ],
  [
    '545 sat to a legacy address',
    {
      ...bitcoin,
      satoshiFlow: { depositAddress: '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH', amount: '0.00000545' },
    },
    '/satoshiFlow/amount below_dust',
  ],
])('%s is refused', (_what, body, fault) => {
  expect(refusal(body)).toBe(fault);
});

test.each([
  [TAPROOT, '0.0000033'],
  ['1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH', '0.00000546'],
  ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', '0.0000054'],
])('the least that the network carries to %s is accepted', (depositAddress, amount) => {
  expect(refusal({ ...bitcoin, satoshiFlow: { depositAddress, amount } })).toContain('SATOSHI_TEST');
});

test('without a node it is refused where it was asked for', () => {
  const satoshiFlow = { depositAddress: DEPOSIT };
  expect(refusal({ satoshiFlow }, null)).toBe('/satoshiFlow chain_not_scanned');
});

test('it is refused where the settings forbid it, whichever field asks for it', () => {
  const allowed = ['SIGNATURE_PROOF'] as const;
  const satoshiFlow = { depositAddress: DEPOSIT };
  expect(refusal({ satoshiFlow }, scanned, allowed)).toBe('/satoshiFlow flow_forbidden');
  expect(refusal({ satoshiFlow, allowedFlows: ['SATOSHI_TEST'] }, scanned, allowed)).toBe(
    '/allowedFlows flow_forbidden',
  );
});
