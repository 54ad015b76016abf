import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ScreeningPending, Waybill, type Transaction } from '@waybill/client';
import { detail, freshAddress, freshHash, step, type DemoParty } from './demo-steps.ts';
import type { RunningProduct } from './running-product.ts';
import { withProgress } from './progress.ts';

const START_MS = 180_000;
const POLL_MS = 250;

/** Two deployments that know nothing of each other exchange a message by the Travel Rule Protocol (TRP). */
export async function playTrp(alpine: DemoParty): Promise<void> {
  step('A second deployment, with its own database, keys and Temporal: a VASP that is reached by TRP.');
  const home = mkdtempSync(join(tmpdir(), 'waybill-demo-'));
  const second = startSecond(home);
  try {
    const starting = running(home, second.ended);
    const { apiUrl, tenants } = await withProgress(console.log, '   Starting it', starting);
    const tenant = tenants.find(({ name }) => name === 'Harbour Custody');
    if (!tenant) throw new Error('The second deployment has no tenant "Harbour Custody".');
    await exchange(alpine, new Waybill({ baseUrl: apiUrl, apiKey: tenant.apiKey }), apiUrl);
  } finally {
    await second.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function exchange(alpine: DemoParty, harbour: Waybill, apiUrl: string): Promise<void> {
  const destination = freshAddress();
  const wallet = await harbour.wallets.create({ address: destination, asset: 'ETH', blockchain: 'Ethereum' });
  const { travelAddress } = await harbour.request('GET', '/wallets/{id}/travel-address', {
    path: { id: wallet.id },
  });
  detail(`${apiUrl}: GET /wallets/${wallet.id}/travel-address -> ${travelAddress.slice(0, 24)}…`);
  const { id } = await alpine.api.transactions.create({
    asset: 'ETH',
    amount: '0.9',
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryTravelAddress: travelAddress },
    originator: {
      type: 'NATURAL',
      firstName: 'Anna',
      lastName: 'Keller',
      country: 'CH',
      dateOfBirth: '1988-04-12',
      placeOfBirth: 'Chur',
    },
    beneficiary: { type: 'NATURAL', firstName: 'Jonas', lastName: 'Brandt' },
  });
  await alpine.receiver.waitFor((body) => body.id === id && body.status === 'DELIVERED');
  detail('The message names the travel address: Alpine received DELIVERED, over TRP');
  const incoming = await arrived(harbour, destination);
  detail(
    `There: INCOMING ${incoming.status} of ${incoming.originator?.firstName} ${incoming.originator?.lastName}`,
  );
  await confirm(harbour, incoming.id);
  await alpine.receiver.waitFor((body) => body.id === id && body.status === 'CONFIRMED');
  detail('It confirms there, and the answer comes back: Alpine received CONFIRMED');
  const transactionHash = freshHash();
  await alpine.api.transactions.patch(id, { transactionHash });
  await withHash(harbour, incoming.id, transactionHash);
  detail(`Alpine sends the coins; TRP carries the txid over: ${transactionHash.slice(0, 18)}…`);
}

/** Reads the record of the second deployment until the transaction hash is in it. */
async function withHash(harbour: Waybill, id: string, transactionHash: string): Promise<void> {
  const deadlineMs = Date.now() + START_MS;
  while ((await harbour.transactions.get(id)).blockchainInfo.transactionHash !== transactionHash) {
    if (Date.now() > deadlineMs)
      throw new Error('The transaction hash did not arrive in the second deployment.');
    await delay(POLL_MS);
  }
}

/** Confirms once the lists that it screens with are loaded: it has just started. */
async function confirm(harbour: Waybill, id: string): Promise<void> {
  const deadlineMs = Date.now() + START_MS;
  for (;;) {
    try {
      await harbour.transactions.patch(id, { status: 'CONFIRMED' });
      return;
    } catch (error) {
      const isLoading = error instanceof ScreeningPending;
      if (!isLoading || Date.now() > deadlineMs) throw error;
      await delay(POLL_MS);
    }
  }
}

async function arrived(harbour: Waybill, destination: string): Promise<Transaction> {
  for (;;) {
    for await (const incoming of harbour.transactions.list({ _destination: destination })) return incoming;
    await delay(POLL_MS);
  }
}

/** Starts Waybill once more, as `npm start` does, on free ports and with a home of its own. */
function startSecond(home: string) {
  const program = fileURLToPath(new URL('./main.js', import.meta.url));
  const given = Object.entries(process.env).filter(([name]) => !SETTINGS_OF_THE_FIRST.test(name));
  const env = { ...Object.fromEntries(given), WAYBILL_HOME: home };
  const child = spawn(process.execPath, ['--enable-source-maps', program], { env, stdio: 'ignore' });
  const ended = once(child, 'exit').then(() => undefined);
  return {
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Where the first deployment is reached, and what it keeps its data in, is not for the second. */
const SETTINGS_OF_THE_FIRST =
  /^(PORT|PUBLIC_URL|WALLET_URL|DATABASE_|TEMPORAL_|MASTER_KEY|OPERATOR_KEY|WAYBILL_HOME)/;

/** What the second deployment says of itself, once it runs. */
async function running(home: string, ended: Promise<undefined>): Promise<RunningProduct> {
  const file = join(home, 'standalone.json');
  const startedMs = Date.now();
  const over = ended.then(() => 'OVER' as const);
  while (!existsSync(file)) {
    const isOver = (await Promise.race([over, delay(POLL_MS)])) === 'OVER';
    if (isOver || Date.now() - startedMs > START_MS)
      throw new Error('The second deployment did not start: is there memory for it (1 GB)?');
  }
  return JSON.parse(readFileSync(file, 'utf8')) as RunningProduct;
}
