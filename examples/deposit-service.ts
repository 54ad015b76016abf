import { createServer, type IncomingMessage } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import {
  NotFound,
  verifyWebhook,
  Waybill,
  WebhookRefused,
  type PatchTransaction,
  type Transaction,
} from '@waybill/client';

/**
 * Deposits: registers the addresses of customers, answers the messages that arrive for them, and says which deposits may be
 * credited. `credited` stands for your database; `CURSOR` is the last change that was processed before a restart.
 */
const { WAYBILL_URL = '', WAYBILL_KEY = '', WEBHOOK_SECRET = '', CURSOR, PORT = '5002' } = process.env;
const waybill = new Waybill({ baseUrl: WAYBILL_URL, apiKey: WAYBILL_KEY });

type DepositAddress = Record<'customer' | 'blockchain' | 'asset' | 'address', string>;
const credited = new Set<string>();

/** What only somebody of the compliance team decides. */
const HOLDS = [
  'SANCTIONS',
  'RULE',
  'COUNTERPARTY',
  'UNSCREENED',
  'INCOMPLETE_PARTY',
  'MAILBOX',
  'TRAVEL_ADDRESS',
];

/** The wallet remembers whose it is. */
async function register({ customer, ...wallet }: DepositAddress): Promise<void> {
  await waybill.wallets.create({ ...wallet, metadata: customer });
}

/** Answers a message, or credits it. May be called any number of times, in any order. */
async function processMessage(id: string): Promise<void> {
  // A webhook may be older than what is stored, and so may a change in the feed.
  const transaction = await readUnlessDeleted(id);
  if (transaction?.direction !== 'INCOMING') return;
  const { clearance } = transaction;
  if (clearance.outcome === 'STOP') console.log(`Deposit ${id} is refused: ${clearance.reasons.join(', ')}`);
  if (clearance.outcome === 'WAIT') await decide(transaction);
  // While the sender has not added the hash, nothing was paid.
  if (clearance.outcome === 'GO' && clearance.nextAction !== 'WAIT_FOR_COUNTERPARTY') credit(transaction);
}

async function readUnlessDeleted(id: string): Promise<Transaction | undefined> {
  try {
    return await waybill.transactions.get(id);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

async function decide({ id, clearance, blockchainInfo, beneficiary }: Transaction): Promise<void> {
  const { nextAction, reasons } = clearance;
  if (nextAction !== 'REVIEW' && nextAction !== 'CONFIRM_WALLET') return;
  const hold = reasons.find((reason) => HOLDS.includes(reason));
  if (hold) {
    console.log(`Deposit ${id} waits for a review: ${hold}`);
    return;
  }
  const { isDestinationConfirmed, destinationWalletId } = blockchainInfo;
  const isOurs = isDestinationConfirmed === true && destinationWalletId !== null;
  const customer = isOurs ? (await waybill.wallets.get(destinationWalletId)).metadata : null;
  const isCustomer = customer !== null && beneficiary?.name?.toLowerCase() === customer.toLowerCase();
  const statusReasonCode = customer === null ? 'UNKNOWN_ADDRESS' : 'NAME_MISMATCH';
  const decline: PatchTransaction = { status: 'DECLINED', statusReasonCode };
  await waybill.transactions.patch(id, isCustomer ? { status: 'CONFIRMED' } : decline);
  console.log(`Deposit ${id} is ${isCustomer ? 'confirmed' : `declined: ${statusReasonCode}`}`);
}

function credit({ id, amountDecimal, asset, blockchainInfo }: Transaction): void {
  if (credited.has(id)) return;
  credited.add(id);
  console.log(
    `Deposit ${id}: credit ${amountDecimal} ${asset} once ${blockchainInfo.transactionHash} is final`,
  );
}

async function answerTo(request: IncomingMessage): Promise<void> {
  if (request.url !== '/webhooks') return await register((await json(request)) as DepositAddress);
  const event = verifyWebhook(request.headers, await buffer(request), WEBHOOK_SECRET);
  if (event.type === 'transaction') await processMessage(event.body.id);
}

const server = createServer((request, response) => {
  answerTo(request).then(
    () => response.writeHead(204).end(),
    // Waybill sends a webhook again that was not answered with 2xx.
    (error) => response.writeHead(error instanceof WebhookRefused ? 401 : 500).end(String(error)),
  );
});
server.listen(Number(PORT), '127.0.0.1', () => console.log('Listening.'));

// What happened while this service was away.
for await (const { kind, id } of waybill.events.since(CURSOR))
  if (kind === 'transaction') await processMessage(id);
