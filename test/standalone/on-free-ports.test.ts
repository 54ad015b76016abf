import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastingPort } from '../lasting-port.ts';
import { onFreePorts } from '../../standalone/on-free-ports.ts';

let home: string;
let said: string[];
let open: Server[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ports-'));
  said = [];
  open = [];
});

afterEach(async () => {
  for (const server of open) server.close();
  await rm(home, { recursive: true, force: true });
});

const run = () => ({
  home,
  log: (line: string): void => void said.push(line),
  stopping: new AbortController().signal,
});
const preference = (usual: number, isConfigured = false) =>
  ({ name: 'api', label: 'API', usual, isConfigured }) as const;
const portOf = async (ports: { api: number }): Promise<number> => Promise.resolve(ports.api);

async function occupy(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  return server;
}

test('the usual port is taken when it is free, without a word', async () => {
  const usual = await lastingPort();
  await expect(onFreePorts(run(), [preference(usual)], portOf)).resolves.toBe(usual);
  expect(said).toEqual([]);
});

test('a busy port is replaced, that is said once, and the replacement is kept', async () => {
  const usual = await lastingPort();
  const other = await occupy(usual);
  const got = await onFreePorts(run(), [preference(usual)], portOf);
  expect(got).not.toBe(usual);
  expect(said).toEqual([`API: port ${usual} is busy, using ${got}`]);
  other.close();
  await once(other, 'close');
  await expect(onFreePorts(run(), [preference(usual)], portOf)).resolves.toBe(got);
  expect(said).toHaveLength(1);
});

test('a port that somebody asks for goes before the one of the last start', async () => {
  const [first, second] = [await lastingPort(), await lastingPort()];
  await onFreePorts(run(), [preference(first)], portOf);
  await expect(onFreePorts(run(), [preference(second, true)], portOf)).resolves.toBe(second);
});

test('when another program is faster at the port, the start is tried on another one', async () => {
  const usual = await lastingPort();
  const got = await onFreePorts(run(), [preference(usual)], async ({ api }) => {
    if (api === usual) {
      await occupy(usual);
      throw new Error('address in use');
    }
    return api;
  });
  expect(got).not.toBe(usual);
});

test('a port that another program has taken for a moment only is tried again', async () => {
  const usual = await lastingPort();
  let starts = 0;
  const got = await onFreePorts(run(), [preference(usual)], async ({ api }) => {
    starts += 1;
    if (starts > 1) return api;
    // As an `npm start` does that begins at the same time: it has found out, and let go of the port.
    const other = await occupy(api);
    const failed = new Promise<number>((_, reject) =>
      createServer().once('error', reject).listen(api, '127.0.0.1'),
    );
    await failed.finally(() => other.close());
    return api;
  });
  expect([got, starts]).toEqual([usual, 2]);
});

test('a start that fails for another reason is not repeated', async () => {
  let starts = 0;
  const failing = onFreePorts(run(), [preference(await lastingPort())], async () => {
    starts += 1;
    return Promise.reject(new Error('no such setting'));
  });
  await expect(failing).rejects.toThrow('no such setting');
  expect(starts).toBe(1);
});
