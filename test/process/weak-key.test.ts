import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { isWeakKey } from '../../process/weak-key.ts';
import { readSettings } from '../../process/settings.ts';

const hexOf = (bytes: readonly number[]) => Buffer.from(bytes).toString('hex');
const oneOf = (values: ArrayLike<string>): string => values[randomInt(values.length)] ?? '';
const DICE_WORDS =
  'abacus bacon cactus dagger eagle fabric gadget habitat iceberg jackal kayak ladder magnet napkin oasis paddle quarry racoon saddle tablet'.split(
    ' ',
  );
/** Different ones: the list is short. */
const someWords = (count: number): string[] =>
  DICE_WORDS.map((word) => ({ word, place: randomInt(2 ** 32) }))
    .toSorted((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ word }) => word);
const ASCENDING = hexOf(Array.from({ length: 32 }, (_, index) => index));

test.each([
  ['zeros', '0'.repeat(64)],
  ['one byte', '5a'.repeat(32)],
  ['one byte of two letters', 'Ab'.repeat(32)],
  ['ascending bytes', ASCENDING],
  ['descending bytes', hexOf(Array.from({ length: 32 }, (_, index) => 255 - index))],
  ['every third byte', hexOf(Array.from({ length: 32 }, (_, index) => (17 + 3 * index) & 0xff))],
  ['all digits in order', '0123456789abcdef'.repeat(4)],
  ['doubled digits in order', '00112233445566778899aabbccddeeff'.repeat(2)],
  ['digits up and down', '0123456789abcdeffedcba9876543210'.repeat(2)],
  ['a word of hexadecimal digits', 'deadbeef'.repeat(8)],
  ['half a key twice', '3f9a1c7be2d8450696aa17c4e0b35d2f'.repeat(2)],
  ['decimal digits', '3141592653589793238462643383279502884197169399375105820974944592'],
  ['a typed text', Buffer.from('a long sentence of mine, 32 byte').toString('hex')],
  ['a typed text with a new line', Buffer.from('a long sentence of mine, 31 byt\n').toString('hex')],
  ['a short text, filled up', Buffer.from('my waybill key'.padEnd(32, '\0')).toString('hex')],
  ['a text with umlauts', Buffer.from('über öde Äcker zöge kühler Föhn').subarray(0, 32).toString('hex')],
  ['16 bytes, filled up', `3f9a1c7be2d8450696aa17c4e0b35d2f${'ff'.repeat(16)}`],
  ['the hash of nothing', createHash('sha256').digest('hex')],
  ['the hash of a password', createHash('sha256').update('password').digest('hex')],
  ['the hash of a password by a shell', createHash('sha256').update('password\n').digest('hex')],
  ['the hash of its name', createHash('sha256').update('masterkey').digest('hex')],
  ['an example of NIST', '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4'],
  ['the hash of a password in capitals', createHash('sha256').update('Password').digest('hex')],
  [
    'the beginning of a longer hash of a password',
    createHash('sha512').update('password').digest('hex').slice(0, 64),
  ],
  [
    'two hashes of passwords',
    ['password', 'admin'].map((text) => createHash('md5').update(text).digest('hex')).join(''),
  ],
  ['a test chain', 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'],
  ['an example of RFC 8032', '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'],
  ['its second account', '59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'],
  ['another test chain', '4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d'],
  ['the next example of RFC 8032', '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb'],
  ['a test of this product', '3f9a1c7be2d8450696aa17c4e0b35d2f8841f0c9d7e6b2a3514c8d90ef7b6a21'],
  ['few bytes in disorder', hexOf(Array.from({ length: 32 }, (_, index) => (index * index * 7) % 12))],
  ['an example that ends otherwise', `${'00'.repeat(31)}01`],
])('a master key of %s is refused in production, not in a sandbox', (_what, MASTER_KEY) => {
  for (const key of [MASTER_KEY, MASTER_KEY.toUpperCase()]) {
    expect(() => readSettings({ ENVIRONMENT: 'production', MASTER_KEY: key })).toThrow(
      /^MASTER_KEY: a random key is required in production \(openssl rand -hex 32\)$/,
    );
    expect(() => readSettings({ MASTER_KEY: key })).not.toThrow();
  }
});

test.each([
  'a'.repeat(40),
  'passwordpassword',
  'PasswordPassword',
  'passwordpassword1',
  'changeme-changeme',
  'operator-password',
  'operator-key-0123',
  'Password12345678',
  'administrator123',
  'waybill-operator-key',
  'correcthorsebatterystaple',
  '0123456789abcdef',
  'abcdefghijklmnop',
  'zyxwvutsrqponmlk',
  '1234567890123456',
  '1111222233334444',
  'qwertyuiopasdfgh',
  'example-operator-key',
  'waybill-operator-2026',
  'MySecretPassword2024',
  'deadbeefcafebabe',
  '1q2w3e4r5t6y7u8i',
  'a9c7e5g3i1k9m7o5',
  'MySecretPassword2024!',
  'change-this-in-production',
  'REPLACE_ME_PLEASE',
  'CHANGE_ME_CHANGE_ME',
  'your-secret-key-here',
  'your_operator_key_here',
  'pleasechangemenow',
  'mysupersecretkey',
  'thisisasecretkey',
  '1qaz2wsx3edc4rfv',
  'zaq12wsxcde34rfv',
  '<a-random-key-of-64-characters>',
  createHash('md5').update('password').digest('hex'),
  createHash('sha1').update('admin').digest('hex'),
  createHash('sha256').update('password').digest('base64'),
  createHash('sha256').update('admin').digest('base64url'),
  createHash('sha256').update('admin').digest('base64').replace('=', ''),
  createHash('sha384').update('password').digest('hex'),
  Buffer.from('passwordpassword').toString('base64'),
  Buffer.from('password').toString('hex'),
  'your-256-bit-secret',
  ASCENDING,
])('an operator key %s is refused in production, not in a sandbox', (key) => {
  const production = { ENVIRONMENT: 'production' };
  expect(() => readSettings({ ...production, OPERATOR_KEY: key })).toThrow(
    /^OPERATOR_KEY: a random key is required in production \(openssl rand -hex 32\)$/,
  );
  expect(() => readSettings({ ...production, OPERATOR_KEYS: `ada:${key}` })).toThrow(
    /^OPERATOR_KEYS: ada: a random key is required/,
  );
  expect(() => readSettings({ OPERATOR_KEY: key })).not.toThrow();
});

test.each([
  '$(openssl rand -hex 32)',
  '"$(openssl rand -hex 32)"',
  ' $(cat /run/secrets/operator_key)',
  '$(WAYBILL_OPERATOR_KEY)',
  '`openssl rand -hex 32`',
  '`/usr/local/bin/new-key`',
  '${OPERATOR_KEY:?missing}',
  '${OPERATOR_KEY_OF_PRODUCTION}',
  '${OPERATOR_KEY:-}',
  '$WAYBILL_OPERATOR_KEY',
  '{{ operator_key }}',
  '{{ .Values.operatorKey | quote }}',
  '${{ secrets.OPERATOR_KEY }}',
  '%(operator_key)s',
  '#{operator.key.waybill}',
  '<the-key-from-the-vault>',
  '<The Key From The Vault>',
  '[operator-key-of-vault]',
  '@WAYBILL_OPERATOR_KEY@',
  '%WAYBILL_OPERATOR_KEY%',
  'correct-horse-battery-staple',
  'correct horse battery staple',
  'CorrectHorseBatteryStaple!',
  'demo-operator-key-please-change',
  'change this key in production',
  'staging-operator-key',
  'not-a-real-key-123',
  'todo-insert-a-key-here',
  'openssl rand -hex 32',
  'head -c 32 /dev/urandom | base64',
  '<64 random hex digits>',
  'put-your-32-byte-key-here',
  'REPLACE_WITH_64_HEX_CHARS',
  'generate-a-random-string-and-paste-it',
  'lorem ipsum dolor sit amet consectetur',
  '/run/secrets/operator_key',
  'file:///run/secrets/key',
  'vault:secret/data/waybill#key',
  'op://vault/waybill/key',
  'arn:aws:secretsmanager:eu-west-1:123456789012:secret:waybill',
  '@Microsoft.KeyVault(SecretUri=https://x.vault.azure.net/secrets/k)',
  'projects/123/secrets/waybill/versions/latest',
  'ref+vault://secret/waybill#/key',
  // RFC 7515.
  'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
])('what stands for a key, %s, is refused in production, not in a sandbox', (OPERATOR_KEY) => {
  expect(() => readSettings({ ENVIRONMENT: 'production', OPERATOR_KEY })).toThrow(
    /^OPERATOR_KEY: a random key is required in production \(openssl rand -hex 32\)$/,
  );
  expect(() => readSettings({ OPERATOR_KEY })).not.toThrow();
});

test.each([
  'gargle uphill pebble saddle frozen violin',
  '$(rT9!x2Lq0zB7wEk)',
  '{{x',
  '<k3Jq8ZtV1mWd5RyP>',
  '$9QhV7ZK2XNB4TWEJ0',
  'secret:cactus:oasis:paddle:quarry',
  'vault-oasis-paddle-quarry-cactus',
  'openssl oasis paddle quarry cactus',
  '/k3Jq8Zt/V1mWd5R+yP9x/2fQ',
  '64 paddle quarry cactus oasis byte',
])('a key that only begins as such a text does, %s, is none', (text) => {
  expect(isWeakKey(`${text}${text.length < 16 ? 'aX9!pL2#vB7&kQ' : ''}`)).toBe(false);
});

test('an operator key that is a master key too is refused in production', () => {
  const key = randomBytes(32).toString('hex');
  const given = { MASTER_KEY: randomBytes(32).toString('hex'), OPERATOR_KEY: key.toUpperCase() };
  const production = { ...given, ENVIRONMENT: 'production' };
  const FAULT = /^OPERATOR_KEY: in production it must not be a master key/;
  expect(() => readSettings({ ...production, MASTER_KEY: key })).toThrow(FAULT);
  expect(() => readSettings({ ...production, MASTER_KEY_PREVIOUS: key })).toThrow(FAULT);
  expect(() => readSettings(production)).not.toThrow();
  expect(() => readSettings({ ...given, MASTER_KEY: key })).not.toThrow();
});

test.each([
  ['32 bytes', () => randomBytes(32).toString('hex')],
  ['16 bytes', () => randomBytes(16).toString('hex')],
  ['8 bytes, the shortest', () => randomBytes(8).toString('hex')],
  ['base64', () => randomBytes(24).toString('base64')],
  ['base64url of 12 bytes', () => randomBytes(12).toString('base64url')],
  ['UUIDs', () => randomUUID()],
  ['digits', () => Array.from({ length: 40 }, () => randomInt(10)).join('')],
  ['a long text', () => randomBytes(500).toString('hex')],
  [
    'printable characters',
    () => [...randomBytes(16)].map((byte) => String.fromCharCode(33 + (byte % 94))).join(''),
  ],
  [
    'printable characters within the signs of placeholders',
    () =>
      `${oneOf('<[{%@`')}${[...randomBytes(14)].map((byte) => String.fromCharCode(33 + (byte % 94))).join('')}${oneOf('>]}%@`')}`,
  ],
  ['words with dashes', () => someWords(5).join('-')],
  ['words with blanks', () => someWords(6).join(' ')],
  ['base64 of 32 bytes', () => randomBytes(32).toString('base64')],
  ['base64url of 32 bytes', () => randomBytes(32).toString('base64url')],
  ['words with colons', () => ['secret', ...someWords(5)].join(':')],
  ['small letters', () => [...randomBytes(16)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')],
])('no random key is refused: %s', (_what, make) => {
  const refused = Array.from({ length: 3_000 }, make).filter(isWeakKey);
  expect(refused).toEqual([]);
});

test('forty decimal digits that lack three of ten are as random as others', () => {
  expect(isWeakKey('9704064777604327929960240946607696224376')).toBe(false);
});
