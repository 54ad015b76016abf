import { DomainError } from '../../../../domain/errors.ts';
import {
  judgeMessage,
  type JudgedMessage,
} from '../../../../domain/verifications/signatures/judge-message.ts';
import { signInText } from '../../../../domain/verifications/signatures/sign-in-text.ts';
import { chainNamed } from './refusal-of-proof.ts';

const address = '0x5ce9454909639D2D17A3F753ce7d93fa0b9aB12E';
const blockchain = chainNamed('Ethereum');
const verificationId = '0199e0a0-0000-7000-8000-000000000001';
const now = new Date('2026-11-21T12:00:00.000Z');
const request = {
  domain: 'app.example.com',
  address,
  blockchain,
  uri: 'https://app.example.com/',
  nonce: 'a1B2c3D4e5F6a7B8',
  issuedAt: now,
  expiresAt: new Date('2026-11-23T12:00:00.000Z'),
  requestId: verificationId,
};
const message = signInText(request);
const bound: JudgedMessage = {
  message,
  address,
  blockchain,
  verificationId,
  expectedOrigin: 'https://app.example.com',
  now,
};
const free: JudgedMessage = { ...bound, expectedOrigin: null };

describe('without an origin', () => {
  test.each([
    ['a text with the address alone', `I own ${address}.`, ['UNBOUND_MESSAGE']],
    ['a text with the id of the verification', `Proof for ${verificationId}`, []],
    ['a text with the id in another case', `Proof for ${verificationId.toUpperCase()}`, []],
    ['a text with neither', 'I own this wallet.', ['UNBOUND_MESSAGE']],
    ['a sign-in text of some site', message, ['FOREIGN_DOMAIN']],
    [
      'a sloppy sign-in text without address',
      'https://evil.example wants you to sign in with your Ethereum account:',
      ['FOREIGN_DOMAIN', 'UNBOUND_MESSAGE'],
    ],
  ])('%s', (_what, text, warnings) => {
    expect(judgeMessage({ ...free, message: text })).toEqual(warnings);
  });

  test('a text with the nonce is bound', () => {
    expect(judgeMessage({ ...free, message: 'n: a1b2c3d4e5', nonce: 'a1b2c3d4e5' })).toEqual([]);
    expect(judgeMessage({ ...free, message: 'n: a1b2c3d4e5' })).toEqual(['UNBOUND_MESSAGE']);
  });

  test('the sites of our own pages are not foreign', () => {
    expect(judgeMessage({ ...free, ownDomains: ['verify.example.org', 'App.example.com'] })).toEqual([]);
    expect(judgeMessage({ ...free, ownDomains: ['example.com'] })).toEqual(['FOREIGN_DOMAIN']);
  });
});

function refusalOf(judged: JudgedMessage): string {
  try {
    judgeMessage(judged);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect([error.code, error.details.errors?.[0]?.pointer]).toEqual(['validation_failed', '/message']);
    for (const secret of [judged.message, judged.address, 'evil.example'])
      expect(JSON.stringify(error) + error.stack).not.toContain(secret);
    return error.details.errors?.[0]?.code ?? '';
  }
  return 'accepted';
}

describe('with an origin', () => {
  test.each([
    ['as the page writes it', {}],
    ['with the scheme in the text', { message: `https://${message}` }],
    ['with capitals in the domain', { message: message.replace('app.example', 'App.Example') }],
    [
      'with the default port in the text',
      { message: message.replace('app.example.com wants', 'app.example.com:443 wants') },
    ],
    ['with the default port in the origin', { expectedOrigin: 'https://app.example.com:443' }],
    ['with a slash behind the origin', { expectedOrigin: 'https://app.example.com/' }],
    ['with an origin that has no scheme', { expectedOrigin: 'app.example.com' }],
    ['with the address in lower case', { message: message.replace(address, address.toLowerCase()) }],
    ['with the address in CAIP-10', { message: message.replace(address, `eip155:1:${address}`) }],
    ['with the whole CAIP-2 id', { message: message.replace('Chain ID: 1', 'Chain ID: eip155:1') }],
    ['10 minutes old', { now: new Date(now.getTime() + 600_000) }],
    ['60 seconds ahead', { now: new Date(now.getTime() - 60_000) }],
    ['with the nonce that was given out', { nonce: 'a1B2c3D4e5F6a7B8' }],
  ] as [string, Partial<JudgedMessage>][])('a text %s passes', (_what, change) => {
    expect(refusalOf({ ...bound, ...change })).toBe('accepted');
  });

  const from = (date: string) => message.replace('Version: 1', `Version: 1\nNot Before: ${date}`);

  test.each([
    ['not_sign_in_text', 'plain text', { message: `I own ${address}. ${verificationId}` }],
    ['not_sign_in_text', 'text behind it', { message: `${message}\nfoo` }],
    ['wrong_domain', 'another site', { expectedOrigin: 'https://other.example.com' }],
    [
      'wrong_domain',
      'a longer site',
      { message: message.replace('app.example.com wants', 'app.example.com.evil.example wants') },
    ],
    ['wrong_domain', 'a shorter site', { expectedOrigin: 'https://xapp.example.com' }],
    ['wrong_domain', 'another port', { expectedOrigin: 'https://app.example.com:8443' }],
    [
      'wrong_domain',
      'the port of another scheme',
      { message: message.replace('app.example.com wants', 'app.example.com:80 wants') },
    ],
    ['wrong_domain', 'another scheme', { message: `http://${message}` }],
    ['wrong_domain', 'an origin with a path', { expectedOrigin: 'https://app.example.com/login' }],
    ['wrong_domain', 'an origin that is none', { expectedOrigin: '' }],
    ['wrong_address', 'another address', { address: '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf' }],
    ['wrong_address', 'an address with a bad checksum', { message: message.replace('0x5ce9', '0x5Ce9') }],
    ['wrong_chain', 'another chain', { blockchain: chainNamed('Polygon') }],
    ['wrong_chain', 'a chain in hexadecimal', { message: message.replace('Chain ID: 1', 'Chain ID: 0x1') }],
    ['wrong_nonce', 'another nonce', { nonce: 'a1B2c3D4e5F6a7B9' }],
    ['issued_at_out_of_window', 'too old', { now: new Date(now.getTime() + 600_001) }],
    ['issued_at_out_of_window', 'too far ahead', { now: new Date(now.getTime() - 60_001) }],
    ['issued_at_out_of_window', 'from 1970', { message: message.replace('2026-11-21T', '1970-01-01T') }],
    [
      'message_expired',
      'expired this moment',
      { message: message.replace('2026-11-23T12:00:00.000Z', now.toISOString()) },
    ],
    ['message_not_yet_valid', 'not valid before tomorrow', { message: from('2026-11-22T12:00:00Z') }],
  ] as [string, string, Partial<JudgedMessage>][])('%s: %s', (code, _what, change) => {
    expect(refusalOf({ ...bound, ...change })).toBe(code);
  });

  test.each([
    [
      'Solana',
      '11111111111111111111111111111111',
      ['mainnet', 'solana:mainnet', '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ],
    ['Solana Devnet', '11111111111111111111111111111111', ['devnet', 'solana:devnet']],
    ['Bitcoin', 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', ['000000000019d6689c085ae165831e93']],
    ['Tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', ['0x2b6653dc']],
  ])(
    '%s: the text of our own page passes, and so do the names of the chain in the field',
    (name, at, ids) => {
      const chain = chainNamed(name);
      const own = signInText({ ...request, blockchain: chain, address: at });
      const judged = { ...bound, blockchain: chain, address: at };
      expect(refusalOf({ ...judged, message: own })).toBe('accepted');
      for (const id of ids)
        expect(refusalOf({ ...judged, message: own.replace(/Chain ID: .*/, `Chain ID: ${id}`) })).toBe(
          'accepted',
        );
      expect(refusalOf({ ...judged, message: own.replace(/Chain ID: .*/, 'Chain ID: 1') })).toBe(
        'wrong_chain',
      );
    },
  );

  test('the case of a bech32 address does not matter, of a base58 address it does', () => {
    const bech32 = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
    const bitcoin = { ...bound, blockchain: chainNamed('Bitcoin'), address: bech32 };
    const upper = signInText({ ...request, blockchain: bitcoin.blockchain, address: bech32.toUpperCase() });
    expect(refusalOf({ ...bitcoin, message: upper })).toBe('accepted');
    const tron = { ...bound, blockchain: chainNamed('Tron'), address: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb' };
    const lower = signInText({
      ...request,
      blockchain: tron.blockchain,
      address: tron.address.toLowerCase(),
    });
    expect(refusalOf({ ...tron, message: lower })).toBe('wrong_address');
  });
});
