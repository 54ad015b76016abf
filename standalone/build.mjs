import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import process from 'node:process';
import { runStep } from './run-step.mjs';

const STAMP = '.built';
const BUNDLE = 'workflow-bundle.js';
/** The package that others install: a build of its own, which the rest imports as they do. */
const CLIENT = join('packages', 'client');
/** The pages for browsers, which Vite builds: each folder with an index.html. */
const WEB = 'web';
/** Files of the api that are copied unchanged: plain pages and the programs of threads. */
const COPIED = ['.html', '.css', '.js', '.mjs'];

/** True when dist was built from exactly these sources and is complete. */
export function isBuilt(root) {
  const built = readStamp(root);
  const isCompiled =
    built.sources === stampOf(root).sources && missingOutputs(root, sourceFiles(root)).length === 0;
  return isCompiled && built.web === stampOf(root).web && missingPages(root).length === 0;
}

/**
 * Compiles the sources into dist, copies unchanged files, removes outputs without a source, bundles the workflows, and builds
 * the pages for browsers.
 */
export async function build(root) {
  const before = readStamp(root);
  const stamp = stampOf(root);
  rmSync(join(root, 'dist', STAMP), { force: true });
  const sources = sourceFiles(root);
  if (before.sources !== stamp.sources || missingOutputs(root, sources).length > 0) {
    removeOrphans(root, sources);
    await buildClient(root);
    await compile(root, 'Compiling', 'tsconfig.build.json');
    copyFiles(root);
    if (before.bundle !== stamp.bundle || !existsSync(join(root, 'dist', BUNDLE)))
      await bundleWorkflows(root);
  }
  if (before.web !== stamp.web || missingPages(root).length > 0) await buildPages(root);
  writeFileSync(join(root, 'dist', STAMP), JSON.stringify(stamp));
}

/** Hashes of what the parts of dist are built from. */
function stampOf(root) {
  const sources = sourceFiles(root);
  return {
    sources: hashOf(root, [...sources, ...clientFiles(root)]),
    bundle: hashOf(root, bundled(root, sources)),
    web: hashOf(root, webFiles(root)),
  };
}

async function buildPages(root) {
  if (pages(root).length === 0) return;
  const script = join(root, WEB, 'build.mjs');
  await runStep('Building the pages', process.execPath, [script, join(root, 'dist', WEB)], root);
}

async function buildClient(root) {
  if (clientSources(root).length === 0) return;
  rmSync(join(root, CLIENT, 'dist'), { recursive: true, force: true });
  await compile(root, 'Compiling the client', join(CLIENT, 'tsconfig.json'));
}

async function compile(root, label, project) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await runStep(label, process.execPath, [tsc, '-p', project, '--noEmitOnError'], root);
}

async function bundleWorkflows(root) {
  if (!existsSync(join(root, 'workflows', 'index.ts'))) return;
  await runStep(
    'Bundling the workflows',
    process.execPath,
    [join(root, 'dist', 'standalone', 'bundle-workflows.js')],
    root,
  );
}

/** The sources of dist, including JSON that sources import: paths relative to the root, sorted. */
function sourceFiles(root) {
  const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8'));
  return include
    .flatMap((folder) => ['.ts', '.json'].flatMap((ending) => filesUnder(join(root, folder), ending)))
    .map((file) => relative(root, file))
    .concat(copiedFiles(root))
    .sort((a, b) => (a < b ? -1 : 1));
}

function clientSources(root) {
  return filesUnder(join(root, CLIENT, 'src'), '.ts').map((file) => relative(root, file));
}

/** Everything that the client is built from. */
function clientFiles(root) {
  return [...clientSources(root).sort(), join(CLIENT, 'package.json'), join(CLIENT, 'tsconfig.json')];
}

function webFiles(root) {
  if (!existsSync(join(root, WEB))) return [];
  const files = readdirSync(join(root, WEB), { withFileTypes: true, recursive: true });
  return files
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

function pages(root) {
  const files = webFiles(root).filter((file) => basename(file) === 'index.html');
  return files.map((file) => dirname(file));
}

function missingPages(root) {
  return pages(root).filter((page) => !existsSync(join(root, 'dist', page, 'index.html')));
}

function copiedFiles(root) {
  const files = COPIED.flatMap((ending) => filesUnder(join(root, 'api'), ending));
  return files.map((file) => relative(root, file));
}

function copyFiles(root) {
  for (const file of copiedFiles(root)) {
    const target = join(root, 'dist', file);
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(root, file), target);
  }
}

function filesUnder(folder, ending) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesUnder(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });
}

/** The sources of the workflow bundle. */
function bundled(root, sources) {
  const inBundle = sources.filter((file) => /^(workflows|domain)[\\/]/.test(file));
  return [...inBundle, 'package-lock.json'];
}

function hashOf(root, files) {
  const hash = createHash('sha256');
  for (const file of [...files, 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']) {
    hash.update(`${file}\0`);
    if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function readStamp(root) {
  try {
    return JSON.parse(readFileSync(join(root, 'dist', STAMP), 'utf8'));
  } catch {
    return {};
  }
}

function outputOf(source) {
  return source.replace(/\.ts$/, '.js');
}

function missingOutputs(root, sources) {
  const wanted = sources.filter((file) => !file.endsWith('.json') && !file.endsWith('.d.ts')).map(outputOf);
  if (sources.includes(join('workflows', 'index.ts'))) wanted.push(BUNDLE);
  const client = clientSources(root).map((file) =>
    join(CLIENT, 'dist', relative(join(CLIENT, 'src'), outputOf(file))),
  );
  return [...wanted.map((file) => join('dist', file)), ...client].filter(
    (file) => !existsSync(join(root, file)),
  );
}

/** Removes outputs of deleted sources: knex and the workflow bundle would still find them. */
function removeOrphans(root, sources) {
  const dist = join(root, 'dist');
  const wanted = new Set([...sources.map(outputOf), BUNDLE]);
  for (const file of ['.js.map', ...COPIED].flatMap((ending) => filesUnder(dist, ending))) {
    const output = relative(dist, file);
    // Vite clears these by itself.
    if (output.startsWith(`${WEB}${sep}`)) continue;
    if (!wanted.has(output.replace(/\.map$/, ''))) rmSync(file);
  }
  removeEmptyFolders(dist);
}

function removeEmptyFolders(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!statSync(path).isDirectory()) continue;
    removeEmptyFolders(path);
    if (readdirSync(path).length === 0) rmSync(path, { recursive: true });
  }
}
