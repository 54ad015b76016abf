import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withProgress, type ProgressLog } from '../../standalone/progress.ts';
import { intoPlace, runLimited } from '../../standalone/temporal-installers.ts';

const MODULE = 'github.com/moov-io/watchman';
/** Since 0.65, watchman looks up candidates before it compares names, which makes it several times faster. */
export const WATCHMAN_VERSION = '0.65.1';
/** Replaces the client for embeddings, which are off, by an older version: the module proxy lacks the required one. */
const GO_MOD = `module race

go 1.25

require ${MODULE} v${WATCHMAN_VERSION}

replace github.com/OpenRouterTeam/go-sdk => github.com/OpenRouterTeam/go-sdk v0.0.0-20260126192013-c2c3c701312e
`;
const BUILD_LIMIT_MS = 20 * 60_000;

/**
 * Returns the path of watchman's server binary, which is built once with Go and cached for this user. Logs the reason and
 * returns undefined if it cannot be built.
 */
export async function findWatchman(
  log: ProgressLog,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const cache = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache');
  const target = join(cache, 'waybill', `watchman-${WATCHMAN_VERSION}`, 'server');
  if (existsSync(target)) return target;
  const failure = await intoPlace(target, async (folder) => await build(folder, env, log));
  if (failure === undefined) return target;
  log(`NO COMPARISON: ${MODULE} ${WATCHMAN_VERSION} cannot be built here. ${failure}`);
  return undefined;
}

/** Builds watchman from a module that only requires it, because `go install` would also fetch the list of its versions. */
async function build(folder: string, env: NodeJS.ProcessEnv, log: ProgressLog): Promise<string | undefined> {
  await writeFile(join(folder, 'go.mod'), GO_MOD);
  const args = ['build', '-mod=mod', '-o', join(folder, 'server'), `${MODULE}/cmd/server`];
  const goEnv = {
    ...env,
    PATH: `${env['PATH'] ?? ''}:/usr/local/go/bin`,
    GOTOOLCHAIN: 'local',
    GOFLAGS: '',
  };
  const work = runLimited({ program: 'go', args, cwd: folder, env: goEnv }, BUILD_LIMIT_MS).ended;
  const failure = await withProgress(log, 'Building watchman with Go (some minutes, once)', work);
  return failure && `Building with Go failed: ${failure}`;
}
