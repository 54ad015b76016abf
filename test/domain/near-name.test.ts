import { nearBlockchain } from '../../domain/normalised-places.ts';
import { nearestName } from '../../domain/near-name.ts';

const FIELDS = ['blockchainInfo', 'originator', 'beneficiary', 'asset', '_status', '_start', 'tag'];

test.each([
  ['blockchain_info', 'blockchainInfo'],
  ['BlockchainInfo', 'blockchainInfo'],
  ['beneficary', 'beneficiary'],
  ['orignator', 'originator'],
  ['assets', 'asset'],
  ['asste', 'asset'],
  ['status', '_status'],
  ['tga', undefined],
  ['limit', undefined],
  ['', undefined],
  ['x'.repeat(10_000), undefined],
])('%s: %s', (given, meant) => {
  expect(nearestName(given, FIELDS)).toBe(meant);
});

test.each([
  ['Etherium', 'Ethereum'],
  ['Bitcon', 'Bitcoin'],
  ['BNB Smartchian', 'BNB Smart Chain'],
  ['TRC21', 'Tron'],
  ['Polygn PoS', 'Polygon'],
  // Chains that exist and are not known here.
  ['Sei', undefined],
  ['Fantom', undefined],
  ['Manta', undefined],
  ['Ronin', undefined],
  ['Moonbeam', undefined],
  ['eip155:2', undefined],
  ['2', undefined],
])('the blockchain %s: %s', (given, meant) => {
  expect(nearBlockchain(given)).toBe(meant);
});
