import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { signWebhook } from '../../domain/webhooks/signature.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import { temporalPage } from '../../standalone/temporal-page.ts';
import { webhookLines } from '../../standalone/webhook-lines.ts';
import { signerFinder } from '../../standalone/webhook-secrets.ts';
import { startWebhookServer, type ArrivedWebhook } from '../../standalone/webhook-server.ts';

const recorded = JSON.parse(
  readFileSync(join(projectRoot, 'docs', 'verify-webhook', 'recorded-request.json'), 'utf8'),
) as { headers: Record<string, string>; body: string };
const { id } = JSON.parse(recorded.body) as { id: string };
const NOW = new Date('2026-11-22T17:25:20.000Z');

function webhook({ headers = {}, body = recorded.body, path = '/harbour' } = {}): ArrivedWebhook {
  const all: Record<string, string> = { ...recorded.headers, ...headers };
  return { path, header: (name) => all[name] ?? '', raw: Buffer.from(body) };
}

const signedBy = (secret: string, atMs = Date.now()) =>
  webhook({ headers: { 'service-signature': signWebhook(secret, atMs, Buffer.from(recorded.body)) } });

describe('the lines of a webhook', () => {
  test('say what arrived for whom, its record, and what to do next', () => {
    expect(webhookLines(webhook(), 'Harbour Custody', NOW)).toEqual([
      '17:25:20  POST /harbour  transaction',
      `  event ${recorded.headers['x-event-id']}, version ${recorded.headers['x-resource-version']}, attempt 1`,
      '  signature right: the secret of Harbour Custody',
      '  INCOMING DELIVERED/ON_HOLD 1.5 ETH',
      `  id ${id}`,
      '  clearance WAIT (DELIVERED, ON_HOLD)',
      '  next action REVIEW',
    ]);
  });

  test('say nothing of a body that nobody has signed', () => {
    const text = webhookLines(webhook({ body: 'no JSON' }), undefined, NOW).join('\n');
    expect(text).toContain('signature WRONG');
    expect(text).not.toContain('JSON');
  });

  test('hold nothing that a terminal obeys', () => {
    const evil = { path: '/\u001b[2J', body: JSON.stringify({ id: '\u009b1m', message: 'a\u202eb\u0007' }) };
    const text = webhookLines(webhook(evil), 'Harbour', NOW).join('');
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

describe('the owner of the secret that signs a webhook', () => {
  test('is found, and a changed secret is read again', async () => {
    let secret = 'whsec_first';
    let reads = 0;
    const find = signerFinder(async () => {
      reads += 1;
      return await Promise.resolve([{ owner: 'Harbour', secret }]);
    });
    expect(await find(signedBy('whsec_first'))).toBe('Harbour');
    expect(await find(signedBy('whsec_first'))).toBe('Harbour');
    expect(reads).toBe(1);
    secret = 'whsec_second';
    expect(await find(signedBy('whsec_second'))).toBe('Harbour');
    expect([await find(signedBy('whsec_first')), reads]).toEqual([undefined, 3]);
  });

  test('is nobody for a webhook that is replayed after five minutes', async () => {
    const find = signerFinder(async () => await Promise.resolve([{ owner: 'Harbour', secret: 'whsec_a' }]));
    expect(await find(signedBy('whsec_a', Date.now() - 301_000))).toBeUndefined();
  });
});

describe('the server', () => {
  const post = async (port: number, body: string, method = 'POST') =>
    await new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method }, (answer) =>
        resolve(answer.resume().statusCode),
      );
      sent.once('error', reject).end(body);
    });

  test('hands over the raw bytes and answers as it is told; 500 where that fails, so that another attempt follows', async () => {
    const got: string[] = [];
    const server = await startWebhookServer(0, ({ raw }) => {
      got.push(raw.toString());
      if (raw.length === 0) throw new Error('nothing came');
      return 204;
    });
    try {
      expect([await post(server.port, '{ "a":1}'), await post(server.port, '')]).toEqual([204, 500]);
      expect([await post(server.port, 'x'.repeat(1_000_001)), got]).toEqual([413, ['{ "a":1}', '']]);
      expect(await post(server.port, '', 'GET')).toBe(405);
    } finally {
      server.close();
    }
  });

  test('a taken port is refused', async () => {
    const first = await startWebhookServer(0, () => 204);
    try {
      await expect(startWebhookServer(first.port, () => 204)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    } finally {
      first.close();
    }
  });
});

test('what npm start prints leads into the namespace', () => {
  const ui = 'http://127.0.0.1:8233';
  const page = `${ui}/namespaces/waybill/workflows`;
  expect(temporalPage({ temporalUiUrl: `${ui}/`, temporalNamespace: 'waybill' })).toBe(page);
  expect(temporalPage({ temporalUiUrl: undefined, temporalNamespace: 'waybill' })).toBeUndefined();
});
