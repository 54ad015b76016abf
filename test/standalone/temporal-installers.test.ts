import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildTemporal } from '../../standalone/temporal-installers.ts';

let folder: string;
let target: string;
const silent = (): void => undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'installers-'));
  target = join(folder, 'cache', 'temporal-1.5.1', 'temporal');
  await mkdir(join(folder, 'bin'));
});

afterEach(async () => rm(folder, { recursive: true, force: true }));

/** A Go tool chain that does only this. */
async function go(script: string): Promise<{ PATH: string }> {
  await writeFile(join(folder, 'bin', 'go'), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'bin', 'go'), 0o755);
  return { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` };
}

const leftInCache = (): string[] => readdirSync(dirname(dirname(target)));

test('go install gets the pinned version into a folder of its own, and the binary moves into place', async () => {
  const env = await go('echo "$@" > "$GOBIN/temporal"');
  await expect(buildTemporal(target, env, silent)).resolves.toBeUndefined();
  await expect(readFile(target, 'utf8')).resolves.toBe(
    'install github.com/temporalio/cli/cmd/temporal@v1.5.1\n',
  );
  expect(leftInCache()).toEqual(['temporal-1.5.1']);
});

test('a build that fails gives its last line and leaves nothing in the cache', async () => {
  const env = await go('echo half > "$GOBIN/temporal"; echo "go: no network" >&2; exit 1');
  await expect(buildTemporal(target, env, silent)).resolves.toBe('Building with Go failed: go: no network');
  expect(existsSync(target)).toBe(false);
  expect(leftInCache()).toEqual(['temporal-1.5.1']);
});

test('a machine without Go is told so', async () => {
  const env = { PATH: join(folder, 'nothing') };
  await expect(buildTemporal(target, env, silent)).resolves.toBe(
    'Building with Go failed: `go` is not installed',
  );
});
