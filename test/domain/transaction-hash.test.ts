import { hashFault } from '../../domain/transaction-hash.ts';

const HEX = 'aB'.repeat(32);
const SIGNATURE = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';

test.each([
  ['Ethereum', HEX],
  ['Ethereum', `0x${HEX}`],
  ['polygon-pos', `0X${HEX}`.replace('X', 'x')],
  ['Bitcoin', HEX.toUpperCase()],
  ['Dogecoin', HEX],
  ['Zcash', `0x${HEX}`],
  ['Tron', HEX],
  ['Solana', SIGNATURE],
  // Of these no form is asked for.
  ['XRP Ledger', 'anything'],
  ['Some Chain', 'anything'],
  [null, 'anything'],
  ['Ethereum', null],
])('%s takes %s', (blockchain, hash) => {
  expect(hashFault(blockchain, hash)).toBeUndefined();
});

test.each([
  ['Ethereum', '0xzz', '64 hex digits'],
  ['Ethereum', '0xabc', '64 hex digits'],
  ['ETH', `${HEX}0`, '64 hex digits'],
  ['Base', ` ${HEX}`, '64 hex digits'],
  ['Bitcoin', 'not a hash!!', '64 hex digits'],
  ['Bitcoin Cash', HEX.slice(1), '64 hex digits'],
  ['Tron', SIGNATURE, '64 hex digits'],
  ['Solana', HEX, 'base58'],
  ['Solana Devnet', SIGNATURE.replace('V', '0'), 'base58'],
])('%s does not take %s', (blockchain, hash, form) => {
  expect(hashFault(blockchain, hash)).toContain(form);
});
