import type { Client } from '@temporalio/client';
import { withProgress } from '../standalone/progress.ts';
import { connectLazily, createClient } from '../workflows/start.ts';
import type { BenchInstallation } from './installation.ts';
import { openInbox, type Inbox } from './inbox.ts';
import type { JsonApi } from './json-api.ts';
import { newDeployment, startApi, startWorker, type BenchTenant, type Deployment } from './product.ts';
import { sampleAddress, sampleBody } from './sample-body.ts';

/** A running api, worker, PostgreSQL and Temporal, with two tenants that receive webhooks. */
export interface WholeProduct {
  databaseUrl: string;
  deployment: Deployment;
  client: Client;
  sender: BenchTenant;
  inbox: Inbox;
  receiver: BenchTenant;
  createTenant: (name: string, webhookUrl: string) => Promise<BenchTenant>;
  /**
   * Sends the next message to a wallet of the receiver, by the api of the product unless given. Resolves with its id when it
   * is accepted with 201.
   */
  send: (api?: JsonApi) => Promise<string>;
  /** Like send, to an address that the receiver has not registered: its record is sealed, and not screened. */
  sendSealed: () => Promise<void>;
  /** Lets a test VASP send a message to the receiver. The api writes it; only its webhook needs a workflow. */
  receive: () => Promise<void>;
  /** Number of messages whose webhook both tenants have received. */
  carried: () => number;
  stop: () => Promise<void>;
}

/** The destinations of the messages: each belongs to the receiver, whose record is then screened too. */
const OWNED_WALLETS = 64;
const WALLET = { asset: '*', blockchain: 'Ethereum' };

/** Starts api, worker and Temporal on a new database, and creates both tenants. `settings` are environment variables. */
export async function startWholeProduct(
  installation: BenchInstallation,
  namespace: string,
  settings: Record<string, string> = {},
): Promise<WholeProduct> {
  const temporal = await installation.startTemporal(namespace);
  const made = await newDeployment(installation, { address: temporal.address, namespace });
  const deployment = { ...made, ...settings };
  const inbox = await openInbox();
  const [api, worker] = await withProgress(
    installation.log,
    'Starting api and worker',
    Promise.all([startApi(installation, deployment), startWorker(installation, deployment)]),
  );
  const sender = await api.createTenant('Bench Exchange', inbox.urlOf('sender'));
  const receiver = await api.createTenant('Far Away Exchange', inbox.urlOf('receiver'));
  const owned = Array.from({ length: OWNED_WALLETS }, (_, n) => sampleAddress(n));
  for (const address of owned) await receiver.api.post('/wallets', { address, ...WALLET });
  const connection = connectLazily(temporal.address);
  let sent = 0;
  return {
    databaseUrl: deployment.DATABASE_URL,
    deployment,
    client: createClient(connection, namespace),
    sender,
    receiver,
    inbox,
    createTenant: api.createTenant,
    async send(by = sender.api) {
      sent += 1;
      const destination = owned[sent % OWNED_WALLETS] ?? '';
      const { id } = await by.post<{ id: string }>(
        '/transactions',
        sampleBody(sent, receiver.name, destination),
      );
      return id;
    },
    async sendSealed() {
      sent += 1;
      await sender.api.post('/transactions', sampleBody(OWNED_WALLETS + sent, receiver.name));
    },
    async receive() {
      sent += 1;
      await receiver.api.post('/sandbox/incoming', sampleBody(sent, receiver.name));
    },
    carried: () => Math.min(inbox.countOf('sender'), inbox.countOf('receiver')),
    async stop() {
      await connection.close();
      await Promise.all([api.stop(), worker.stop()]);
      inbox.close();
      await temporal.end();
    },
  };
}
