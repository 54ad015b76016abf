import { paymentUri } from '../../../../domain/verifications/satoshi/payment-uri.ts';
import { chainOf } from '../../../chains/scan-ground.ts';

const TOKEN = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const DEPOSIT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

const ethereum = chainOf({
  name: 'Somewhere',
  caip2: 'eip155:4242',
  kind: 'EVM',
  nativeAsset: 'ETH',
  decimals: 18,
  rpcUrl: 'http://127.0.0.1:1',
  tokens: [{ asset: 'USDC', address: TOKEN, decimals: 6 }],
});
const bitcoin = chainOf({
  name: 'Bitcoin',
  caip2: 'bip122:000000000019d6689c085ae165831e93',
  kind: 'BITCOIN',
  nativeAsset: 'BTC',
  decimals: 8,
  esploraUrl: 'http://127.0.0.1:1',
});

test.each([
  [ethereum, 'ETH', '0.00010001', DEPOSIT, `ethereum:${DEPOSIT}@4242?value=100010000000000`],
  [
    ethereum,
    'USDC',
    '1.2345',
    DEPOSIT,
    `ethereum:${TOKEN.toLowerCase()}@4242/transfer?address=${DEPOSIT}&uint256=1234500`,
  ],
  [bitcoin, 'BTC', '0.00000742', 'bc1qtest', 'bitcoin:bc1qtest?amount=0.00000742'],
  [ethereum, 'OTHER', '1', DEPOSIT, null],
] as const)('the payment of %#', (chain, asset, amount, depositAddress, expected) => {
  expect(paymentUri({ blockchain: chain, chain, asset, amount, depositAddress })).toBe(expected);
});
