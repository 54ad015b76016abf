import { verifyWebhook } from '../domain/webhooks/signature.ts';
import { startWebhookServer } from './webhook-server.ts';

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
  const server = await startWebhookServer(0, ({ header, raw }) => {
    const isGenuine = verifyWebhook(secret, header('service-signature'), raw, {
      nowMs: Date.now(),
      toleranceMs: TOLERANCE_MS,
    });
    if (!isGenuine) return 401;
    received.push({
      eventId: header('x-event-id'),
      eventType: header('x-event-type'),
      body: JSON.parse(raw.toString()) as ReceivedWebhook['body'],
    });
    for (const checkReceived of waiting) checkReceived();
    return 200;
  });
  return {
    url: `http://127.0.0.1:${server.port}${path}`,
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
    close: () => server.close(),
  };
}
