import fc from 'fast-check';
import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import {
  looseSignInDomain,
  readSignInText,
} from '../../../../domain/verifications/signatures/read-sign-in-text.ts';
import { signInText } from '../../../../domain/verifications/signatures/sign-in-text.ts';
import { chainNamed } from './refusal-of-proof.ts';

const address = '0x5ce9454909639D2D17A3F753ce7d93fa0b9aB12E';
const request = {
  domain: 'verify.example.org',
  address: address.toLowerCase(),
  blockchain: chainNamed('Ethereum'),
  uri: 'https://verify.example.org/',
  nonce: 'a1B2c3D4e5F6a7B8',
  issuedAt: new Date('2026-11-21T12:00:00.000Z'),
  expiresAt: new Date('2026-11-23T12:00:00.000Z'),
  requestId: '0199e0a0-0000-7000-8000-000000000001',
};
const text = signInText(request);

test('the text of the hosted page, word for word', () => {
  expect(text).toBe(
    [
      'verify.example.org wants you to sign in with your Ethereum account:',
      address,
      '',
      'I confirm that I control this wallet. This does not move funds.',
      '',
      'URI: https://verify.example.org/',
      'Version: 1',
      'Chain ID: 1',
      'Nonce: a1B2c3D4e5F6a7B8',
      'Issued At: 2026-11-21T12:00:00.000Z',
      'Expiration Time: 2026-11-23T12:00:00.000Z',
      'Request ID: 0199e0a0-0000-7000-8000-000000000001',
    ].join('\n'),
  );
});

test('another reader of EIP-4361 reads it whole', () => {
  expect(parseSiweMessage(text)).toEqual({
    scheme: undefined,
    domain: request.domain,
    address,
    statement: 'I confirm that I control this wallet. This does not move funds.',
    uri: request.uri,
    version: '1',
    chainId: 1,
    nonce: request.nonce,
    issuedAt: request.issuedAt,
    expirationTime: request.expiresAt,
    requestId: request.requestId,
  });
});

test('our reader gets back what was written', () => {
  expect(readSignInText(text)).toEqual({
    scheme: null,
    domain: request.domain,
    accountKind: 'Ethereum',
    address,
    uri: request.uri,
    chainId: '1',
    nonce: request.nonce,
    issuedAtMs: request.issuedAt.getTime(),
    expiresAtMs: request.expiresAt.getTime(),
    notBeforeMs: null,
    requestId: request.requestId,
  });
});

test.each([
  ['Polygon', 'Ethereum', '137'],
  ['Solana', 'Solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
  ['Bitcoin', 'Bitcoin', 'bip122:000000000019d6689c085ae165831e93'],
  ['Tron', 'Tron', 'tron:0x2b6653dc'],
])('on %s the text says %s account and Chain ID %s', (name, accountKind, chainId) => {
  const written = signInText({ ...request, blockchain: chainNamed(name) });
  expect(readSignInText(written)).toMatchObject({ accountKind, chainId });
});

test('texts that other makers of EIP-4361 write are read', () => {
  const fields = {
    address: address as `0x${string}`,
    chainId: 10,
    domain: 'app.example.com:8443',
    nonce: 'abcdefgh12',
    uri: 'https://app.example.com:8443/login',
    version: '1',
    issuedAt: new Date('2026-11-21T12:00:00.000Z'),
  } as const;
  const plain = createSiweMessage(fields);
  const rich = createSiweMessage({
    ...fields,
    scheme: 'https',
    statement: 'Hello: there',
    notBefore: new Date('2026-11-21T11:00:00.000Z'),
    requestId: 'x',
    resources: ['https://a.example', 'ipfs://b'],
  });
  expect(readSignInText(plain)).toMatchObject({
    domain: 'app.example.com:8443',
    chainId: '10',
    scheme: null,
  });
  expect(readSignInText(rich)).toMatchObject({ scheme: 'https', requestId: 'x', notBeforeMs: 1795258800000 });
});

test.each([
  ['no statement, one empty line', text.replace(/\n\nI confirm.*\n/, '\n')],
  ['no statement, two empty lines', text.replace(/I confirm.*\n\n/, '\n')],
  ['a Chain ID with its namespace', text.replace('Chain ID: 1', 'Chain ID: eip155:1')],
  ['no space after URI:', text.replace('URI: ', 'URI:')],
  ['a time with a space and no zone', text.replace('2026-11-21T12:00:00.000Z', '2026-11-21 12:00:00')],
  ['a time with an offset', text.replace('2026-11-21T12:00:00.000Z', '2026-11-21T13:00:00+01:00')],
  ['fields in another order', text.replace(/(Version: 1\n)(Chain ID: 1\n)/, '$2$1')],
])('read although it has %s', (_what, changed) => {
  expect(changed).not.toBe(text);
  expect(readSignInText(changed)?.issuedAtMs).toBe(request.issuedAt.getTime());
});

const removed = (label: string) => text.replace(new RegExp(`${label}: .*\n`), '');

test.each([
  ['text before it', `Hello\n${text}`],
  ['a space before it', ` ${text}`],
  ['a line break at its end', `${text}\n`],
  ['text after it', `${text}\nfoo`],
  ['line ends of CRLF', text.replaceAll('\n', '\r\n')],
  ['a carriage return in it', text.replace('Version: 1', 'Version: 1\r')],
  ['a label twice', text.replace('Version: 1', 'Version: 1\nVersion: 1')],
  ['a second Nonce', `${text}\nNonce: a1B2c3D4e5F6a7B8`],
  ['an unknown label', text.replace('Version: 1', 'Version: 1\nColour: red')],
  ['an empty line between fields', text.replace('Version: 1', '\nVersion: 1')],
  ['two statements', text.replace('funds.', 'funds.\nReally.')],
  ['Version 2', text.replace('Version: 1', 'Version: 2')],
  ['no URI', removed('URI')],
  ['no Version', removed('Version')],
  ['no Chain ID', removed('Chain ID')],
  ['no Nonce', removed('Nonce')],
  ['no Issued At', removed('Issued At')],
  ['a short Nonce', text.replace('a1B2c3D4e5F6a7B8', 'a1B2c3D')],
  ['a Nonce with a sign', text.replace('a1B2c3D4e5F6a7B8', 'a1B2c3D4-')],
  ['a day that is none', text.replace('2026-11-21T', '2026-02-30T')],
  ['a time that is none', text.replace('12:00:00.000Z', '25:00:00.000Z')],
  ['a time in words', text.replace('2026-11-21T12:00:00.000Z', 'today')],
  ['a year of six digits', text.replace('2026-11-21T', '+002026-11-21T')],
  ['an expiry that is no time', text.replace('2026-11-23T12:00:00.000Z', 'never')],
  ['no empty line after the address', text.replace(`${address}\n`, address)],
  ['an address of two words', text.replace(address, 'my address')],
  ['a user in the domain', text.replace('verify.example.org wants', 'verify.example.org@evil.example wants')],
  ['a path in the domain', text.replace('verify.example.org wants', 'verify.example.org/x wants')],
  ['a domain of other letters', text.replace('verify.example.org wants', 'vеrify.example.org wants')],
  ['a resource without its dash', `${text}\nResources:\nhttps://a.example`],
])('not read when it has %s', (_what, changed) => {
  expect(changed).not.toBe(text);
  expect(readSignInText(changed)).toBeUndefined();
});

test('the domain of a sloppy text is seen all the same', () => {
  expect(looseSignInDomain(text)).toBe('verify.example.org');
  expect(
    looseSignInDomain(`Welcome\n\nhttps://Evil.example wants you to sign in with your Solana account:\nx`),
  ).toBe('evil.example');
  expect(looseSignInDomain('I own this wallet.')).toBeUndefined();
});

test('any text is read or not read, and never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (any) => {
      readSignInText(any);
      looseSignInDomain(any);
    }),
    { numRuns: 300 },
  );
});

test.each(['\n', ' ', '\t', 'a', 'a.', 'a wants you to ', 'x\n', 'https://', 'URI:\n', '- x\n', ' \n'])(
  '10 kB of %j cost next to no time',
  (part) => {
    const long = part.repeat(10_240 / part.length);
    // Time of the processor: that of the clock depends on what else runs here.
    const before = process.cpuUsage();
    readSignInText(long);
    looseSignInDomain(long);
    expect(process.cpuUsage(before).user).toBeLessThan(300_000);
  },
);
