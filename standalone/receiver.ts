import { readRunning } from './running-product.ts';
import { webhookLines } from './webhook-lines.ts';
import { readSecrets, signerFinder, type WebhookSecret } from './webhook-secrets.ts';
import { startWebhookServer, type ArrivedWebhook } from './webhook-server.ts';

/** `npm run receiver`: prints every webhook that arrives on this machine, and whether its signature is right. */

export const USUAL_PORT = 4000;

async function main(): Promise<void> {
  const given = process.env['WEBHOOK_SECRET'];
  const findSigner = signerFinder(given ? async () => secretGiven(given) : async () => await knownSecrets());
  if (!given) readRunning();
  const handle = async (webhook: ArrivedWebhook) => {
    const signer = await findSigner(webhook);
    console.log(`\n${webhookLines(webhook, signer, new Date()).join('\n')}`);
    return signer === undefined ? 401 : 204;
  };
  const { port } = await startWebhookServer(Number(process.env['RECEIVER_PORT'] ?? USUAL_PORT), handle);
  console.log(
    `Waiting for webhooks at http://127.0.0.1:${port}/ and below; any path will do. Ctrl-C ends it.`,
  );
}

function secretGiven(secret: string): WebhookSecret[] {
  return [{ owner: 'WEBHOOK_SECRET', secret }];
}

/** Read from the running system each time: a start after this one may have other tenants. */
async function knownSecrets(): Promise<WebhookSecret[]> {
  return await readSecrets(readRunning());
}

function explained(error: unknown): string {
  if (!(error instanceof Error)) return 'The receiver could not be started';
  if ('code' in error && error.code === 'EADDRINUSE')
    return 'The port is taken: choose another one, as in RECEIVER_PORT=4001 npm run receiver';
  return error.message;
}

try {
  await main();
} catch (error) {
  console.error(explained(error));
  process.exitCode = 1;
}
