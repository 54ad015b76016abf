import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyWebhook, WebhookRefused } from '@waybill/client';
import examples from '../../api/webhooks/example-bodies.json' with { type: 'json' };
import { signWebhook } from '../../domain/webhooks/signature.ts';
import { projectRoot } from '../../standalone/project-root.ts';

/** A webhook of the product as it arrived. */
const recorded = JSON.parse(
  readFileSync(join(projectRoot, 'docs/verify-webhook/recorded-request.json'), 'utf8'),
) as { secret: string; headers: Record<string, string>; body: string };
const { secret, headers, body } = recorded;
const sentMs = Number(/t=(\d+)/.exec(headers['service-signature'] ?? '')?.[1]);
const at = (ms: number) => ({ now: new Date(sentMs + ms) });
const raw = Buffer.from(body);

/** A webhook signed now; `change` is made after that. */
function signed(type: string, content: unknown, change: Record<string, string> = {}) {
  const text = Buffer.from(JSON.stringify(content));
  const given = {
    'service-signature': signWebhook('whsec_new', Date.now(), text),
    'x-event-type': type,
    'x-event-id': 'e-1',
    'x-delivery-attempt': '2',
    'x-resource-version': '7',
    ...change,
  };
  return { given, text };
}

test('a recorded webhook is genuine, as bytes and as text, with headers of Node and of fetch', () => {
  const event = verifyWebhook(headers, raw, secret, at(1_000));
  expect(event).toMatchObject({ type: headers['x-event-type'], eventId: headers['x-event-id'] });
  expect(event.body).toEqual(JSON.parse(body));
  expect(verifyWebhook(new Headers(headers), body, secret, at(1_000))).toEqual(event);
  const capitals = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  expect(verifyWebhook(capitals, raw, secret, at(1_000))).toEqual(event);
});

test.each<[string, () => unknown]>([
  ['a changed byte', () => verifyWebhook(headers, `${body} `, secret, at(0))],
  ['another secret', () => verifyWebhook(headers, raw, `${secret}x`, at(0))],
  ['six minutes later', () => verifyWebhook(headers, raw, secret, at(360_000))],
  ['six minutes before', () => verifyWebhook(headers, raw, secret, at(-360_000))],
  ['a smaller tolerance', () => verifyWebhook(headers, raw, secret, { ...at(2_000), toleranceSeconds: 1 })],
  ['no signature', () => verifyWebhook({}, raw, secret, at(0))],
  [
    'two signatures',
    () =>
      verifyWebhook({ ...headers, 'Service-Signature': headers['service-signature'] }, raw, secret, at(0)),
  ],
  ['a body that is not JSON', () => verifyWebhook(signed('test', 'x').given, 'x', 'whsec_new')],
])('refused: %s', (_what, verify) => {
  expect(verify).toThrow(WebhookRefused);
});

test('a signed body that is not JSON is refused, too', () => {
  const text = Buffer.from('not JSON');
  const given = { 'service-signature': signWebhook(secret, Date.now(), text) };
  expect(() => verifyWebhook(given, text, secret)).toThrow('not JSON');
});

test('without a secret nothing is checked: that is a fault of the receiver', () => {
  expect(() => verifyWebhook(headers, raw, '', at(0))).toThrow(TypeError);
  expect(() => verifyWebhook(headers, raw, [], at(0))).toThrow(TypeError);
});

test('while the secret changes, the old and the new one are right', () => {
  const text = Buffer.from(JSON.stringify(examples.transaction));
  const both = {
    'service-signature': signWebhook('whsec_new', Date.now(), text),
    'service-signature-previous': signWebhook('whsec_old', Date.now(), text),
    'x-event-type': 'transaction',
  };
  for (const known of ['whsec_new', 'whsec_old', ['whsec_other', 'whsec_old']])
    expect(verifyWebhook(both, text, known).type).toBe('transaction');
  expect(() => verifyWebhook(both, text, ['whsec_other', ''])).toThrow(WebhookRefused);
});

test.each(Object.entries(examples))('a webhook of type %s', (type, example) => {
  const { given, text } = signed(type, example);
  const version = 'version' in example ? example.version : 7;
  expect(verifyWebhook(given, text, 'whsec_new')).toEqual({
    type,
    eventId: 'e-1',
    attempt: 2,
    version,
    body: example,
  });
});

test('a type that this version does not know is passed on as such', () => {
  const { given, text } = signed('later-kind', { anything: 1 });
  expect(verifyWebhook(given, text, 'whsec_new')).toMatchObject({ type: 'UNKNOWN', body: { anything: 1 } });
});

test('the type is not signed: a body of another type is refused', () => {
  for (const [type, example] of Object.entries(examples)) {
    for (const other of Object.keys(examples).filter((name) => name !== type)) {
      const { given, text } = signed(other, example);
      expect(() => verifyWebhook(given, text, 'whsec_new')).toThrow(`The body is not one of "${other}".`);
    }
  }
  const { given, text } = signed('toString', examples.test);
  expect(verifyWebhook(given, text, 'whsec_new').type).toBe('UNKNOWN');
});
