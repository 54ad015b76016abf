import { addressAt, blockchainKey, chainFields, hashFields } from '../../../domain/normalised-places.ts';
import { refusalOf } from './refusal-of.ts';

test.each([
  ['Ethereum', 'ETH', 'Ethereum', 'Ethereum'],
  ['eth', 'USDC', 'eth', 'Ethereum'],
  ['eip155:137', 'USDC', 'eip155:137', 'Polygon'],
  ['Arbitrum', 'ETH', 'Arbitrum', 'Arbitrum'],
  [' Some Chain ', 'ETH', ' Some Chain ', 'some chain'],
  [undefined, 'ETH', 'Ethereum', 'Ethereum'],
  [undefined, 'btc', 'Bitcoin', 'Bitcoin'],
  [undefined, 'POL', 'Polygon', 'Polygon'],
  [null, 'ETH', 'Ethereum', 'Ethereum'],
  [undefined, 'USDC', null, null],
  [undefined, 'NEWCOIN', null, null],
])('chain %j of asset %s is shown as %j and compared as %j', (given, asset, blockchain, key) => {
  expect(chainFields(given, asset)).toEqual({ blockchain, blockchainKey: key });
});

test('an unknown chain is compared without case and outer spaces', () => {
  expect(blockchainKey('  My-Chain')).toBe(blockchainKey('MY-CHAIN '));
});

test('an address is compared in its normal form, and one that is none is refused at its place without its text', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  expect(addressAt('/x', 'Ethereum', address)).toBe(address.toLowerCase());
  const refusal = refusalOf(() => addressAt('/x', 'Ethereum', address.replace('5a', '5A')));
  expect(refusal).toMatchObject({
    code: 'validation_failed',
    details: { errors: [{ pointer: '/x', code: 'address_invalid' }] },
  });
  expect(JSON.stringify(refusal.details)).not.toMatch(/5aaeb6053/i);
});

test('a hash keeps its spelling and is compared without it', () => {
  const hash = `0x${'AB'.repeat(32)}`;
  expect(hashFields(hash)).toEqual({ transactionHash: hash, hashNormal: 'ab'.repeat(32) });
  expect(hashFields(null)).toEqual({ transactionHash: null, hashNormal: null });
  expect(hashFields(undefined)).toEqual({ transactionHash: null, hashNormal: null });
});
