import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { lastingPort } from '../lasting-port.ts';
import { findTemporal } from '../../standalone/temporal-binary.ts';
import { startTemporalServer, type TemporalServer } from '../../standalone/temporal-server.ts';

let home: string;
const running: TemporalServer[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'temporal-server-'));
});

afterAll(async () => {
  await Promise.all(running.map(async (server) => server.stop()));
  await rm(home, { recursive: true, force: true });
});

async function start(): Promise<TemporalServer> {
  const server = await startTemporalServer({
    binary: await findTemporal(() => undefined),
    namespace: 'kept',
    port: await lastingPort(),
    uiPort: await lastingPort(),
    file: join(home, 'temporal.db'),
    logFile: join(home, 'temporal.log'),
    home,
  });
  running.push(server);
  return server;
}

async function namespaceId(server: TemporalServer): Promise<string | null | undefined> {
  const connection = await Connection.connect({ address: server.address });
  try {
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace: 'kept' });
    return namespaceInfo?.id;
  } finally {
    await connection.close();
  }
}

test('a started server has its namespace, and its state outlives a kill -9', async () => {
  const first = await start();
  const id = await namespaceId(first);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  process.kill(first.pid, 'SIGKILL');
  const second = await start();
  await expect(namespaceId(second)).resolves.toBe(id);
});

test('the UI answers under the address that is told', async () => {
  const server = running.at(-1);
  const response = await fetch(server?.uiUrl ?? '');
  expect(response.status).toBe(200);
});
