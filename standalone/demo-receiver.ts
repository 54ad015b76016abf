import { verifyWebhook, WebhookRefused, type Transaction, type WebhookEvent } from '@waybill/client';
import { startWebhookServer } from './webhook-server.ts';

/** A received webhook about a transaction. */
type TransactionWebhook = Extract<WebhookEvent, { type: 'transaction' }>;
/** A received webhook about a claim. */
type ClaimWebhook = Extract<WebhookEvent, { type: 'claim' }>;

export interface DemoReceiver {
  url: string;
  /** Resolves with the first webhook whose transaction fits, received already or later. Rejects after 30 s. */
  waitFor(fits: (transaction: Transaction) => boolean): Promise<TransactionWebhook>;
  /** The same for claims. */
  waitForClaim(fits: (claim: ClaimWebhook['body']) => boolean): Promise<ClaimWebhook>;
  /** Sets the secret for all further webhooks. */
  useSecret(secret: string): void;
  close(): void;
}

const WAIT_LIMIT_MS = 30_000;
const WEBHOOK_HEADERS = [
  'service-signature',
  'service-signature-previous',
  'x-event-type',
  'x-event-id',
  'x-delivery-attempt',
  'x-resource-version',
];

/** A webhook receiver as an integrator would write it: verify, store, answer 200, tolerate repeats. */
export async function startReceiver(path: string): Promise<DemoReceiver> {
  let secret = '';
  const received: TransactionWebhook[] = [];
  const claims: ClaimWebhook[] = [];
  const waiting = new Set<() => void>();
  const server = await startWebhookServer(0, ({ header, raw }) => {
    const headers = Object.fromEntries(WEBHOOK_HEADERS.map((name) => [name, header(name)]));
    const webhook = verified(() => verifyWebhook(headers, raw, secret));
    if (!webhook) return 401;
    if (webhook.type === 'transaction') received.push(webhook);
    if (webhook.type === 'claim') claims.push(webhook);
    for (const checkReceived of waiting) checkReceived();
    return 200;
  });
  const waitUntil = async <T>(find: () => T | undefined): Promise<T> =>
    await new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(checkReceived);
        reject(new Error(`No matching webhook arrived at ${path} within ${WAIT_LIMIT_MS / 1000} s.`));
      }, WAIT_LIMIT_MS);
      const checkReceived = () => {
        const webhook = find();
        if (webhook === undefined) return;
        clearTimeout(timer);
        waiting.delete(checkReceived);
        resolve(webhook);
      };
      waiting.add(checkReceived);
      checkReceived();
    });
  return {
    url: `http://127.0.0.1:${server.port}${path}`,
    useSecret(next) {
      secret = next;
    },
    waitFor: async (fits) => await waitUntil(() => received.find(({ body }) => fits(body))),
    waitForClaim: async (fits) => await waitUntil(() => claims.find(({ body }) => fits(body))),
    close: () => server.close(),
  };
}

/** Undefined for a webhook that is not genuine. */
function verified(verify: () => WebhookEvent): WebhookEvent | undefined {
  try {
    return verify();
  } catch (error) {
    if (error instanceof WebhookRefused) return undefined;
    throw error;
  }
}
