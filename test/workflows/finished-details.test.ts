import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createTransaction, evmAddress, evmHash, registerWallet } from '../factories/transaction.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { attributes, workflowId } from '../../workflows/contract.ts';
import { startReceiver, status, type Receiver } from './webhook-system.ts';

let system: TestSystem;
let receiver: Receiver;
let alpine: TestTenant;
let harbour: TestTenant;

beforeAll(async () => {
  receiver = await startReceiver(status(204));
  system = await startTestSystem({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  [alpine, harbour] = [
    await createTenant(system, { webhookUrl: receiver.url }),
    await createTenant(system, { webhookUrl: receiver.url }),
  ];
});
afterAll(async () => {
  await system.stop();
  await receiver.stop();
});

/** What operators read of a transaction's workflow in the Temporal UI, once a run of it has ended. */
async function endOf(id: string) {
  const handle = system.client.workflow.getHandle(workflowId('transactionLifecycle', id));
  const run = await eventually(
    async () => await handle.describe(),
    ({ status: now }) => now.name === 'COMPLETED',
  );
  const { currentDetails = '' } = await handle.query<{ currentDetails?: string }>(
    '__temporal_workflow_metadata',
  );
  return { run, currentDetails };
}

async function incomingId(destination: string): Promise<string> {
  const list = await eventually(
    async () => await harbour.get<{ id: string }[]>(`/transactions?_destination=${destination}`),
    ({ body }) => body.length === 1,
  );
  return list.body[0]?.id ?? '';
}

test('a finished transaction shows its end and whom its webhooks told; a hash that comes later starts no run', async () => {
  const destination = evmAddress();
  await registerWallet(harbour, destination);
  const sent = await createTransaction(alpine, { blockchainInfo: { blockchain: 'Ethereum', destination } });
  const received = await incomingId(destination);
  await harbour.patch(`/transactions/${received}`, { status: 'CONFIRMED' });
  const { run, currentDetails } = await endOf(sent.id);
  expect(currentDetails).toContain('**CONFIRMED**: nothing is left to do.');
  for (const record of [sent.id, received])
    expect(currentDetails).toMatch(new RegExp(`webhook [0-9a-f-]{36} about ${record}: `));
  expect(run.typedSearchAttributes.get(attributes.tenantName)).toBe(alpine.name);
  expect(run.typedSearchAttributes.get(attributes.waitingFor)).toBe('NOTHING');

  const transactionHash = evmHash();
  expect((await alpine.patch(`/transactions/${sent.id}`, { transactionHash })).status).toBe(200);
  // Harbour's webhook has the hash: what the hash causes is over.
  await eventually(
    () => receiver.received.some(({ raw }) => raw.includes(transactionHash) && raw.includes(received)),
    Boolean,
  );
  expect((await endOf(sent.id)).run.runId).toBe(run.runId);
});

/** The first lease of a webhook fails in the database, whichever of them it is. */
async function failFirstLease(): Promise<void> {
  await system.db.pool.query(`
    create sequence leases;
    create function fail_first_lease() returns trigger language plpgsql as $$ begin
      if nextval('leases') = 1 then raise exception 'the connection was cut'; end if;
      return new;
    end $$;
    create trigger fail_first_lease before update on webhook_deliveries for each row
      when (old.leased_until is null and new.leased_until is not null) execute function fail_first_lease()`);
}

test('a webhook whose first attempt cannot be made stops neither the transaction nor the other webhook', async () => {
  const destination = evmAddress();
  await registerWallet(harbour, destination);
  await failFirstLease();
  const sent = await createTransaction(alpine, { blockchainInfo: { blockchain: 'Ethereum', destination } });
  const received = await incomingId(destination);
  await harbour.patch(`/transactions/${received}`, { status: 'CONFIRMED' });
  const { currentDetails } = await endOf(sent.id);
  expect(currentDetails).toContain('**CONFIRMED**: nothing is left to do.');
  const query = `WorkflowId = '${workflowId('transactionLifecycle', sent.id)}'`;
  // Temporal's list of runs follows a moment later; until then there are none in it that could have failed.
  const runs = await eventually(
    async () => {
      const names: string[] = [];
      for await (const run of system.client.workflow.list({ query })) names.push(run.status.name);
      return names;
    },
    (names) => names.includes('COMPLETED'),
  );
  expect(runs).not.toContain('FAILED');
  const arrivals = await eventually(
    () =>
      receiver.received
        .filter(({ raw }) => raw.includes(destination))
        .map(({ headers }) => headers['x-event-id']),
    (ids) => ids.length >= 4,
  );
  expect(new Set(arrivals).size).toBe(arrivals.length);
});
