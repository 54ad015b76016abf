import { Waybill } from '@waybill/client';
import { readRunning, type RunningProduct } from './running-product.ts';
import { playClaim } from './demo-claim.ts';
import { readTenant } from './demo-data.ts';
import { startReceiver } from './demo-receiver.ts';
import { playSandbox } from './demo-sandbox.ts';
import { playRules } from './demo-rules.ts';
import { playEmail } from './demo-email.ts';
import { playPartner } from './demo-network.ts';
import { playTrp } from './demo-trp.ts';
import { playScreening } from './demo-screening.ts';
import { playSelfHosted } from './demo-self-hosted.ts';
import { detail, freshAddress, freshHash, step, type DemoParty } from './demo-steps.ts';
import { playDetectedWallet } from './demo-wallet.ts';
import { temporalPage } from './temporal-page.ts';

/** `npm run demo`: a Travel Rule message from Alpine Exchange to Harbour Custody and the answer, printed step by step. */

async function main(): Promise<void> {
  const running = readRunning();
  const parties = await Promise.all([
    prepare(running, 'Alpine Exchange', '/alpine/webhooks'),
    prepare(running, 'Harbour Custody', '/harbour/webhooks'),
  ]);
  const leave = async () => await Promise.all(parties.map((party) => party.leave()));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void leave().finally(() => process.exit(130)));
  try {
    await play(running, ...parties);
  } finally {
    await leave();
  }
}

/** A party whose webhooks come to the demo until `leave` gives them their earlier address back. */
async function prepare(
  { apiUrl, tenants }: RunningProduct,
  name: string,
  path: string,
): Promise<DemoParty & { leave: () => Promise<void> }> {
  const tenant = tenants.find((candidate) => candidate.name === name);
  if (!tenant) throw new Error(`The running system has no tenant "${name}".`);
  const receiver = await startReceiver(path);
  const api = new Waybill({ baseUrl: apiUrl, apiKey: tenant.apiKey });
  const { webhookUrl: earlier } = await api.tenant.get();
  await api.tenant.patch({ webhookUrl: receiver.url });
  receiver.useSecret((await readTenant(apiUrl, tenant.apiKey)).webhookSecret);
  const leave = async () => {
    // The address of a demo that was killed is nobody's.
    await api.tenant.patch({ webhookUrl: earlier?.endsWith(path) ? null : earlier });
    receiver.close();
  };
  return { name, api, receiver, leave };
}

async function play(running: RunningProduct, alpine: DemoParty, harbour: DemoParty): Promise<void> {
  console.log('A Travel Rule message from Alpine Exchange to Harbour Custody, and the answer back.');
  step('Both tenants set their webhook addresses; each change makes a new signing secret.');
  detail(`${alpine.name}: ${alpine.receiver.url}`);
  detail(`${harbour.name}: ${harbour.receiver.url}`);

  const destination = freshAddress();
  step(`Harbour Custody registers a deposit address of its customer.`);
  const wallet = await harbour.api.wallets.create({
    address: destination,
    asset: 'ETH',
    blockchain: 'Ethereum',
  });
  detail(`POST /wallets -> wallet ${wallet.id}, ${wallet.status}`);

  step('Alpine Exchange announces a transfer of 1.5 ETH to that address, before sending the coins.');
  const sent = await alpine.api.transactions.create({
    asset: 'ETH',
    amount: '1.5',
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    originator: {
      type: 'NATURAL',
      name: 'Anna Keller',
      country: 'CH',
      dateOfBirth: '1988-04-12',
      placeOfBirth: 'Chur',
    },
    beneficiary: { type: 'NATURAL', name: 'Jonas Brandt', country: 'DE' },
  });
  detail(`POST /transactions -> ${sent.id}, ${sent.status}, EUR ${sent.amountEur ?? 'unknown'}`);

  step('Waybill finds the holder of the address and delivers. Both servers receive a signed webhook.');
  const incoming = await harbour.receiver.waitFor(
    (body) => body.direction === 'INCOMING' && body.blockchainInfo.destination === destination,
  );
  detail(`Harbour received event ${incoming.eventId}: INCOMING ${incoming.body.status}, signature verified`);
  await alpine.receiver.waitFor((body) => body.id === sent.id && body.status === 'DELIVERED');
  detail(`Alpine received: ${sent.id} is DELIVERED`);

  await answer(alpine, harbour, sent.id, incoming.body.id);
  await showLogs(running, [
    [alpine, sent.id],
    [harbour, incoming.body.id],
  ]);
  await playDetectedWallet(alpine, harbour);
  await playClaim(alpine, harbour);
  await playSelfHosted(alpine, harbour);
  await playScreening(alpine);
  await playRules(alpine, harbour);
  await playSandbox(alpine, harbour);
  await playPartner(running, alpine);
  await playEmail(running, alpine);
  await playTrp(alpine);
  showUi(running, sent.id);
  console.log('\nDone: the message, the answer and the hash all arrived.');
}

/** The beneficiary confirms, then the hash of the sent coins follows. */
async function answer(
  alpine: DemoParty,
  harbour: DemoParty,
  sentId: string,
  incomingId: string,
): Promise<void> {
  step('Harbour Custody knows the beneficiary and confirms.');
  await harbour.api.transactions.patch(incomingId, { status: 'CONFIRMED' });
  detail(`PATCH /transactions/${incomingId} {"status":"CONFIRMED"}`);
  await alpine.receiver.waitFor((body) => body.id === sentId && body.status === 'CONFIRMED');
  detail('Alpine received: CONFIRMED. Alpine may send the coins.');

  step('Alpine Exchange sends the coins and adds the transaction hash; Harbour Custody receives it.');
  const transactionHash = freshHash();
  await alpine.api.transactions.patch(sentId, { transactionHash });
  await harbour.receiver.waitFor(
    ({ id, blockchainInfo }) => id === incomingId && blockchainInfo.transactionHash === transactionHash,
  );
  detail(`Harbour received: hash ${transactionHash.slice(0, 18)}…`);
}

async function showLogs(running: RunningProduct, records: [DemoParty, string][]): Promise<void> {
  step('Both event logs show every step; each entry contains the hash of the previous one.');
  for (const [party, id] of records) {
    console.log(`   ${party.name}: GET ${running.apiUrl}/transactions/${id}/events`);
    const events = await party.api.transactions.events(id);
    for (const entry of events.toReversed()) {
      detail(`  ${entry.createdAt}  ${entry.type.padEnd(15)} ${entry.actor.padEnd(12)} ${entry.message}`);
    }
  }
}

function showUi(running: RunningProduct, id: string): void {
  const page = temporalPage(running);
  if (page === undefined) return;
  step('Operators see every process in the Temporal UI.');
  detail(`This transaction:  ${page}/${encodeURIComponent(`tx/${id}`)}`);
  detail(`With its webhooks: ${page}?query=${encodeURIComponent(`TrSubject="${id}"`)}`);
  detail(`All webhooks:      ${page}?query=${encodeURIComponent('WorkflowType="webhookDelivery"')}`);
}

try {
  await main();
} catch (error) {
  console.error(`\nThe demo failed: ${error instanceof Error ? error.message : 'unknown error'}`);
  process.exitCode = 1;
}
