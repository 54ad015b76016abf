import { hex } from '@scure/base';
import { partyKey } from '../../../domain/chain-scan/party-key.ts';
import { hashRecipient, hashPartyKey } from '../../../domain/chain-scan/hash-recipient.ts';
import { bitcoinWallet, WALLET_KINDS } from '../../chains/bitcoin-wallet.ts';

const BITCOIN = { kind: 'BITCOIN', addressFormat: 'BITCOIN' } as const;

test.each(WALLET_KINDS)('a %s address is its output script', (kind) => {
  const { address, script } = bitcoinWallet(kind, 'x');
  expect(partyKey(BITCOIN, address)).toBe(hex.encode(script));
});

test('an EVM address is itself in lower case; an address of another chain is nothing', () => {
  const address = `0x${'aB'.repeat(20)}`;
  expect(partyKey({ kind: 'EVM', addressFormat: 'EVM' }, address)).toBe(address.toLowerCase());
  expect(partyKey(BITCOIN, address)).toBeUndefined();
});

test('the short number of a key is that of its bytes, wherever they stand', () => {
  // FNV-1a of "foobar", from its authors' list.
  expect(hashRecipient(Buffer.from('foobar')) >>> 0).toBe(0xbf9cf968);
  expect(hashRecipient(Buffer.from('..foobar!'), 2, 8)).toBe(
    hashPartyKey(`0x${Buffer.from('foobar').toString('hex')}`),
  );
});
