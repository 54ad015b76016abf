import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withProgress } from '../../standalone/progress.ts';
import { cachedTemporal, findTemporal, type TemporalInstaller } from '../../standalone/temporal-binary.ts';

let folder: string;
let env: Record<string, string>;
let said: string[];
const log = (line: string): void => void said.push(line);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'temporal-binary-'));
  env = { PATH: join(folder, 'bin'), XDG_CACHE_HOME: join(folder, 'cache'), HOME: folder };
  said = [];
});

afterEach(async () => rm(folder, { recursive: true, force: true }));

async function program(file: string, output: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\necho "${output}"\n`);
  await chmod(file, 0o755);
  return file;
}

const onPath = (): string => join(folder, 'bin', 'temporal');
const NEW = 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)';
const OLD = 'temporal version 1.3.0 (Server 1.28.9, UI 2.36.0)';

const noInstaller: TemporalInstaller = async () => Promise.reject(new Error('must not be asked'));
const refusing =
  (reason: string): TemporalInstaller =>
  async () =>
    Promise.resolve(reason);
const installing =
  (output: string): TemporalInstaller =>
  async (target) => {
    await program(target, output);
    return undefined;
  };

test('a temporal on PATH comes before the cached one', async () => {
  await program(cachedTemporal(env), NEW);
  const wanted = await program(onPath(), NEW);
  await expect(findTemporal(log, env, [noInstaller])).resolves.toBe(wanted);
  expect(said).toEqual([]);
});

test.each([
  ['an old server', OLD],
  ['a server of an old major version', 'temporal version 9.9.9 (Server 0.99.0, UI 2.36.0)'],
])('%s on PATH is skipped, and that is said with its version', async (_, output) => {
  const skipped = await program(onPath(), output);
  const cached = await program(cachedTemporal(env), NEW);
  await expect(findTemporal(log, env, [noInstaller])).resolves.toBe(cached);
  expect(said).toEqual([expect.stringContaining(skipped)]);
  expect(said[0]).toContain('1.29 or newer is needed');
});

test.each(['1.29.0', '1.31.2', '2.0.0'])('server %s is new enough', async (version) => {
  const wanted = await program(onPath(), `temporal version 0.0.0-DEV (Server ${version}, UI 2.42.1)`);
  await expect(findTemporal(log, env, [noInstaller])).resolves.toBe(wanted);
});

test('a program that is called temporal but tells no server version is skipped', async () => {
  await program(onPath(), 'hello');
  const cached = await program(cachedTemporal(env), NEW);
  await expect(findTemporal(log, env, [noInstaller])).resolves.toBe(cached);
  expect(said[0]).toContain('does not say the version');
});

test('the installers are asked in their order until one brings a usable binary', async () => {
  const found = await findTemporal(log, env, [
    refusing('unreachable'),
    installing(OLD),
    installing(NEW),
    noInstaller,
  ]);
  expect(found).toBe(cachedTemporal(env));
});

test('when nothing works, one message gives every reason and the three ways', async () => {
  const failing = findTemporal(log, env, [refusing('download: unreachable'), refusing('go: not installed')]);
  await expect(failing).rejects.toThrow(/download: unreachable[^]*go: not installed/);
  await expect(failing).rejects.toThrow(/on PATH[^]*Install Go[^]*TEMPORAL_ADDRESS/);
});

test('a build that takes long says so alone', async () => {
  const building: TemporalInstaller = async (target) => {
    await withProgress(log, 'Building', delay(2_300));
    return await installing(NEW)(target, env, log);
  };
  await findTemporal(log, env, [building]);
  expect(said).toEqual(['Building ...', 'Building: done (2 s)']);
});
