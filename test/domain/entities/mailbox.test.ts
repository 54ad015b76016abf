import { mailboxOf, mailboxTrust } from '../../../domain/entities/mailbox.ts';

describe('the standing of a mailbox', () => {
  test.each([
    ['ops@straits.example', [], 'FITS'],
    ['ops@straits.example', ['straits.example'], 'FITS'],
    ['ops@EU.Straits.example', ['other.example', 'straits.example'], 'FITS'],
    ['ops@evilstraits.example', ['straits.example'], 'FOREIGN'],
    ['ops@straits.example.evil.example', ['straits.example'], 'FOREIGN'],
    ['straits.example@evil.example', ['straits.example'], 'FOREIGN'],
    ['ops@gmail.com', [], 'FREE_MAIL'],
    ['ops@yahoo.co.uk', ['yahoo.co.uk'], 'FREE_MAIL'],
    ['ops@127.0.0.1', [], 'FREE_MAIL'],
  ] as const)('%s of %j is %s', (address, domains, standing) => {
    expect(mailboxTrust(address, domains)).toBe(standing);
  });
});

test.each([
  'a@b.example,c@d.example',
  'a@b.example\r\nBcc: x@y.example',
  'Name <a@b.example>',
  'é@b.example',
  '',
  null,
])('%j is not one mailbox', (given) => {
  expect(mailboxOf(given)).toBeNull();
});

test('a mailbox is compared in lower case', () => {
  expect(mailboxOf(' Ops@Straits.EXAMPLE ')).toBe('ops@straits.example');
});
