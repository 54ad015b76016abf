import { checkWebhookUrl, hostOf } from '../../../domain/webhooks/endpoint-url.ts';

const sandbox = { environment: 'sandbox', allowedHosts: [] } as const;
const production = { environment: 'production', allowedHosts: [] } as const;

function codeOf(url: string, rules: Parameters<typeof checkWebhookUrl>[1] = sandbox): string {
  const check = checkWebhookUrl(url, rules);
  return check.ok ? 'ok' : check.code;
}

describe('what a webhook address may look like', () => {
  test.each([
    ['https://hooks.example.com/travel-rule?tenant=1', 'ok'],
    ['http://hooks.example.com:8080/', 'ok'],
    ['https://8.8.8.8/hook', 'ok'],
    ['https://[2606:4700::1111]/hook', 'ok'],
    ['https://localhost.example.com/', 'ok'],
    ['https://internal.example.com/', 'ok'],
    ['', 'invalid_url'],
    ['hooks.example.com/path', 'invalid_url'],
    ['https://', 'invalid_url'],
    ['https://256.0.0.1/', 'invalid_url'],
    ['https://exam\tple.com/', 'invalid_url'],
    [' https://example.com/', 'invalid_url'],
    ['https://example.com/a b', 'invalid_url'],
    ['ftp://example.com/', 'scheme_not_allowed'],
    ['file:///etc/passwd', 'scheme_not_allowed'],
    ['javascript:alert(1)', 'scheme_not_allowed'],
    ['https://user:secret@example.com/', 'credentials_not_allowed'],
    ['https://user@example.com/', 'credentials_not_allowed'],
    ['https://example.com/#part', 'fragment_not_allowed'],
    ['https://example.com/#', 'fragment_not_allowed'],
  ])('%j is %s', (url, expected) => {
    expect(codeOf(url)).toBe(expected);
  });

  test('2,000 characters are allowed, one more is not', () => {
    const base = 'https://example.com/';
    expect(codeOf(base.padEnd(2_000, 'a'))).toBe('ok');
    expect(codeOf(base.padEnd(2_001, 'a'))).toBe('too_long');
  });

  test('production calls https only, even at an allowed host', () => {
    expect(codeOf('https://example.com/', production)).toBe('ok');
    expect(codeOf('http://example.com/', production)).toBe('https_required');
    expect(codeOf('http://127.0.0.1/', { ...production, allowedHosts: ['127.0.0.1'] })).toBe(
      'https_required',
    );
  });

  test('an accepted address comes back parsed, and a refusal never repeats the address', () => {
    const accepted = checkWebhookUrl('https://EXAMPLE.com/a', sandbox);
    expect(accepted.ok && accepted.url.href).toBe('https://example.com/a');
    const refused = checkWebhookUrl('https://anna:geheim@example.com/', sandbox);
    expect(!refused.ok && refused.message).not.toMatch(/anna|geheim|example/);
  });
});

describe('hosts that are not on the public internet are refused, however they are written', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.0.0.1./',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://１２７.０.０.１/',
    'http://127。0。0。1/',
    'http://0.0.0.0/',
    'http://0/',
    'http://10.1.2.3/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://169.254.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://192.0.0.192/',
    'http://168.63.129.16/',
    'http://224.0.0.1/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://198.18.0.1/',
    'http://203.0.113.7/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:0:7f00:1]/',
    'http://[64:ff9b::127.0.0.1]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[5f00::1]/',
    'http://[100::1]/',
    'http://[400::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://localhost/',
    'http://LOCALHOST:3000/',
    'http://localhost./',
    'http://ｌocalhost/',
    'http://api.localhost/',
    'http://printer.local/',
    'http://metadata.google.internal/',
  ])('%s', (url) => {
    expect(codeOf(url)).toBe('address_not_allowed');
  });
});

describe('allowed hosts', () => {
  test.each([
    ['127.0.0.1', 'http://127.0.0.1:4000/', 'ok'],
    ['127.0.0.1', 'http://2130706433/', 'ok'],
    ['127.0.0.1', 'http://[::ffff:127.0.0.1]/', 'ok'],
    ['127.0.0.1', 'http://127.0.0.2/', 'address_not_allowed'],
    ['127.0.0.1', 'http://localhost/', 'address_not_allowed'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4000/', 'ok'],
    ['127.0.0.1:4000', 'http://127.0.0.1:4001/', 'address_not_allowed'],
    ['127.0.0.1:4000', 'http://127.0.0.1/', 'address_not_allowed'],
    ['localhost:80', 'http://localhost/', 'ok'],
    ['localhost:443', 'https://localhost/', 'ok'],
    ['localhost:443', 'http://localhost/', 'address_not_allowed'],
    ['LocalHost', 'http://localhost./', 'ok'],
    ['localhost', 'http://evil.localhost/', 'address_not_allowed'],
    ['::1', 'http://[::1]:4000/', 'ok'],
    ['[::1]', 'http://[::1]:4000/', 'ok'],
    ['[::1]:4000', 'http://[::1]:4000/', 'ok'],
    ['[::1]:4000', 'http://[::1]:4001/', 'address_not_allowed'],
    ['receiver.internal', 'http://receiver.internal:9000/', 'ok'],
    ['', 'http://127.0.0.1/', 'address_not_allowed'],
    ['not a host', 'http://127.0.0.1/', 'address_not_allowed'],
  ])('with %j, %s is %s', (allowed, url, expected) => {
    expect(codeOf(url, { environment: 'sandbox', allowedHosts: [allowed] })).toBe(expected);
  });
});

test.each([
  ['https://hooks.example/in?v=1', 'hooks.example:443'],
  ['http://hooks.example', 'hooks.example:80'],
  ['https://HOOKS.example.:8443/', 'hooks.example:8443'],
  ['http://[2001:DB8:0::1]:443/', '2001:db8::1:443'],
  ['not a URL', null],
  [null, null],
])('the host of %j is %j, its port spelt out', (url, host) => {
  expect(hostOf(url)).toBe(host);
});
