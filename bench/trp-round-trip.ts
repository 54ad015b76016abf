import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import type { JsonApi } from './json-api.ts';
import { paced } from './paced.ts';
import { newDeployment, startApi, startWorker, type BenchTenant } from './product.ts';
import { sampleAddress } from './sample-body.ts';
import { percentile } from './statistics.ts';

const PER_SECOND = 1;
const GOAL_P99_MS = 150;
const FULL = { warmUp: 20, messages: 90 };
const QUICK = { warmUp: 2, messages: 5 };
/** Confirming is refused until the lists are loaded. */
const ANSWER_TRIES = 300;

/**
 * (t) Measures a message by TRP between two deployments, each with its own api, worker, database and Temporal, all on this
 * machine: from POST /transactions to the other tenant's webhook, and from its PATCH to the webhook of the first. Both are screened.
 */
export async function measureTrpRoundTrip(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const inbox = await openStates();
  const west = await startDeployment(installation, 'bench-trp-west', inbox.url);
  const east = await startDeployment(installation, 'bench-trp-east', inbox.url);
  const wallets = await registerWallets(east.tenant.api, size.warmUp + size.messages);
  const trips: { thereMs: number; backMs: number }[] = [];
  let next = 0;
  const send = async () => {
    const wallet = wallets[next];
    next += 1;
    if (wallet) trips.push(await roundTrip({ west: west.tenant.api, east: east.tenant.api, inbox }, wallet));
  };
  const step = async (name: string, work: Promise<unknown>) =>
    await withProgress(installation.log, `(t) ${name}`, work);
  await step('warming up', inTurn(size.warmUp, send));
  trips.length = 0;
  await step('messages', paced(size.messages, PER_SECOND, send));
  await Promise.all([west.stop(), east.stop()]);
  inbox.close();
  return [figureOf(trips)];
}

/** One after the other: the first ones wait for lists and codecs. */
async function inTurn(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 1) await work();
}

function figureOf(trips: readonly { thereMs: number; backMs: number }[]): BenchFigure {
  const line = (times: readonly number[]) =>
    `p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${percentile(times, 0.99).toFixed(0)} ms`;
  const whole = trips.map(({ thereMs, backMs }) => thereMs + backMs);
  const p99 = percentile(whole, 0.99);
  const there = line(trips.map(({ thereMs }) => thereMs));
  const back = line(trips.map(({ backMs }) => backMs));
  return {
    measure: 't',
    name: `message and answer by TRP between two deployments, ${PER_SECOND}/s`,
    value: line(whole),
    comparedTo: `its parts: POST to the webhook there (${there}), answer to the webhook here (${back})`,
    goal: `p99 ${GOAL_P99_MS} ms`,
    met: p99 <= GOAL_P99_MS,
    reason: 'two workers, two apis and two Temporal servers share the cores of this machine',
  };
}

interface Deployed {
  tenant: BenchTenant;
  stop: () => Promise<void>;
}

async function startDeployment(
  installation: BenchInstallation,
  namespace: string,
  webhookUrl: string,
): Promise<Deployed> {
  const temporal = await installation.startTemporal(namespace);
  const deployment = await newDeployment(installation, { address: temporal.address, namespace });
  const api = await startApi(installation, deployment);
  const ofWorker = { ...deployment, TRP_URL: api.url };
  const worker = await startWorker(installation, ofWorker);
  const tenant = await api.createTenant(`Exchange of ${namespace}`, webhookUrl);
  return {
    tenant,
    async stop() {
      await Promise.all([api.stop(), worker.stop()]);
      await temporal.end();
    },
  };
}

interface TravelWallet {
  address: string;
  travelAddress: string;
}

async function registerWallets(api: JsonApi, count: number): Promise<TravelWallet[]> {
  const wallets: TravelWallet[] = [];
  for (let n = 0; n < count; n += 1) {
    const address = sampleAddress(n);
    const { id } = await api.post<{ id: number }>('/wallets', {
      address,
      asset: 'ETH',
      blockchain: 'Ethereum',
    });
    const { travelAddress } = await api.get<{ travelAddress: string }>(`/wallets/${id}/travel-address`);
    wallets.push({ address, travelAddress });
  }
  return wallets;
}

interface BothSides {
  west: JsonApi;
  east: JsonApi;
  inbox: States;
}

async function roundTrip({ west, east, inbox }: BothSides, { address, travelAddress }: TravelWallet) {
  const arrived = inbox.next(`INCOMING DELIVERED ${address}`);
  const answered = inbox.next(`OUTGOING CONFIRMED ${address}`);
  const sentMs = nowMs();
  await west.post('/transactions', {
    asset: 'ETH',
    amount: '1.5',
    blockchainInfo: { blockchain: 'Ethereum', destination: address, destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryTravelAddress: travelAddress },
    originator: {
      type: 'NATURAL',
      firstName: 'Anna',
      lastName: 'Keller',
      country: 'CH',
      dateOfBirth: '1984-03-12',
    },
    beneficiary: { type: 'NATURAL', firstName: 'Jonas', lastName: 'Brandt' },
  });
  const there = await arrived;
  const confirmedMs = await confirm(east, there.id);
  const back = await answered;
  return { thereMs: there.atMs - sentMs, backMs: back.atMs - confirmedMs };
}

/** Confirms a message; returns when the request that was taken began. */
async function confirm(east: JsonApi, id: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const startedMs = nowMs();
    try {
      await east.patch(`/transactions/${id}`, { status: 'CONFIRMED' });
      return startedMs;
    } catch (error) {
      if (tries === ANSWER_TRIES) throw error;
    }
  }
}

const nowMs = () => performance.timeOrigin + performance.now();

interface State {
  id: string;
  atMs: number;
}

interface States {
  url: string;
  /** Resolves with the first webhook of a state: direction, status and destination of the transaction. */
  next: (state: string) => Promise<State>;
  close: () => void;
}

/** A receiver of webhooks that tells states apart. */
async function openStates(): Promise<States> {
  const awaited = new Map<string, (state: State) => void>();
  const server = createServer((request, response) => {
    const atMs = nowMs();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      response.writeHead(204).end();
      const { id, direction, status, blockchainInfo } = JSON.parse(Buffer.concat(chunks).toString()) as {
        id: string;
        direction?: string;
        status?: string;
        blockchainInfo?: { destination: string };
      };
      awaited.get(`${direction} ${status} ${blockchainInfo?.destination}`)?.({ id, atMs });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    next: async (state) => await new Promise((resolve) => awaited.set(state, resolve)),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
