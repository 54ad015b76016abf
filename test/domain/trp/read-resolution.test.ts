import { readResolution } from '../../../domain/trp/read-resolution.ts';

const rules = { environment: 'production', allowedHosts: [] } as const;
const read = (text: string) => readResolution(text, rules);

test('an answer in the response is read as tolerantly as one by callback', () => {
  expect(read('{"version":"3.2.1","more":{"of":"another"},"rejected":""}')).toMatchObject({
    version: '3.2.1',
  });
  expect(read('{"approved":{"address":"0x52","callback":"https://alpine.example/c","note":""}}')).toEqual({
    approved: { address: '0x52', callback: 'https://alpine.example/c' },
  });
});

test.each<[string, string]>([
  ['a NUL, which could not be stored', '{"approved":{"address":"0x52\\u0000"}}'],
  ['half a character', '{"rejected":"\\ud800"}'],
  ['a member twice, of which parsers keep either', '{"rejected":"no","rejected":"yes"}'],
  ['another answer of the same name', '{"approved":{"address":"0x1","address":"0x2"}}'],
  ['a number beyond all numbers', '{"version":"3","other":1e999}'],
  ['more levels than are taken', `{"version":"3","other":${'['.repeat(40)}${']'.repeat(40)}}`],
  ['a callback to a private address', '{"approved":{"address":"0x52","callback":"https://10.0.0.8/x"}}'],
  ['a callback without TLS', '{"approved":{"address":"0x52","callback":"http://alpine.example/x"}}'],
  ['nothing but an empty text', '{"rejected":""}'],
  ['no JSON', '<html>'],
])('%s is no answer', (_what, text) => {
  expect(read(text)).toBeUndefined();
});
