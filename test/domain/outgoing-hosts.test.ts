import { isInsideHost, isPublicAddress, mayDial, mayRequest } from '../../domain/outgoing-hosts.ts';

describe('isPublicAddress', () => {
  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2001:4860:4860::8888', '::ffff:8.8.8.8'])('%s is', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  test.each(['', 'example.com', '134744072', '8.8.2056', '8.8.8.8/32', '::ffff:10.0.0.1', '::808:808'])(
    '%j is not',
    (ip) => {
      expect(isPublicAddress(ip)).toBe(false);
    },
  );
});

describe('mayDial', () => {
  const url = new URL('https://hooks.example.com:8443/');

  test.each([
    ['8.8.8.8', [], true],
    ['10.0.0.5', [], false],
    ['10.0.0.5', ['hooks.example.com'], true],
    ['10.0.0.5', ['hooks.example.com:8443'], true],
    ['10.0.0.5', ['hooks.example.com:443'], false],
    ['10.0.0.5', ['10.0.0.5'], true],
    ['::ffff:10.0.0.5', ['10.0.0.5:8443'], true],
    ['10.0.0.5', ['10.0.0.5:443'], false],
    ['10.0.0.6', ['10.0.0.5'], false],
  ])('%s with %j allowed: %s', (address, allowed, expected) => {
    expect(mayDial(address, url, allowed)).toBe(expected);
  });
});

describe('mayRequest', () => {
  test.each([
    ['https://hooks.example.com/', [], true],
    ['https://[2606:4700::1111]/', [], true],
    ['https://[::1]/', [], false],
    ['https://[::1]/', ['::1'], true],
    ['https://[::1]:4000/', ['[::1]:443'], false],
    ['https://db.internal/', [], false],
    ['https://db.internal/', ['db.internal'], true],
  ])('%s with %j allowed: %s', (url, allowed, expected) => {
    expect(mayRequest(new URL(url), allowed)).toBe(expected);
  });
});

describe('isInsideHost', () => {
  test.each([
    '10.0.0.5',
    '127.0.0.1',
    '100.64.0.1',
    '169.254.1.1',
    '[::1]',
    '[fd00::1]',
    '[::ffff:10.0.0.5]',
    'mirror',
    'mirror.internal',
  ])('%s is', (host) => {
    expect(isInsideHost(new URL(`http://${host}/`))).toBe(true);
  });

  test.each([
    '8.8.8.8',
    '168.63.129.16',
    '[64:ff9b::808:808]',
    '[2002:808:808::1]',
    '[::8.8.8.8]',
    '[2606:4700::1111]',
    'example.com',
  ])('%s is not', (host) => {
    expect(isInsideHost(new URL(`http://${host}/`))).toBe(false);
  });
});
