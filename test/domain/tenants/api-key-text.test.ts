import { randomBytes } from 'node:crypto';
import { apiKeyKind, apiKeyText } from '../../../domain/tenants/api-key-text.ts';

test('a key is its environment, 256 bits of secret and a checksum, in letters and digits', () => {
  expect(apiKeyText('sandbox', randomBytes(64))).toMatch(/^wb_sandbox_[0-9A-Za-z]{49}$/);
  expect(apiKeyText('production', randomBytes(64))).toMatch(/^wb_live_[0-9A-Za-z]{49}$/);
  expect(apiKeyText('sandbox', randomBytes(64))).not.toBe(apiKeyText('sandbox', randomBytes(64)));
});

test.each(['sandbox', 'production'] as const)(
  'a key of %s is valid there and of the wrong environment elsewhere',
  (environment) => {
    const other = environment === 'sandbox' ? 'production' : 'sandbox';
    const text = apiKeyText(environment, randomBytes(64));
    expect(apiKeyKind(environment, text)).toBe('VALID');
    expect(apiKeyKind(other, text)).toBe('WRONG_ENVIRONMENT');
  },
);

test('a single letter changed anywhere makes a key malformed', () => {
  const text = apiKeyText('sandbox', Buffer.alloc(64, 7));
  for (let index = 0; index < text.length; index += 1) {
    const letter = text[index] === 'a' ? 'b' : 'a';
    expect(apiKeyKind('sandbox', text.slice(0, index) + letter + text.slice(index + 1))).toBe('MALFORMED');
  }
});

test('another prefix does not turn a sandbox key into a live one', () => {
  const text = apiKeyText('sandbox', randomBytes(64));
  expect(apiKeyKind('production', text.replace('wb_sandbox_', 'wb_live_'))).toBe('MALFORMED');
});

test.each([
  '',
  'wb_sandbox_',
  'key',
  ` ${apiKeyText('sandbox', randomBytes(64))}`,
  `${apiKeyText('sandbox', randomBytes(64))}\n`,
])('%j is malformed', (text) => {
  expect(apiKeyKind('sandbox', text)).toBe('MALFORMED');
});
