import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import runner from 'jest-circus/runner';
import { withoutAsyncContexts } from './async-contexts.mjs';

const require = createRequire(import.meta.url);

/**
 * Runs the tests of a file as jest does, but in Node itself, on what was built: a sandbox of jest compiles all that the
 * file imports anew and reaches every global a hundred times more slowly, together half of all CPU time. Throws when the
 * file has tried to end the process, or when an error that nobody has caught came outside of its tests.
 */
export default async function runInNode(globalConfig, config, environment, _runtime, testPath, sendMessage) {
  const runtime = nodeRuntime(config.rootDir, environment);
  const results = await runner.default(globalConfig, config, environment, runtime, testPath, sendMessage);
  // What the last test has left behind comes up now; later it would be taken for a fault of the next file.
  await turn();
  await environment.fileEnded();
  for (const error of environment.faults) throw error;
  if (results.numFailingTests > 0) environment.changes.push('whatever failed');
  return results;
}

/** Stands in for jest's loader of modules: Node loads them. */
function nodeRuntime(rootDir, environment) {
  return {
    requireInternalModule: requireAnew,
    requireModule: require,
    setGlobalsForRuntime: () => undefined,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: async (path) => {
      environment.fileBegins();
      await import(compiledFrom(path, rootDir));
    },
    enterTestCode: () => undefined,
    leaveTestCode: () => undefined,
  };
}

/**
 * jest-circus keeps its tests and hooks in the module and in a global: every file gets new ones. It asks which test an error
 * belongs to; no two tests of a file run at once.
 */
function requireAnew(path) {
  delete require.cache[path];
  delete globalThis[Symbol.for('EVENT_HANDLERS')];
  return withoutAsyncContexts(() => require(path));
}

/** The URL of the file that compile-tests.mjs has made of a test. */
function compiledFrom(path, rootDir) {
  const compiled = relative(rootDir, path).replace(/\.ts$/, '.js');
  return new URL(compiled, pathToFileURL(`${rootDir}/dist/`)).href;
}
