import { EmailDomain } from '../../../domain/entities/email-domain.ts';

test.each([
  ['Example.COM', 'example.com'],
  [' mail.börse.example ', 'mail.xn--brse-5qa.example'],
  ['xn--brse-5qa.example', 'xn--brse-5qa.example'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ['ｅｘａｍｐｌｅ.com', 'example.com'],
  ['gmail.example.com', 'gmail.example.com'],
])('%s is stored as %s', (given, stored) => {
  expect(EmailDomain.parse(given)).toBe(stored);
  expect(EmailDomain.parse(stored)).toBe(stored);
});

test.each([
  'gmail.com',
  'GMail.com',
  'ｇｍａｉｌ.com',
  'yahoo.co.uk',
  'hotmail.fr',
  'gmx.net',
  'proton.me',
  'qq.com',
])('%s is of a free-mail provider', (given) => {
  expect(EmailDomain.safeParse(given).error?.issues[0]?.message).toContain('everybody');
});

test.each([
  '',
  'localhost',
  'desk@example.com',
  '@example.com',
  '*.example.com',
  'https://example.com',
  'example.com/path',
  'example.com:25',
  '.example.com',
  'example..com',
  'example.com.',
  '-example.com',
  'exam ple.com',
  '127.0.0.1',
  '0x7f.1',
  '[::1]',
  'example.123',
  'ex_ample.com',
  '%65xample.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(130)}com`,
])('%j is no domain', (given) => {
  expect(EmailDomain.safeParse(given).success).toBe(false);
});
