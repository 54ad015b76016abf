import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook } from '../domain/webhooks/signature.ts';

/** A received webhook whose signature was verified over the raw bytes. */
interface ReceivedWebhook {
  eventId: string;
  eventType: string;
  body: { id: string; status: string; direction: string; [field: string]: unknown };
}

export interface DemoReceiver {
  url: string;
  /** Resolves with the first verified webhook that fits, received already or later. Rejects after 30 s. */
  waitFor(fits: (webhook: ReceivedWebhook) => boolean): Promise<ReceivedWebhook>;
  /** Sets the secret for all further webhooks. */
  useSecret(secret: string): void;
  close(): void;
}

const TOLERANCE_MS = 5 * 60_000;
const WAIT_LIMIT_MS = 30_000;

/** A webhook receiver as an integrator would write it: verify first, then parse, answer 200, tolerate repeats. */
export async function startReceiver(path: string): Promise<DemoReceiver> {
  let secret = '';
  const received: ReceivedWebhook[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const header = String(request.headers['service-signature']);
      if (!verifyWebhook(secret, header, raw, { nowMs: Date.now(), toleranceMs: TOLERANCE_MS })) {
        response.writeHead(401).end();
        return;
      }
      response.writeHead(200).end();
      received.push({
        eventId: String(request.headers['x-event-id']),
        eventType: String(request.headers['x-event-type']),
        body: JSON.parse(raw.toString()) as ReceivedWebhook['body'],
      });
      for (const checkReceived of waiting) checkReceived();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    useSecret(next) {
      secret = next;
    },
    waitFor: async (fits) =>
      await new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(checkReceived);
          reject(new Error(`No matching webhook arrived at ${path} within ${WAIT_LIMIT_MS / 1000} s.`));
        }, WAIT_LIMIT_MS);
        const checkReceived = () => {
          const webhook = received.find(fits);
          if (!webhook) return;
          clearTimeout(timer);
          waiting.delete(checkReceived);
          resolve(webhook);
        };
        waiting.add(checkReceived);
        checkReceived();
      }),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
