import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { figureLine } from '../../bench/figure.ts';
import {
  askAll,
  openScreeningClient,
  race,
  type ScreeningClient,
} from '../../bench/sanctions/race-blocks.ts';
import { raceFigure, swapFigure } from '../../bench/sanctions/race-figures.ts';
import { readRaceNames } from '../../bench/sanctions/race-names.ts';
import { findWatchman } from '../../bench/sanctions/watchman-binary.ts';

const servers: Server[] = [];
const clients: ScreeningClient[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map(async ({ close }) => await close()));
  for (const server of servers.splice(0)) server.close();
});

/** Answers with this status, and notes who was asked for what, in order. */
async function engine(name: string, heard: string[], status = 200): Promise<ScreeningClient> {
  const server = createServer((request, response) => {
    heard.push(`${name} ${decodeURIComponent(request.url ?? '')}`);
    response.writeHead(status).end('{}');
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = openScreeningClient(url, (subject) => ({
    method: 'GET',
    path: `/${encodeURIComponent(subject)}`,
  }));
  clients.push(client);
  return client;
}

test('both engines are asked the same names, block by block in turn', async () => {
  const heard: string[] = [];
  const [ours, theirs] = [await engine('ours', heard), await engine('theirs', heard)];
  const result = await race((at) => `n${at}`, { rounds: 2, blocks: 2, block: 3 }, { ours, theirs });
  const turns = Array.from({ length: 8 }, (_, turn) => heard.slice(turn * 3, turn * 3 + 3).toSorted());
  const expected = [0, 3, 6, 9].flatMap((first) =>
    ['ours', 'theirs'].map((who) => [0, 1, 2].map((at) => `${who} /n${first + at}`).toSorted()),
  );
  expect(turns).toEqual(expected);
  expect(heard).toHaveLength(24);
  expect(result.ratio).toBeGreaterThan(0);
});

test('an answer that is not 200 fails the race: a refusal is no screening', async () => {
  await expect(askAll(await engine('ours', [], 429), ['a', 'b'])).rejects.toThrow('answered 429');
});

test('of 20 names of the mix 16 are clean customers, 3 listed with a change, 1 as listed', () => {
  const { mix, listed } = readRaceNames();
  const round = (names: (at: number) => string, count: number) =>
    Array.from({ length: count }, (_, at) => names(at));
  // Every listed name comes again among the listed ones alone, no customer does.
  const all = new Set(round(listed, 40_000));
  const isListed = round(mix, 20).map((name) => all.has(name));
  expect(isListed).toEqual([...Array.from({ length: 16 }, () => false), true, true, true, true]);
  expect(round(mix, 50)).toEqual(round(mix, 50));
});

test('where it cannot be built it is said loudly that nothing is compared, and nothing is left behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-race-'));
  const lines: string[] = [];
  try {
    await writeFile(join(folder, 'go'), '#!/bin/sh\necho "no such module" >&2\nexit 1\n', { mode: 0o755 });
    const env = { XDG_CACHE_HOME: folder, PATH: folder };
    expect(await findWatchman((line) => lines.push(line), env)).toBeUndefined();
    expect(lines).toEqual([expect.stringMatching(/^NO COMPARISON: .* no such module$/)]);
    expect(await readdir(join(folder, 'waybill'), { recursive: true })).toEqual([
      expect.stringMatching(/^watchman-[\d.]+$/),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a figure without a comparison, and one with a failed request, miss their goals and say why', () => {
  const side = { rate: 900, p50: 3, p99: 9 };
  const goal = { goal: 10, disk: 'an fdatasync takes p50 1.0 ms, p99 2.0 ms' };
  const alone = raceFigure('mix', { ours: side, theirs: undefined, ratio: undefined }, goal);
  expect(figureLine(alone, false)).toMatch(/no times \(900\/s.*MISSED: nothing to compare to$/);
  const raced = raceFigure('mix', { ours: side, theirs: { ...side, rate: 60 }, ratio: 15 }, goal);
  expect(figureLine(raced, false)).toMatch(
    /15.0 times \(900\/s.*watchman .*60\/s.*fdatasync takes p50 1.0 ms.*: met$/,
  );
  const slow = raceFigure('mix', { ours: { ...side, p99: 21 }, theirs: side, ratio: 15 }, goal);
  expect(figureLine(slow, false)).toMatch(/MISSED$/);
  const failed = swapFigure({ requests: 9, failures: ['answered 503'], switchMs: [1_000], p99: 5 });
  expect(figureLine(failed, false)).toMatch(/1 of 9 requests failed.*MISSED: answered 503$/);
});
