import { randomBytes } from 'node:crypto';
import { Runtime } from '@temporalio/worker';
import type { Activities } from '../../activities/index.ts';
import { createLog } from '../../process/log.ts';
import { createWorkers, type RunningWorkers } from '../../worker/create-workers.ts';
import { temporalRuntime } from '../../worker/temporal-logger.ts';
import { setUpTemporal } from '../../worker/temporal-setup.ts';
import { mailSummary, type MailKind } from '../../domain/mails/mail.ts';
import { workflowId } from '../../workflows/contract.ts';
import { connectLazily, createClient, startWorkflow } from '../../workflows/start.ts';
import { eventually } from '../eventually.ts';

// The workers of the product with their limits, and a mail server that holds every link to a message until it is let go.

const address = process.env['WAYBILL_TEST_TEMPORAL'] ?? '';
const namespace = `test-${randomBytes(6).toString('hex')}`;
const connection = connectLazily(address);
const client = createClient(connection, namespace);
const held: string[] = [];
let letGo: () => void = () => undefined;
const released = new Promise<void>((resolve) => {
  letGo = resolve;
});
let workers: RunningWorkers;

beforeAll(async () => {
  await setUpTemporal(connection, namespace);
  Runtime.install(temporalRuntime(createLog('worker', 'error', { write: () => undefined })));
  const activities: Partial<Activities> = {
    async sendMail({ id }) {
      if (id.startsWith('link')) {
        held.push(id);
        await released;
      }
      return { status: 'SENT' };
    },
  };
  workers = await createWorkers({
    address,
    namespace,
    databasePool: 8,
    activities: activities as Activities,
    requestsEnded: async () => await Promise.resolve(),
    endRequests: async () => await Promise.resolve(),
  });
});
afterAll(async () => {
  letGo();
  await workers.stop();
  await connection.close();
});

async function queue(kind: MailKind, id: string): Promise<void> {
  const entry = { id: 0, tenantId: 'alpine', workflow: 'mailDelivery' as const, subjectId: id };
  await startWorkflow(client, { ...entry, summary: mailSummary(kind) });
}

test('what a person waits for passes the links to messages that take all places', async () => {
  for (let n = 0; n < 12; n += 1) await queue('PORTAL_LINK', `link-${n}`);
  await eventually(
    () => held.length,
    (places) => places === 5,
  );
  const awaited: readonly MailKind[] = ['PASSWORD_RESET', 'PORTAL_CODE', 'INVITATION'];
  for (const kind of awaited) await queue(kind, kind);
  for (const kind of awaited)
    await eventually(
      async () => await client.workflow.getHandle(workflowId('mailDelivery', kind)).describe(),
      ({ status }) => status.name === 'COMPLETED',
    );
  expect(held).toHaveLength(5);
});
