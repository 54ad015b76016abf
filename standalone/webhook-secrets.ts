import { verifyWebhook } from '../domain/webhooks/signature.ts';
import type { RunningProduct } from './running-product.ts';
import { readTenant } from './demo-data.ts';
import type { ArrivedWebhook } from './webhook-server.ts';

/** A secret and whose it is. */
export interface WebhookSecret {
  owner: string;
  secret: string;
}

/** Recommended by docs/webhooks.md. */
const TOLERANCE_MS = 5 * 60_000;

/** Finds the owner of the secret that signs a webhook; undefined when no known one does. */
export type FindSigner = (webhook: ArrivedWebhook) => Promise<string | undefined>;

/** Knows the secrets that `read` gives. Reads them again where none fits, since a changed webhookUrl has a new one. */
export function signerFinder(read: () => Promise<readonly WebhookSecret[]>): FindSigner {
  let known: readonly WebhookSecret[] = [];
  const signerOf = ({ header, raw }: ArrivedWebhook) =>
    known.find(({ secret }) =>
      verifyWebhook(secret, header('service-signature'), raw, {
        nowMs: Date.now(),
        toleranceMs: TOLERANCE_MS,
      }),
    )?.owner;
  return async (webhook) => {
    const owner = signerOf(webhook);
    if (owner !== undefined) return owner;
    known = await read();
    return signerOf(webhook);
  };
}

/** The present secrets of the tenants of a running `npm start`. */
export async function readSecrets({ apiUrl, tenants }: RunningProduct): Promise<WebhookSecret[]> {
  return await Promise.all(
    tenants.map(async ({ name, apiKey }) => ({
      owner: name,
      secret: (await readTenant(apiUrl, apiKey)).webhookSecret,
    })),
  );
}
