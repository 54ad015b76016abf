import { createServer, type IncomingMessage } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { ConflictProblem, verifyWebhook, Waybill, WebhookRefused, type Transaction } from '@waybill/client';

/**
 * Withdrawals: each is announced to Waybill, paid once it is cleared, and completed with its hash. Every step may be
 * repeated, after a crash too: send the same withdrawal again. `WALLET_URL` pays each order once and answers `{hash}`.
 */
const {
  WAYBILL_URL = '',
  WAYBILL_KEY = '',
  WEBHOOK_SECRET = '',
  WALLET_URL = '',
  PORT = '5001',
} = process.env;
const waybill = new Waybill({ baseUrl: WAYBILL_URL, apiKey: WAYBILL_KEY });
const LONGEST_WAIT_MS = 14 * 24 * 3_600_000;

type Withdrawal = Record<'id' | 'asset' | 'amount' | 'blockchain' | 'address' | 'customer' | 'payee', string>;

/** Returns the id of the transaction: of a withdrawal that was announced before, the same one. */
async function announce({
  id,
  asset,
  amount,
  blockchain,
  address,
  customer,
  payee,
}: Withdrawal): Promise<string> {
  const blockchainInfo = { blockchain, destination: address, destinationType: 'CUSTODIAL' } as const;
  const parties = { originator: { name: customer }, beneficiary: { name: payee } };
  try {
    const body = { reference: id, asset, amount, blockchainInfo, ...parties };
    return (await waybill.transactions.create(body, { idempotencyKey: `withdrawal-${id}` })).id;
  } catch (error) {
    if (error instanceof ConflictProblem && error.existingId) return error.existingId;
    throw error;
  }
}

/** Pays what the transaction says: a repeated withdrawal may name another amount. */
async function payWhenCleared(id: string): Promise<void> {
  const onWait = ({ clearance }: Transaction) =>
    console.log(`Transaction ${id} needs ${clearance.nextAction}`);
  const cleared = await waybill.transactions.waitUntilCleared(id, { timeoutMs: LONGEST_WAIT_MS, onWait });
  const { clearance, asset, amountDecimal: amount, blockchainInfo } = cleared;
  // Give nothing back before somebody has read the reasons: the coins may have to be frozen.
  if (clearance.outcome === 'STOP') throw new Error(`stopped: ${clearance.reasons.join(', ')}`);
  const order = { id, asset, amount, address: blockchainInfo.destination };
  const paid = await fetch(WALLET_URL, { method: 'POST', body: JSON.stringify(order) });
  if (!paid.ok) throw new Error(`the wallet answered ${paid.status}`);
  const { hash: transactionHash } = (await paid.json()) as { hash: string };
  await waybill.transactions.patch(id, { transactionHash });
  console.log(`Transaction ${id} is paid: ${transactionHash}`);
}

async function answerTo(request: IncomingMessage): Promise<object> {
  if (request.url === '/webhooks') {
    const event = verifyWebhook(request.headers, await buffer(request), WEBHOOK_SECRET);
    if (event.type === 'transaction') waybill.transactions.nudge(event.body.id);
    return {};
  }
  const transactionId = await announce((await json(request)) as Withdrawal);
  payWhenCleared(transactionId).catch((error) => console.error(`Transaction ${transactionId}:`, error));
  return { transactionId };
}

const server = createServer((request, response) => {
  answerTo(request).then(
    (answer) => response.end(JSON.stringify(answer)),
    (error) => response.writeHead(error instanceof WebhookRefused ? 401 : 500).end(String(error)),
  );
});
server.listen(Number(PORT), '127.0.0.1', () => console.log('Listening.'));
